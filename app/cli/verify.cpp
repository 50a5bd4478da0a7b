// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/child.h"
#include "app/cli/lookup.h"
#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/backend_manifest.h"
#include "core/engine/worker_process.h"
#include "core/model/json_codec.h"
#include "core/report/exporter.h"
#include "core/report/format.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Result;

namespace {

constexpr auto kBuildLimit = base::fromSeconds(600);
constexpr auto kRunLimit = base::fromSeconds(300);
constexpr std::size_t kLogTail = 2000;

const char* const kNeedsTorch = "Name a Python that has torch 2.11 in APERTUNE_PYTHON.";

/// How to measure a folder again, and what has to live as long.
struct Verifier
{
    std::vector<std::string> argv;
    std::optional<base::TemporaryDir> work{};
};

std::string tail(const std::string& text)
{
    return text.size() > kLogTail ? "…" + text.substr(text.size() - kLogTail) : text;
}

base::Status checkFolder(const fs::path& dir)
{
    const std::string hint = "Name a folder that `apertune export` wrote.";
    const auto text = base::readFile(dir / "apertune-config.json");
    if (!text)
        return Error{ErrorCode::notFound, dir.string() + " is not an exported folder.", "no apertune-config.json",
                     hint};
    const auto json = model::parseJson(*text);
    if (!json)
        return Error{ErrorCode::corrupt, "The configuration in " + dir.string() + " is damaged.", json.error().message,
                     "Export the trial again."};
    if (!json->is_object() || json->value("schema", "") != "apertune.config/1")
        return Error{ErrorCode::unsupported,
                     "The configuration in " + dir.string() + " has another schema.",
                     {},
                     "This version reads apertune.config/1; export the trial again."};
    return {};
}

/// What runs a folder that checkFolder() found usable.
std::string backendOf(const fs::path& dir)
{
    const auto text = base::readFile(dir / "apertune-config.json");
    const auto json = text ? model::parseJson(*text) : Result<Json>(text.error());
    if (!json || !json->contains("config") || !(*json)["config"].is_object())
        return "libtorch";
    const Json& config = (*json)["config"];
    return config.contains("backend") && config["backend"].is_string() ? config["backend"].get<std::string>()
                                                                       : "libtorch";
}

/// The program finds the packages of other engines, too; for LibTorch's they must not stand before its own.
Result<Verifier> pythonVerifier(const fs::path& program, const std::string& backend,
                                const engine::Installation& installation)
{
    if (installation.python.empty())
        return Error{
            ErrorCode::notFound, "There is no Python with torch to run " + program.string() + ".", {}, kNeedsTorch};
    Verifier verifier{{installation.python.string(), program.string(), "--verify", "--json"}};
    if (backend != "libtorch") {
        std::vector<std::string> folders;
        for (const fs::path& folder : installation.engines)
            folders.push_back(folder.string());
        verifier.argv.insert(verifier.argv.begin(), {"env", "PYTHONPATH=" + base::join(folders, ":")});
    }
    return verifier;
}

/// A json export has no program: the one of a Python export does it, beside a copy of the configuration.
Result<Verifier> lentVerifier(const fs::path& dir, const std::string& backend, const engine::Installation& installation)
{
    const std::string program = report::verifierProgram(backend);
    if (program.empty())
        return Error{ErrorCode::unsupported,
                     "There is no program that could verify the backend " + backend + ".",
                     {},
                     "Measure the trial again with `apertune verify TRIAL`."};
    auto work = base::TemporaryDir::create("apertune-verify");
    if (!work)
        return work.error();
    const auto config = base::readFile(dir / "apertune-config.json");
    if (!config)
        return config.error();
    for (const auto& [name, content] :
         {std::pair<const char*, std::string_view>{"apertune-config.json", *config}, {"run.py", program}})
        if (const auto written = base::writeFileAtomically(work->path() / name, content); !written)
            return written.error();
    auto verifier = pythonVerifier(work->path() / "run.py", backend, installation);
    if (verifier)
        verifier->work.emplace(std::move(*work));
    return verifier;
}

Result<Verifier> builtVerifier(const fs::path& dir, const std::string& backend,
                               const engine::Installation& installation, Session& session)
{
    const bool isTorch = backend == "libtorch";
    if (isTorch && installation.torchRoot.empty())
        return Error{ErrorCode::notFound, "There is no LibTorch to build the exported program with.", {}, kNeedsTorch};
    if (!isTorch)
        if (const auto there = engine::backendLibraries(installation, backend); !there)
            return there.error();
    const fs::path root =
        isTorch ? installation.torchRoot
                : engine::enginePackage(installation, engine::backendManifest(installation.plugins, backend).package);
    auto work = base::TemporaryDir::create("apertune-verify");
    if (!work)
        return work.error();
    session.terminal.status("Building " + dir.string() + " …");
    const std::string build = work->path().string();
    for (const std::vector<std::string>& step :
         {std::vector<std::string>{"cmake", "-S", dir.string(), "-B", build,
                                   "-D" + report::rootOption(backend).first + "=" + root.string()},
          std::vector<std::string>{"cmake", "--build", build}}) {
        const auto done = runChild(step, kBuildLimit, session.interrupt.token());
        if (!done)
            return done.error();
        if (!done->exit.clean())
            return Error{ErrorCode::compileFailed, "The exported program cannot be built.", tail(done->out + done->err),
                         "Build it by hand as its README.md says."};
    }
    Verifier verifier{{build + "/apertune_model", "--folder", dir.string(), "--verify", "--json"}};
    verifier.work.emplace(std::move(*work));
    return verifier;
}

Result<Verifier> findVerifier(const fs::path& dir, Session& session)
{
    const auto installation = engine::Installation::locate();
    const std::string backend = backendOf(dir);
    std::error_code ignored;
    if (fs::is_regular_file(dir / "run.py", ignored))
        return pythonVerifier(dir / "run.py", backend, installation);
    if (fs::is_regular_file(dir / "main.cpp", ignored))
        return builtVerifier(dir, backend, installation, session);
    return lentVerifier(dir, backend, installation);
}

/// Which side is left, and by how much.
std::string verdictSentence(const Json& document)
{
    const std::string verdict = document.at("verdict").get<std::string>();
    if (const Json notes = document.value("notes", Json::array()); verdict == "cannot_tell" && !notes.empty())
        return "cannot tell: " + notes.at(0).get<std::string>();
    if (verdict == "cannot_tell")
        return "cannot tell: the interval crosses the edge of the envelope";
    if (verdict != "outside")
        return verdict;
    const auto median = [&](const char* group) { return document.at(group).at("median").get<double>(); };
    const double ratio = median("measured_ms") / median("expected_ms");
    const double tolerance = document.at("tolerance").get<double>();
    const bool otherTime = !(ratio >= 1 - tolerance && ratio <= 1 + tolerance);
    const Json& quality = document.at("quality");
    const bool otherOutputs = quality.value("nan_count", 0) > 0 ||
                              !(quality.at("cosine").get<double>() >= quality.at("at_least").get<double>());
    std::vector<std::string> reasons;
    if (otherTime)
        reasons.push_back(report::formatSlowdown(ratio, "expected"));
    if (otherOutputs)
        reasons.emplace_back("other outputs than expected");
    return reasons.empty() ? verdict : verdict + ": " + base::join(reasons);
}

std::string verdictText(const Json& document)
{
    const auto number = [&](const char* group, const char* name) {
        return base::formatSignificant(document.at(group).at(name).get<double>());
    };
    const auto interval = [&](const char* group) {
        return number(group, "median") + " ms [" + number(group, "lo") + ", " + number(group, "hi") + "]";
    };
    return "latency   " + interval("measured_ms") + "\nexpected  " + interval("expected_ms") + ", tolerance " +
           base::formatSignificant(document.at("tolerance").get<double>() * 100, 2) + " %\noutputs   cosine " +
           base::formatSignificant(document.at("quality").at("cosine").get<double>(), 6) + " (at least " +
           base::formatSignificant(document.at("quality").at("at_least").get<double>(), 6) + ")\n" +
           verdictSentence(document);
}

int codeOf(const std::string& verdict)
{
    return verdict == "inside" ? kDone : verdict == "outside" ? kGateFailed : kCannotTell;
}

} // namespace

