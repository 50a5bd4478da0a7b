// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/probe/backend_probe.h"
#include "core/probe/capability_probe.h"
#include "core/probe/device_probe.h"
#include "core/probe/environment_probe.h"
#include "core/probe/foreign_gpus.h"
#include "core/report/documents.h"
#include "core/sandbox/sandbox.h"
#include "core/sentences/sentences.h"
#include "core/study/noise_run.h"
#include "core/text/text_table.h"
#include "core/worker/local_launcher.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace apertune::cli {

using base::Json;

namespace {

/// "0-31,64-95" of ascending numbers.
std::string rangesOf(const std::vector<int>& numbers)
{
    std::vector<std::string> ranges;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        // Neighbours are joined: a node of 64 processors is one range.
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        ranges.push_back(std::to_string(numbers[i]) + (last > i ? "-" + std::to_string(numbers[last]) : ""));
        i = last + 1;
    }
    return base::join(ranges, ",");
}

/// A device, and where it is and who uses it.
Json deviceJson(const model::Device& d)
{
    Json json = model::toJson(d);
    json["pci"] = d.pci.empty() ? Json(nullptr) : Json(d.pci);
    json["processors"] = d.processors;
    json["use"] =
        d.use ? Json{{"processes", d.use->processes}, {"memory_bytes", d.use->memory.count}, {"load", d.use->load}}
              : Json(nullptr);
    return json;
}

std::string deviceText(const model::Device& d, int width)
{
    std::string text = d.id + "  " + d.name + "\n";
    std::vector<std::string> facts;
    if (d.type.isCpu()) {
        facts.push_back(std::to_string(d.cores) + " cores, " + std::to_string(d.threads) + " threads");
        facts.push_back(base::formatBytes(d.memory) + " memory");
        facts.push_back(d.isa.empty() ? "no vector extensions beyond SSE" : base::join(d.isa, " "));
    } else {
        if (d.type.isNvidiaGpu())
            facts.push_back("compute capability " + std::to_string(d.computeMajor) + "." +
                            std::to_string(d.computeMinor));
        if (d.memory.count > 0)
            facts.push_back(base::formatBytes(d.memory) + " memory");
        if (!d.driver.empty())
            facts.push_back("driver " + d.driver);
    }
    if (d.maxClockMhz > 0)
        // A virtual machine often reports the highest clock only.
        facts.push_back((d.clockMhz > 0 ? std::to_string(d.clockMhz) + " of " : std::string("up to ")) +
                        std::to_string(d.maxClockMhz) + " MHz");
    // Only these two kinds have a rule for what is emulated.
    if (d.type.isCpu() || d.type.isNvidiaGpu())
        facts.push_back(std::string("bf16 ") + (d.nativeBf16() ? "native" : "emulated") + ", fp16 " +
                        (d.nativeFp16() ? "native" : "emulated") + (d.tf32() ? ", tf32" : ""));
    if (!d.pci.empty())
        facts.push_back("PCI " + d.pci);
    if (!d.processors.empty())
        facts.push_back("processors " + rangesOf(d.processors));
    if (d.use && d.use->isBusy())
        facts.push_back("in use: " + std::to_string(d.use->processes) +
                        (d.use->processes == 1 ? " process, " : " processes, ") + base::formatBytes(d.use->memory) +
                        ", " + std::to_string(d.use->load) + " % load");
    if (!d.engines.empty())
        facts.push_back("opened by " + base::join(d.engines));
    return text + "  " + text::wrapPieces(facts, " · ", width > 2 ? width - 2 : 0, 2) + "\n";
}

/// Whether an engine opens only files of its own. It then gets the model in such a file and prepares it itself.
bool opensOwnFiles(const search::BackendInfo& b)
{
    return !b.formats.empty() && std::find(b.formats.begin(), b.formats.end(), "torchscript") == b.formats.end();
}

