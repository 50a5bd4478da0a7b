// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/exported_program.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/run_child.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/models/errors.h"
#include "core/models/reasons.h"
#include "core/probe/compiler_check.h"
#include "core/probe/device_probe.h"
#include "core/probe/load_watch.h"
#include "core/sandbox/sandbox.h"
#include "core/sentences/sentences.h"
#include "core/worker/backend_manifest.h"
#include "core/worker/installation.h"
#include "core/worker/sandbox_profiles.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::models {

namespace fs = std::filesystem;

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Result;

namespace {

constexpr auto kBuildLimit = base::fromSeconds(600);
constexpr auto kCheckLimit = base::fromSeconds(300);
constexpr std::size_t kLogTail = 2000;

const char* const kTorch = "libtorch";

std::string tailOf(const std::string& text)
{
    return text.size() > kLogTail ? "…" + text.substr(text.size() - kLogTail) : text;
}

void reportPhase(const ExportPhase& phase, const base::Message& what)
{
    if (phase)
        phase(what);
}

/// The rights of the program of an exported folder. A JSON export names files of this user's models and caches.
sandbox::Profile profileOf(const worker::Installation& installation, const fs::path& folder)
{
    sandbox::Profile profile = worker::pythonProfile(installation);
    const fs::path cache = base::userCacheDir();
    profile.read.insert(profile.read.end(),
                        {folder, base::userDataDir() / "models", cache / "packages", cache / "formats"});
    profile.write.emplace_back(worker::kUnpackingFolder); // for compiled packages
    // Some programs keep what their engine compiled. Landlock has no rule for a folder that is yet to be made.
    if (const auto config = base::readFile(folder / "apertune-config.json");
        config && config->find("\"model_cache\"") != std::string::npos) {
        std::error_code ignored;
        fs::create_directories(folder / "cache", ignored);
        profile.write.push_back(folder / "cache");
    }
    // The device's file exists wherever the driver is loaded.
    profile.gpu = fs::exists("/dev/nvidiactl");
    if (profile.gpu) // Drivers of GPUs reserve addresses far beyond the memory.
        profile.memory = {};
    return profile;
}

/// Runs a command to its end in the sandbox.
Result<base::ChildResult> runConfined(const std::vector<std::string>& argv, const sandbox::Profile& profile,
                                      base::Nanoseconds limit, std::stop_token stop, probe::LoadWatch* watch = nullptr)
{
    const auto scratch = base::TemporaryDir::create("scratch");
    if (!scratch)
        return scratch.error();
    // The profile of the caller stays as it is for the next command.
    sandbox::Profile own = profile;
    own.write.push_back(scratch->path());
    base::ChildCommand command{argv};
    command.environment["TMPDIR"] = scratch->path().string();
    auto child = sandbox::start(command, own);
    if (!child)
        return child.error();
    const bool guarded = child->isGuarded();
    return base::finishChild(std::move(child->process), argv.front(), limit, std::move(stop), [&](int pid) {
        // Behind a guard the program is a child of the process that was started.
        if (const int program = guarded ? sandbox::programOf(pid) : pid; watch && program > 0)
            watch->sample(program, base::monotonicNow());
    });
}

/// The command line of a Python program. It can import the packages of other engines, except for a program of LibTorch,
/// where they could hide torch's own packages.
Result<ExportedProgram> pythonProgram(const fs::path& file, const std::string& backend,
                                      const worker::Installation& installation)
{
    if (installation.python.empty())
        return Error{ErrorCode::notFound,
                     base::message<errors::kNoTorchToRun>(file.string()),
                     {},
                     base::message<errors::kNameTorch>()};
    // Only the source was permitted to run (trust.md), so bytecode beside it is neither read nor written.
    ExportedProgram program{{"env", "PYTHONDONTWRITEBYTECODE=1", "PYTHONPYCACHEPREFIX=/dev/null",
                             installation.python.string(), file.string()},
                            profileOf(installation, file.parent_path())};
    // A path of other packages comes before torch's own.
    if (backend != kTorch) {
        std::vector<std::string> folders;
        for (const fs::path& folder : installation.engines)
            folders.push_back(folder.string());
        program.argv.insert(program.argv.begin() + 1, "PYTHONPATH=" + base::join(folders, ":"));
    }
    return program;
}

/// The program of a Python export beside a copy of the configuration, for a JSON export, which has no program.
Result<ExportedProgram> fallbackProgram(const ExportedFolder& folder, const worker::Installation& installation)
{
    if (folder.fallbackProgram.empty())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNothingVerifies>(folder.backend),
                     {},
                     base::message<errors::kVerifyTrial>()};
    // The configuration is copied, so that the exported folder itself is not written to.
    auto work = base::TemporaryDir::create("verify");
    if (!work)
        return work.error();
    const auto config = base::readFile(folder.dir / "apertune-config.json");
    if (!config)
        return config.error();
    for (const auto& [name, content] : {std::pair<const char*, std::string_view>{"apertune-config.json", *config},
                                        {"run.py", folder.fallbackProgram}})
        if (const auto written = base::writeFileAtomically(work->path() / name, content); !written)
            return written.error();
    auto program = pythonProgram(work->path() / "run.py", folder.backend, installation);
    if (program)
        program->work.emplace(std::move(*work));
    return program;
}