int run(const Verify& options, Session& session)
{
    Terminal& terminal = session.terminal;
    std::error_code ignored;
    if (!fs::exists(options.dir, ignored) && looksLikeTrial(options.dir.string()))
        return remeasure(options, session);
    const fs::path dir = fs::absolute(options.dir).lexically_normal();
    if (const auto usable = checkFolder(dir); !usable)
        return terminal.fail(usable.error());
    const auto verifier = findVerifier(dir, session);
    if (!verifier)
        return terminal.fail(verifier.error());
    terminal.status("Measuring " + dir.string() + " …");
    const auto ran = runChild(verifier->argv, kRunLimit, session.interrupt.token());
    if (!ran)
        return terminal.fail(ran.error());
    auto document = model::parseJson(ran->out);
    if (!document || !document->is_object() || !document->contains("verdict"))
        return terminal.fail({ErrorCode::modelThrew, "The exported program does not run (" + describe(ran->exit) + ").",
                              tail(ran->err), "Run it by hand as its README.md says."});
    (*document)["dir"] = dir.string();
    terminal.document(*document);
    try {
        terminal.text(verdictText(*document));
        return codeOf(document->at("verdict").get<std::string>());
    } catch (const Json::exception& e) {
        return terminal.fail({ErrorCode::corrupt, std::string("The exported program's answer is damaged: ") + e.what(),
                              dir.string(), "Export the trial again."});
    }
}

} // namespace apertune::cli