/// "O1 (streams)": the engine's own levels with the switches that each turns on; empty if it uses the common levels.
std::vector<std::string> levelsOf(const search::BackendInfo& b)
{
    std::vector<std::string> levels;
    for (const auto& [level, switches] : b.levels) {
        std::vector<std::string> on;
        for (const auto& [name, value] : switches)
            if (value)
                on.push_back(name);
        levels.push_back(std::string(model::toString(level)) + (on.empty() ? "" : " (" + base::join(on, " ") + ")"));
    }
    return levels;
}

std::string backendText(const search::BackendInfo& b, int width)
{
    // A backend that did not start has no switches, and its reason stands where the one for compiling does.
    if (b.switches.empty())
        return b.name + "  cannot start: " + sentences::sentence(b.cannotCompileReason) + "\n";
    // The labels are 14 columns wide.
    const int room = width > 14 ? width - 14 : 0;
    std::string text = b.name + "\n";
    text += "  devices     " + text::wrapPieces(b.deviceIds, ", ", room, 14) + "\n";
    text += "  precisions  " + text::wrapPieces(b.precisions, ", ", room, 14) + "\n";
    text += "  switches    " + text::wrapPieces(b.switches, ", ", room, 14) + "\n";
    for (const std::string& note : b.notes)
        text += "  note        " + text::wrap(note, room, 14) + "\n";
    // Engines that compile while they load have levels and files of their own.
    if (!opensOwnFiles(b))
        return text + "  compiling   " +
               (b.canCompile ? std::string("yes") : "no: " + sentences::sentence(b.cannotCompileReason)) + "\n";
    text += "  levels      " + text::wrapPieces(levelsOf(b), ", ", room, 14) + "\n";
    text += "  opens       " + base::join(b.formats) + ", " +
            (b.cannotConvertReason.empty()
                 ? "written from an imported model when a sweep asks for it"
                 : "which cannot be written here: " + sentences::sentence(b.cannotConvertReason)) +
            "\n";
    text += "  compiling   by the engine itself while it loads\n";
    return text;
}

/// The noise floors in the workspace, if there is one. A workspace that cannot be read must not hide the devices.
std::vector<model::NoiseCertificate> knownNoise(const std::filesystem::path& file,
                                                const std::vector<model::Device>& devices)
{
    std::vector<model::NoiseCertificate> found;
    std::error_code ignored;
    // Opening a workspace that does not exist would create one, and a list must not.
    if (!std::filesystem::is_regular_file(file, ignored))
        return found;
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    if (!store)
        return found;
    const model::Environment here = probe::probeEnvironment(devices, {});
    for (const model::Device& device : devices)
        // "normal" is the protocol of a study without options.
        if (auto known = study::noiseCertificate(*store, model::machineKey(here, device), "normal"); known && *known)
            found.push_back(std::move(**known));
    return found;
}

/// The layers of the sandbox in both forms.
struct SandboxPart
{
    Json document = Json::array();
    std::string text;
};

SandboxPart sandboxPart(int width)
{
    SandboxPart part;
    text::TextTable table({{"Sandbox"}, {""}, {"Remark", text::TextTable::Align::left, true}});
    const std::set<sandbox::Layer> leftOut = sandbox::settings().off;
    for (const sandbox::LayerState& layer : sandbox::layerStates()) {
        const bool isOff = leftOut.contains(layer.layer);
        const std::string remark = sentences::sentence(layer.remark);
        const std::string name(sandbox::toString(layer.layer));
        part.document.push_back({{"name", name},
                                 {"available", layer.available},
                                 {"active", layer.available && !isOff},
                                 {"remark", remark.empty() ? Json(nullptr) : Json(remark)}});
        table.addRow({name, !layer.available ? "no" : isOff ? "off" : "yes", remark});
    }
    part.text = table.render(width);
    return part;
}