Result<ExportedProgram> builtProgram(const ExportedFolder& folder, const worker::Installation& installation,
                                     const ExportPhase& phase, std::stop_token stop)
{
    if (const auto tools = probe::canBuildHere(); !tools)
        return tools.error();
    const bool isTorch = folder.backend == kTorch;
    if (isTorch && installation.torchRoot.empty())
        return Error{
            ErrorCode::notFound, base::message<errors::kNoLibTorch>(), {}, base::message<errors::kNameTorch>()};
    if (!isTorch)
        if (const auto there = worker::backendLibraries(installation, folder.backend); !there)
            return there.error();
    auto work = base::TemporaryDir::create("verify");
    if (!work)
        return work.error();
    reportPhase(phase, base::message<reasons::kBuildingProgram>(folder.dir.string()));
    const std::string build = work->path().string();
    // Building needs to write; the finished program does not.
    const sandbox::Profile running = profileOf(installation, folder.dir);
    sandbox::Profile building = running;
    building.write = {work->path()};
    for (const std::vector<std::string>& step :
         {std::vector<std::string>{"cmake", "-S", folder.dir.string(), "-B", build,
                                   "-D" + folder.rootOption + "=" + programRoot(folder.backend, installation).string()},
          std::vector<std::string>{"cmake", "--build", build}}) {
        const auto done = runConfined(step, building, kBuildLimit, stop);
        if (!done)
            return done.error();
        if (!done->exit.clean())
            return Error{ErrorCode::compileFailed, base::message<errors::kProgramNotBuilt>(),
                         tailOf(done->out + done->err), base::message<errors::kBuildByHand>()};
    }
    ExportedProgram program{{build + "/apertune_model", "--folder", folder.dir.string()}, running};
    program.work.emplace(std::move(*work));
    return program;
}

/// The outcome of a check that ended before the program did. A part that this machine lacks, and a timeout, are
/// not failures: the folder may be sound.
Result<ExportCheck> failed(Error error)
{
    if (error.code == ErrorCode::notFound || error.code == ErrorCode::unsupported || error.code == ErrorCode::timeout)
        return ExportCheck{false, error.message};
    if (error.code != ErrorCode::cancelled)
        error.hint = base::message<errors::kNothingWritten>();
    return error;
}

/// A name for a device of this machine that is not the one of the trial; empty if it is, or if it has no name.
std::string otherDevice(const std::vector<model::Device>& here, const model::Device& measured)
{
    const model::Device* same = model::findDevice(here, measured.id);
    return same && same->name != measured.name ? measured.name : std::string();
}

double millisecondsOf(const Json& document, const char* name)
{
    return document.at(name).at("median").get<double>();
}

/// The outcome of a program that ran and has a verdict.
ExportCheck checkOf(const Json& document, const model::Device& device)
{
    ExportCheck check{true, {}, verdictOf(document), {}};
    // Cosines differ in their last digits.
    const auto digits = [&](const char* name) {
        return base::formatSignificant(document.at("quality").at(name).get<double>(), 6);
    };
    const std::string cosine = digits("cosine");
    const std::string least = digits("at_least");
    const double now = millisecondsOf(document, "measured_ms");
    const double then = millisecondsOf(document, "expected_ms");
    if (check.verdict == ProgramVerdict::inside) {
        check.message = base::message<reasons::kRunsAsMeasured>(cosine, least, now, then);
    } else if (check.verdict == ProgramVerdict::outside) {
        check.message = base::message<reasons::kRunsFaster>(cosine, least, now, then);
    } else {
        const Json& notes = document.at("notes");
        check.message = base::message<reasons::kRunsAtUnknownSpeed>(
            cosine, least, now, then,
            notes.empty() ? base::message(reasons::kIntervalCrosses)
                          : base::foreignText(notes.back().get<std::string>()));
    }
    // The record is what a later check on this machine is compared with.
    Json record = document;
    record["schema"] = "apertune.check/1";
    record["when"] = base::utcNow();
    record["device"] = device.name;
    // Load hits the model and the drift reading differently, so their ratio under load is no reference.
    if (check.verdict == ProgramVerdict::cannotTell) {
        record["sentinel_ms"] = nullptr;
        record["to_sentinel"] = nullptr;
    }
    check.record = record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    return check;
}

