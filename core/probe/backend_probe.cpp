// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/backend_probe.h"

#include "core/base/json_members.h"
#include "core/model/switches.h"
#include "core/probe/compiler_check.h"
#include "core/probe/reasons.h"
#include "core/worker/backend_manifest.h"
#include "core/worker/worker_process.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::probe {

namespace fs = std::filesystem;
using base::Json;
using search::BackendInfo;

namespace {

void addNew(std::vector<std::string>& to, const std::vector<std::string>& from)
{
    for (const std::string& entry : from)
        if (std::find(to.begin(), to.end(), entry) == to.end())
            to.push_back(entry);
}

/// Reads the switches, each of which is a name or an object {"name", "summary"}; "all" stands for the catalogue.
void readSwitches(const Json& description, BackendInfo& info)
{
    const auto list = description.find("switches");
    if (list != description.end() && *list == "all")
        for (const model::SwitchInfo& known : model::switchCatalogue())
            info.switches.push_back(known.name);
    if (list == description.end() || !list->is_array())
        return;
    for (const Json& entry : *list) {
        if (entry.is_string())
            info.switches.push_back(entry.get<std::string>());
        // An entry of another form is left out; plugins are foreign code.
        const auto name = entry.is_object() ? entry.find("name") : entry.end();
        if (!entry.is_object() || name == entry.end() || !name->is_string())
            continue;
        info.switches.push_back(name->get<std::string>());
        if (const auto summary = entry.find("summary"); summary != entry.end() && summary->is_string())
            info.summaries[info.switches.back()] = summary->get<std::string>();
    }
}

/// Reads the levels: {"O1": ["streams"], …} lists the switches that are on. A name that is no level is ignored.
void readLevels(const Json& description, BackendInfo& info)
{
    const auto levels = description.find("levels");
    if (levels == description.end() || !levels->is_object())
        return;
    for (const auto& [name, on] : levels->items()) {
        const auto level = model::levelFromString(name);
        // Levels of later versions are skipped.
        if (!level)
            continue;
        model::SwitchMap& switches = info.levels[*level];
        // A level names what is on, so all other switches are off.
        for (const std::string& known : info.switches)
            switches[known] = false;
        for (const std::string& wanted : base::textMembers(*levels, name.c_str()))
            if (const auto it = switches.find(wanted); it != switches.end())
                it->second = true;
    }
}

/// Returns the members of "devices" that are objects with an id.
std::vector<Json> describedDevices(const Json& description)
{
    std::vector<Json> described;
    if (!description.is_object())
        return described;
    if (const auto list = description.find("devices"); list != description.end() && list->is_array())
        for (const Json& entry : *list)
            if (entry.is_object() && entry.contains("id") && entry["id"].is_string())
                described.push_back(entry);
    return described;
}

/// Returns one device of each type and name, because equal devices give equal answers.
std::vector<model::Device> representatives(const std::vector<model::Device>& devices)
{
    std::vector<model::Device> chosen;
    for (const model::Device& device : devices)
        if (std::none_of(chosen.begin(), chosen.end(),
                         [&](const auto& other) { return other.type == device.type && other.name == device.name; }))
            chosen.push_back(device);
    return chosen;
}

/// Returns the reason of a worker that cannot serve, with the first line of its hint. The detail of a worker that died
/// is its log and no advice.
base::Message reasonText(const worker::WorkerError& error)
{
    const model::Reason& reason = error.reason;
    const bool hasAdvice = reason.kind == model::ReasonKind::unsupported || reason.kind == model::ReasonKind::internal;
    const std::string hint = hasAdvice ? reason.detail.substr(0, reason.detail.find('\n')) : std::string();
    return base::sentencesOf({reason.message, base::foreignText(hint)});
}

/// Probes one backend on one device of each kind. Adds to `further` the devices that only backends show.
BackendInfo probeBackend(worker::Launcher& launcher, const worker::Installation& installation, const std::string& name,
                         const std::vector<model::Device>& devices, std::vector<model::Device>& further)
{
    BackendInfo info;
    info.name = name;
    base::Message failure;
    bool compiles = false;
    // GPUs are hidden from a worker on the CPU, so its remarks on them count only when no worker on a GPU answers.
    std::vector<std::string> withoutGpu;
    bool hasGpu = false;
    if (const auto libraries = worker::backendLibraries(installation, name); !libraries) {
        // The backend stays in the list with its reason, so that users see why it is missing.
        info.cannotCompileReason = base::sentencesOf({libraries.error().message, libraries.error().hint});
        return info;
    }
    base::Bytes hostMemory;
    for (const model::Device& device : devices)
        if (device.type.isCpu())
            hostMemory = device.memory;
    for (const model::Device& device : representatives(devices)) {
        // The worker describes itself in its greeting; no command is needed.
        auto reply = worker::WorkerProcess::start(launcher, {name, device, 1}, {});
        if (!reply) {
            if (failure.empty())
                failure = reasonText(reply.error());
            continue;
        }
        auto& worker = *reply;
        const Json& hello = worker->hello();
        const Json description = hello.contains("describe") ? hello["describe"] : Json::object();
        const BackendInfo seen = backendFromDescription(name, description, device, devices);
        for (model::Device& other : devicesFromDescription(description, hostMemory))
            if (std::none_of(further.begin(), further.end(), [&](const auto& known) { return known.id == other.id; }))
                further.push_back(std::move(other));
        const auto formats = base::textMembers(description, "formats");
        // The formats show whether the backend runs compiled packages.
        compiles = compiles || std::find(formats.begin(), formats.end(), "aoti") != formats.end();
        info.version = seen.version;
        info.forTests = seen.forTests;
        // The resident memory of a worker on the CPU is what the engine takes there.
        if (const auto resident = hello.find("resident");
            device.type.isCpu() && resident != hello.end() && resident->is_number_integer())
            info.resident.count = resident->get<std::int64_t>();
        addNew(info.switches, seen.switches);
        addNew(info.precisions, seen.precisions);
        addNew(info.deviceIds, seen.deviceIds);
        addNew(device.type.isCpu() ? withoutGpu : info.notes, seen.notes);
        hasGpu = hasGpu || !device.type.isCpu();
        addNew(info.formats, seen.formats);
        info.precisionsOn.insert(seen.precisionsOn.begin(), seen.precisionsOn.end());
        info.levels = seen.levels;
        info.summaries.insert(seen.summaries.begin(), seen.summaries.end());
    }
    if (!hasGpu)
        info.notes = std::move(withoutGpu);
    if (info.deviceIds.empty() && info.switches.empty())
        info.cannotCompileReason = failure;
    else if (!compiles)
        info.cannotCompileReason = base::message<reasons::kRunsNoPackages>(name);
    info.canCompile = info.cannotCompileReason.empty();
    return info;
}

} // namespace