int listDevices(Session& session)
{
    Terminal& terminal = session.terminal;
    const auto installation = worker::Installation::locate();
    const auto found = probe::probeDevices();
    const auto launcher = worker::makeLocalLauncher(installation);
    // Backends are asked in processes of their own, which takes a moment.
    terminal.status("Asking the backends …");
    const auto captures = probe::probeCapabilities(*launcher, installation, found);
    const auto [backends, devices] = probe::probeBackends(*launcher, installation, found);

    Json deviceList = Json::array();
    std::string text;
    for (const model::Device& d : devices) {
        deviceList.push_back(deviceJson(d));
        text += deviceText(d, terminal.width());
    }
    Json notes = Json::array();
    for (const base::Message& note : probe::foreignGpus("/", devices)) {
        notes.push_back(sentences::sentence(note));
        text += sentences::sentence(note) + "\n";
    }
    Json backendList = Json::array();
    text += "\nBackends\n";
    for (const search::BackendInfo& b : backends) {
        // Backends for tests are not for users.
        if (b.forTests)
            continue;
        backendList.push_back(
            {{"name", b.name},
             {"devices", b.deviceIds},
             {"precisions", b.precisions},
             {"switches", b.switches},
             {"levels", levelsOf(b)},
             {"notes", b.notes},
             {"formats", b.formats},
             {"can_compile", b.canCompile},
             {"reason",
              b.cannotCompileReason.empty() ? Json(nullptr) : Json(sentences::sentence(b.cannotCompileReason))}});
        text += backendText(b, terminal.width());
    }
    if (backendList.empty())
        text += "  none: there is no engine in " + installation.plugins.string() +
                ". Install Apertune again; a sweep needs at least one.\n";
    Json captureList = Json::array();
    text::TextTable table({{"Can record"}, {""}, {"Why not, and what to do", text::TextTable::Align::left, true}});
    for (const model::Capability& c : captures) {
        const std::string reason = sentences::sentence(c.reason);
        const std::string remedy = sentences::sentence(c.remedy);
        captureList.push_back({{"name", c.name},
                               {"available", c.available},
                               {"reason", reason.empty() ? Json(nullptr) : Json(reason)},
                               {"remedy", remedy.empty() ? Json(nullptr) : Json(remedy)}});
        // Reason and remedy share the last column, which is the one that wraps.
        table.addRow({c.name, c.available ? "yes" : "no", remedy.empty() ? reason : reason + " " + remedy});
    }
    const SandboxPart sandbox = sandboxPart(terminal.width());
    const auto noise = knownNoise(session.common.store, devices);
    Json noiseList = Json::array();
    for (const model::NoiseCertificate& n : noise) {
        noiseList.push_back(report::noiseDocument(n));
        text += "\n" + report::noiseSentence(n) + "\n";
    }
    terminal.document({{"schema", "apertune.devices/1"},
                       {"devices", deviceList},
                       {"backends", backendList},
                       {"captures", captureList},
                       {"sandbox", sandbox.document},
                       {"noise_floors", noiseList},
                       {"notes", notes}});
    terminal.text(text + "\n" + table.render(terminal.width()) + "\n" + sandbox.text);
    return kDone;
}

Action declareDeviceList(CLI::App&)
{
    return listDevices;
}

} // namespace

Verb deviceListVerb()
{
    return {
        .path = {"device", "list"},
        .group = Group::manage,
        .summary = "List devices, engines, and what can be recorded here",
        .examples = R"(  apertune device list
  apertune device list --json)",
        .takes = Takes::worker,
        .documents = {{"apertune.devices/1",
                       "`devices` (as in a study, with `pci`, `processors` of its NUMA node and `use`: `processes`, "
                       "`memory_bytes`, `load` in percent), `backends` (`name`, `devices`, `precisions`, `switches`, "
                       "`levels` (of its "
                       "own), `formats` (files that it opens), `notes` (what it says of this machine), "
                       "`can_compile`, `reason`), `captures` (`name`, `available`, `reason`, `remedy`), `sandbox` (its "
                       "layers: `name`, "
                       "`available` on this kernel, `active`, `remark`), `notes` (on GPUs "
                       "of other vendors)"}},
        .declare = declareDeviceList};
}

} // namespace apertune::cli
