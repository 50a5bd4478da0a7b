// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/kineto/event_fields.h"

namespace apertune::trace::kineto {

namespace {

struct FieldName
{
    std::string_view name;
    Field field = Field::none;
};

// The first name of a field is the one that is written.
constexpr FieldName kArguments[] = {
    {"External id", Field::externalId},
    {"external id", Field::externalId},
    {"correlation", Field::correlation},
    {"device", Field::device},
    {"context", Field::context},
    {"stream", Field::stream},
    {"bytes", Field::bytes},
    {"Bytes", Field::bytes},
    {"size", Field::size},
    {"grid", Field::grid},
    {"block", Field::block},
    {"cluster", Field::cluster},
    {"registers per thread", Field::registers},
    {"shared memory", Field::sharedMemory},
    {"static shared memory", Field::staticSharedMemory},
    {"local memory per thread", Field::localMemory},
    {"graph id", Field::graph},
    {"graph node id", Field::graphNode},
    {"est. achieved occupancy %", Field::occupancy},
    {"Input Dims", Field::inputShapes},
    {"Input dims", Field::inputShapes},
    {"Input type", Field::inputTypes},
    {"Module Hierarchy", Field::module},
    {"Sequence number", Field::sequence},
    {"cuda_sync_kind", Field::syncKind},
    {"wait_on_cuda_event_id", Field::waitEvent},
    {"kind", Field::copyKind},
    {"source", Field::source},
    {"target", Field::target},
    {"async", Field::asynchronous},
    {"source device", Field::sourceDevice},
    {"target device", Field::targetDevice},
    {"Device Type", Field::deviceType},
    {"Device Id", Field::deviceId},
    {"Addr", Field::address},
    {"memory kind", Field::memoryKind},
    {"owner", Field::owner},
    {"note", Field::note},
    {"value", Field::value},
    {"name", Field::argName},
};

/// A table that finds most names with one comparison.
class FieldTable
{
public:
    FieldTable()
    {
        for (const FieldName& name : kArguments) {
            std::size_t slot = slotOf(name.name);
            while (!m_slots[slot].name.empty())
                slot = (slot + 1) % kSlots;
            m_slots[slot] = name;
        }
    }
    Field find(std::string_view name) const
    {
        if (name.empty())
            return Field::none;
        for (std::size_t slot = slotOf(name); !m_slots[slot].name.empty(); slot = (slot + 1) % kSlots)
            if (m_slots[slot].name == name)
                return m_slots[slot].field;
        return Field::none;
    }

private:
    static constexpr std::size_t kSlots = 256;
    static std::size_t slotOf(std::string_view name)
    {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
        return (name.size() * 31 + byte(0) * 7u + byte(name.size() / 2) * 13u + byte(name.size() - 1)) % kSlots;
    }
    std::array<FieldName, kSlots> m_slots{};
};

const FieldTable kTable;

} // namespace

Field eventField(std::string_view name)
{
    switch (name.size()) {
    case 2:
        return name == "ph" ? Field::phase : name == "ts" ? Field::time : name == "id" ? Field::id : Field::none;
    case 3:
        return name == "cat"   ? Field::category
               : name == "dur" ? Field::duration
               : name == "pid" ? Field::process
               : name == "tid" ? Field::thread
                               : Field::none;
    case 4:
        return name == "name" ? Field::name : name == "args" ? Field::args : Field::none;
    default:
        return Field::none;
    }
}

Field argumentField(std::string_view name)
{
    return kTable.find(name);
}

std::string_view argumentName(Field field)
{
    for (const FieldName& name : kArguments)
        if (name.field == field)
            return name.name;
    return {};
}

} // namespace apertune::trace::kineto