/// Runs the program without measuring.
Result<ExportCheck> checkOutputs(ExportedProgram& program, const std::string& measuredOn, std::stop_token stop)
{
    program.argv.emplace_back("--check");
    const auto ran = runConfined(program.argv, program.profile, kCheckLimit, stop);
    if (!ran)
        return failed(ran.error());
    if (ran->exit.clean())
        return ExportCheck{true,
                           base::message<reasons::kRunsElsewhere>(std::string(base::trimmed(ran->out)), measuredOn)};
    // Exit code 1 is the program's own verdict on its outputs; other ends are failures to run.
    const bool otherOutputs = ran->exit.signal == 0 && ran->exit.code == 1;
    return Error{ErrorCode::modelThrew,
                 otherOutputs ? base::message<errors::kOtherOutputs>()
                              : base::message<errors::kProgramDoesNotRun>(describe(ran->exit)),
                 tailOf(ran->out + ran->err), base::message<errors::kNothingWritten>()};
}

} // namespace

fs::path programRoot(const std::string& backend, const worker::Installation& installation)
{
    return backend == kTorch
               ? installation.torchRoot
               : worker::enginePackage(installation, worker::backendManifest(installation.plugins, backend).package);
}

Result<ExportedProgram> exportedProgram(const ExportedFolder& folder, const worker::Installation& installation,
                                        const ExportPhase& phase, std::stop_token stop)
{
    std::error_code ignored;
    // A Python program comes first: it needs no compiler.
    if (fs::is_regular_file(folder.dir / "run.py", ignored))
        return pythonProgram(folder.dir / "run.py", folder.backend, installation);
    if (fs::is_regular_file(folder.dir / "main.cpp", ignored))
        return builtProgram(folder, installation, phase, stop);
    return fallbackProgram(folder, installation);
}

Result<Json> measureExported(const ExportedProgram& program, const Json& check, std::stop_token stop)
{
    std::vector<std::string> argv = program.argv;
    argv.insert(argv.end(), {"--verify", "--json"});
    // The program cannot see the load of the machine from inside, so this process watches it.
    probe::LoadWatch watch;
    const auto ran = runConfined(argv, program.profile, kCheckLimit, stop, &watch);
    if (!ran)
        return ran.error();
    auto document = model::parseJson(ran->out);
    // A document without a verdict was not written by the program itself.
    if (!document || !document->is_object() || !document->contains("verdict"))
        return Error{ErrorCode::modelThrew, base::message<errors::kProgramDoesNotRun>(describe(ran->exit)),
                     tailOf(ran->out + ran->err), base::message<errors::kRunByHand>()};
    if (const auto revised = reviseVerdict(*document, watch.load(), check); !revised)
        return revised.error();
    return document;
}

Result<ExportCheck> checkExported(const ExportedFolder& folder, const model::Device& device,
                                  const worker::Installation& installation, const ExportPhase& phase,
                                  std::stop_token stop)
{
    const auto here = probe::probeDevices();
    // The devices are asked first, because building for a missing GPU would take minutes.
    if (device.type.isNvidiaGpu() &&
        std::none_of(here.begin(), here.end(), [](const model::Device& d) { return d.type.isNvidiaGpu(); }))
        return ExportCheck{false, base::message<errors::kNoGpu>()};
    if (folder.backend != kTorch)
        if (const auto there = worker::backendLibraries(installation, folder.backend); !there)
            return ExportCheck{false, there.error().message};
    auto program = exportedProgram(folder, installation, phase, stop);
    if (!program)
        return failed(program.error());
    reportPhase(phase, base::message(reasons::kRunningProgramOnce));
    // The times of another device cannot be compared, so only the outputs are.
    if (const std::string other = otherDevice(here, device); !other.empty())
        return checkOutputs(*program, other, stop);
    // A slower result is measured a second time before it counts.
    for (int attempt = 0;; ++attempt) {
        const auto document = measureExported(*program, {}, stop);
        if (!document)
            return failed(document.error());
        if (verdictOf(*document) != ProgramVerdict::outside)
            return checkOf(*document, device);
        if (hasOtherOutputs(*document))
            return Error{ErrorCode::modelThrew, base::message<errors::kOtherOutputs>(), document->at("quality").dump(),
                         base::message<errors::kNothingWritten>()};
        const double now = millisecondsOf(*document, "measured_ms");
        const double then = millisecondsOf(*document, "expected_ms");
        // A faster result is no failure of the export.
        if (now < then)
            return checkOf(*document, device);
        if (attempt == 1)
            return Error{ErrorCode::modelThrew,
                         base::message<errors::kSlowerThanMeasured>(now, then),
                         {},
                         base::message<errors::kNothingWritten>()};
    }
}

} // namespace apertune::models