BackendInfo backendFromDescription(const std::string& name, const Json& description, const model::Device& device,
                                   const std::vector<model::Device>& devices)
{
    BackendInfo info;
    info.name = name;
    if (!description.is_object())
        return info;
    if (const auto it = description.find("version"); it != description.end() && it->is_string())
        info.version = it->get<std::string>();
    info.formats = base::textMembers(description, "formats");
    readSwitches(description, info);
    readLevels(description, info);
    info.precisions = base::textMembers(description, "precisions");
    info.notes = base::textMembers(description, "notes");
    if (const auto it = description.find("for_tests"); it != description.end() && it->is_boolean())
        info.forTests = it->get<bool>();

    const std::string wanted = worker::workerDeviceId(device);
    for (const Json& entry : describedDevices(description)) {
        const auto id = entry["id"].get<std::string>();
        const auto precisions = base::textMembers(entry, "precisions");
        const auto add = [&](const std::string& known) {
            info.deviceIds.push_back(known);
            if (!precisions.empty())
                // Precisions of one device replace the backend's list.
                info.precisionsOn[known] = precisions;
        };
        if (id == wanted) {
            // The answer holds for all equal devices.
            for (const model::Device& other : devices)
                if (other.type == device.type && other.name == device.name)
                    add(other.id);
        } else if (!model::isDeviceId(id)) {
            info.notes.push_back("its device " + id + " is left out: Apertune knows no such kind");
        } else if (!model::typeOfDevice(id).isProbed()) {
            add(id);
        }
    }
    return info;
}

std::vector<model::Device> devicesFromDescription(const Json& description, base::Bytes hostMemory)
{
    std::vector<model::Device> found;
    for (const Json& entry : describedDevices(description)) {
        model::Device device;
        device.id = entry["id"].get<std::string>();
        device.type = model::typeOfDevice(device.id);
        // Devices that Apertune probes itself are known better than a backend describes them.
        if (!model::isDeviceId(device.id) || device.type.isProbed())
            continue;
        device.name = base::textMember(entry, "name");
        device.driver = base::textMember(entry, "driver");
        if (!device.type.hasOwnMemory())
            device.memory = hostMemory;
        else if (const auto it = entry.find("memory_bytes"); it != entry.end() && it->is_number_integer())
            device.memory.count = it->get<std::int64_t>();
        found.push_back(std::move(device));
    }
    return found;
}

std::vector<std::string> backendNames(const fs::path& plugins)
{
    std::vector<std::string> names;
    std::error_code code;
    for (fs::directory_iterator it(plugins, code), end; !code && it != end; it.increment(code))
        // An engine that was not built has a description and no library.
        if (it->path().extension() == ".so" || it->path().extension() == ".json")
            names.push_back(it->path().stem().string());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

ProbedBackends probeBackends(worker::Launcher& launcher, const worker::Installation& installation,
                             const std::vector<model::Device>& devices)
{
    const base::Status compiler = canCompileHere(installation);
    ProbedBackends probed{{}, devices};
    std::vector<model::Device> further;
    for (const std::string& name : backendNames(installation.plugins)) {
        BackendInfo info = probeBackend(launcher, installation, name, devices, further);
        // An engine that opens TorchScript itself needs no conversion.
        const bool converts = !info.formats.empty() &&
                              std::find(info.formats.begin(), info.formats.end(), "torchscript") == info.formats.end();
        if (const auto exporter = canExportHere(installation); converts && !exporter)
            info.cannotConvertReason = base::sentencesOf({exporter.error().message, exporter.error().hint});
        if (info.canCompile && !compiler) {
            info.canCompile = false;
            info.cannotCompileReason = base::sentencesOf({compiler.error().message, compiler.error().hint});
        }
        probed.backends.push_back(std::move(info));
    }
    probed.devices.insert(probed.devices.end(), further.begin(), further.end());
    // Engines are listed for each device at the end, when all devices are known.
    for (model::Device& device : probed.devices)
        for (const BackendInfo& info : probed.backends)
            if (!info.forTests &&
                std::find(info.deviceIds.begin(), info.deviceIds.end(), device.id) != info.deviceIds.end())
                device.engines.push_back(info.name);
    return probed;
}

} // namespace apertune::probe
