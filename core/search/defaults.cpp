// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/defaults.h"

#include "core/base/text.h"
#include "core/model/switches.h"
#include "core/search/errors.h"

#include <algorithm>

namespace apertune::search {

using base::Error;
using base::ErrorCode;
using model::Device;
using model::SearchSpace;

namespace {

template <typename T>
void sortUnique(std::vector<T>& values)
{
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::vector<std::string> idsOf(const std::vector<Device>& devices)
{
    std::vector<std::string> ids;
    for (const Device& device : devices)
        ids.push_back(device.id);
    return ids;
}

/// One NVIDIA GPU of each model, because equal ones would repeat each other, and of those the first that nobody uses;
/// the CPU where there is none. Other accelerators must be named, because most engines do not open them.
std::vector<std::string> fastestDevices(const std::vector<Device>& devices)
{
    std::vector<const Device*> chosen;
    const auto isBusy = [](const Device& device) { return device.use && device.use->isBusy(); };
    for (const Device& device : devices) {
        if (!device.type.isNvidiaGpu())
            continue;
        const auto same =
            std::find_if(chosen.begin(), chosen.end(), [&](const Device* other) { return other->name == device.name; });
        if (same == chosen.end())
            chosen.push_back(&device);
        else if (isBusy(**same) && !isBusy(device))
            *same = &device;
    }
    std::vector<std::string> ids;
    for (const Device* device : chosen)
        ids.push_back(device->id);
    for (const Device& device : devices)
        if (ids.empty() && device.type.isCpu())
            ids.push_back(device.id);
    // A machine without a CPU in its list still has a device to measure on.
    return ids.empty() ? idsOf(devices) : ids;
}

base::Result<std::vector<std::string>> resolveDevices(const std::vector<std::string>& wanted,
                                                      const std::vector<Device>& devices)
{
    if (wanted.empty())
        return fastestDevices(devices);
    std::vector<std::string> chosen;
    for (const std::string& name : wanted) {
        bool found = false;
        for (const Device& device : devices) {
            const bool group = name == "all" || (name == toString(device.type));
            if (!group && device.id != name)
                continue;
            found = true;
            if (std::find(chosen.begin(), chosen.end(), device.id) == chosen.end())
                chosen.push_back(device.id);
        }
        if (found)
            continue;
        std::vector<std::string> valid = idsOf(devices);
        const std::string here = base::join(valid);
        valid.emplace_back("all");
        const std::string nearest = base::closestMatch(name, valid);
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoDevice>(name),
                     {},
                     base::sentencesOf({base::didYouMean(nearest), base::message<errors::kDevicesHere>(here)})};
    }
    return chosen;
}

base::Status checkNumbers(const std::vector<int>& batches, const std::vector<int>& threads)
{
    const bool hasAuto = std::find(batches.begin(), batches.end(), SearchSpace::kAutoBatch) != batches.end();
    if (hasAuto && batches.size() > 1)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kAutoBatchAlone>(),
                     {},
                     base::message<errors::kAutoOrList>()};
    // kAutoBatch is below 1, so it is not checked as a number.
    for (int batch : batches)
        if (batch < 1 && !hasAuto)
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNoBatch>(batch),
                         {},
                         base::message<errors::kBatchesFromOne>()};
    for (int count : threads)
        if (count < 1)
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNoThreads>(count),
                         {},
                         base::message<errors::kThreadsFromOne>()};
    return {};
}

} // namespace

base::Result<SearchSpace> withDefaults(const SearchSpace& space, const std::vector<Device>& devices)
{
    if (devices.empty())
        return Error{
            ErrorCode::notFound, base::message<errors::kNoDeviceAtAll>(), {}, base::message<errors::kSeeDevices>()};
    if (auto numbers = checkNumbers(space.batches, space.threads); !numbers)
        return numbers.error();
    auto ids = resolveDevices(space.devices, devices);
    if (!ids)
        return ids.error();

    SearchSpace filled = space;
    filled.devices = std::move(ids).value();
    if (filled.backends.empty())
        filled.backends = SearchSpace{}.backends;
    if (filled.levels.empty())
        filled.levels.assign(model::kAllLevels.begin(), model::kAllLevels.end());
    if (filled.batches.empty())
        filled.batches = {1, 2, 4, 8};
    for (const Device& device : devices)
        if (filled.threads.empty() && device.type.isCpu() &&
            std::find(filled.devices.begin(), filled.devices.end(), device.id) != filled.devices.end())
            // A thread for each core: a second one on the same core competes for its units.
            filled.threads = {std::max(1, device.cores > 0 ? device.cores : device.threads)};
    sortUnique(filled.levels);
    sortUnique(filled.precisions);
    sortUnique(filled.batches);
    sortUnique(filled.threads);
    return filled;
}

std::vector<std::string> defaultBackends(const SearchSpace& space)
{
    const bool onlyOfLibTorch = std::all_of(space.switches.begin(), space.switches.end(),
                                            [](const auto& axis) { return model::findSwitch(axis.first) != nullptr; });
    const bool named = !space.levels.empty() || !space.switches.empty();
    // Named levels and switches of the catalogue have this meaning for LibTorch alone, so only that engine is taken.
    return named && onlyOfLibTorch ? std::vector<std::string>{"libtorch"} : SearchSpace{}.backends;
}

std::vector<model::Precision> precisionsOf(const SearchSpace& space, model::OptLevel level, const Device& device)
{
    std::vector<model::Precision> precisions = space.precisions;
    if (precisions.empty())
        // fp32 is always part of it, because speed-up and quality refer to it.
        precisions = {model::Precision::fp32, model::defaultPrecision(level, device)};
    sortUnique(precisions);
    return precisions;
}

} // namespace apertune::search
