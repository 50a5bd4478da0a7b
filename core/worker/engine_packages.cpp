// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/engine_packages.h"

#include "core/base/child_process.h"
#include "core/base/errors.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/json_members.h"
#include "core/base/run_child.h"
#include "core/base/text.h"
#include "core/worker/added_engines.h"
#include "core/worker/backend_manifest.h"
#include "core/worker/errors.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <set>

namespace apertune::worker {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

constexpr const char* kSchema = "apertune.engine/1";
constexpr std::size_t kTailLines = 12;
constexpr auto kPipStarts = base::fromSeconds(120);
constexpr auto kPipRuns = base::fromSeconds(6 * 3600);

base::Bytes sizeOf(const fs::path& folder)
{
    base::Bytes sum;
    std::error_code code;
    for (fs::recursive_directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        if (it->is_regular_file(ignored) && !it->is_symlink(ignored))
            sum.count += static_cast<std::int64_t>(it->file_size(ignored));
    }
    return sum;
}

/// The requirements of a backend: PLUGINS/NAME.requirements, one a line.
std::vector<std::string> requirementsOf(const fs::path& plugins, const std::string& backend)
{
    std::vector<std::string> found;
    if (const auto file = base::readFile(plugins / (backend + ".requirements")))
        for (const std::string& line : base::splitList(*file, '\n'))
            if (const std::string text(base::trimmed(line)); !text.empty())
                found.push_back(text);
    return found;
}

/// The name of a requirement as its .dist-info folder has it.
std::string distributionOf(const std::string& requirement)
{
    std::string name = base::lower(requirement.substr(0, requirement.find_first_of("=<>!~[; ")));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// The version of a distribution in a site-packages folder; empty when it is not there.
std::string versionIn(const fs::path& folder, const std::string& distribution)
{
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().filename().string();
        const std::size_t dash = name.find('-');
        if (it->path().extension() != ".dist-info" || dash == std::string::npos ||
            distributionOf(name.substr(0, dash)) != distribution)
            continue;
        return name.substr(dash + 1, name.size() - dash - 1 - std::string_view(".dist-info").size());
    }
    return {};
}

/// Names of backends: a backend has a library, or only a description when it was not built.
std::set<std::string> backendsIn(const fs::path& plugins)
{
    std::set<std::string> names;
    std::error_code code;
    for (fs::directory_iterator it(plugins, code), end; !code && it != end; it.increment(code))
        if (it->path().extension() == ".json" || it->path().extension() == ".requirements")
            names.insert(it->path().stem().string());
    return names;
}

/// How pip is started: as a module of the interpreter, or from the wheel of the installation.
base::Result<std::vector<std::string>> pipOf(const Installation& installation)
{
    if (installation.python.empty())
        return Error{
            ErrorCode::notFound, base::message<errors::kNoPythonForPip>(), {}, base::message<errors::kInstallPython>()};
    const std::vector<std::vector<std::string>> candidates{
        {installation.python.string(), "-m", "pip"},
        {installation.python.string(), (installation.exporter.parent_path() / "pip.whl" / "pip").string()}};
    for (const std::vector<std::string>& pip : candidates) {
        auto probe = pip;
        probe.emplace_back("--version");
        if (const auto said = base::runChild(probe, kPipStarts, {}); said && said->exit.clean())
            return pip;
    }
    return Error{ErrorCode::notFound,
                 base::message<errors::kNoPip>(installation.python.string()),
                 {},
                 base::message<errors::kInstallPip>()};
}

/// The last lines of what pip said.
std::string lastLines(const std::string& text)
{
    const auto lines = base::splitList(base::trimmed(text), '\n');
    const std::size_t first = lines.size() > kTailLines ? lines.size() - kTailLines : 0;
    return base::join({lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end()}, "\n");
}

/// Reads pip's report of an installation.
std::vector<AddedPackage> packagesIn(const fs::path& report)
{
    std::vector<AddedPackage> packages;
    const auto text = base::readFile(report);
    const Json json = text ? Json::parse(*text, nullptr, false) : Json();
    if (!json.is_object() || !json.contains("install") || !json["install"].is_array())
        return packages;
    for (const Json& entry : json["install"]) {
        const Json metadata = entry.value("metadata", Json::object());
        AddedPackage package{base::textMember(metadata, "name"), base::textMember(metadata, "version"), {}};
        if (const Json::json_pointer hash("/download_info/archive_info/hashes/sha256");
            entry.contains(hash) && entry[hash].is_string())
            package.sha256 = entry[hash].get<std::string>();
        packages.push_back(std::move(package));
    }
    std::sort(packages.begin(), packages.end(),
              [](const AddedPackage& a, const AddedPackage& b) { return a.name < b.name; });
    return packages;
}

std::string recordText(const EngineState& engine, const std::vector<AddedPackage>& packages)
{
    Json list = Json::array();
    for (const AddedPackage& package : packages)
        list.push_back({{"name", package.name}, {"version", package.version}, {"sha256", package.sha256}});
    return Json{{"schema", kSchema},
                {"backend", engine.backend},
                {"requirements", engine.requirements},
                {"packages", list}}
               .dump(2) +
           "\n";
}

Error cannotFill(const fs::path& folder, const std::error_code& code)
{
    return {ErrorCode::io,
            base::message<base::errors::kCannotCreate>(folder.string(), code.message()),
            {},
            base::message<base::errors::kCheckDiskAndPath>()};
}

} // namespace

std::vector<EngineState> engineStates(const Installation& installation)
{
    std::vector<EngineState> states;
    for (const std::string& backend : backendsIn(installation.plugins)) {
        EngineState state;
        state.backend = backend;
        state.title = backendManifest(installation.plugins, backend).title;
        state.requirements = requirementsOf(installation.plugins, backend);
        if (auto libraries = backendLibraries(installation, backend); !libraries)
            state.missing = libraries.error();
        for (const fs::path& folder : installation.engines) {
            if (!state.folder.empty() || state.requirements.empty())
                break;
            state.version = versionIn(folder, distributionOf(state.requirements.front()));
            if (!state.version.empty())
                state.folder = folder;
        }
        state.added = !state.folder.empty() && state.folder == addedEngineFolder(backend) / kSitePackages;
        if (state.added)
            state.size = sizeOf(addedEngineFolder(backend));
        // What is described without a vendor's package still needs the package of its requirements.
        if (!state.missing && state.folder.empty() && !state.requirements.empty())
            state.missing = Error{ErrorCode::notFound,
                                  base::message<errors::kNotInstalled>(state.title),
                                  {},
                                  base::message<errors::kAddEngine>(backend)};
        states.push_back(std::move(state));
    }
    return states;
}

bool canBeAdded(const EngineState& engine)
{
    return !engine.requirements.empty() && !(engine.missing && engine.missing->code == ErrorCode::unsupported);
}

base::Result<AddedEngine> addEngine(const Installation& installation, const EngineState& engine,
                                    const std::string& index, const AddObserver& observer, std::stop_token stop)
{
    auto pip = pipOf(installation);
    if (!pip)
        return pip.error();
    const fs::path folder = addedEngineFolder(engine.backend);
    const fs::path partial = addedEnginesFolder() / ("." + engine.backend + ".partial-" + std::to_string(::getpid()));
    std::error_code code;
    fs::create_directories(partial / "tmp", code);
    if (code)
        return cannotFill(partial, code);
    struct Remover
    {
        const fs::path& folder;
        ~Remover()
        {
            std::error_code ignored;
            fs::remove_all(folder, ignored);
        }
    } remover{partial};

    base::ChildCommand command{.argv = std::move(*pip)};
    for (const char* word : {"install", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check",
                             "--progress-bar", "off", "--no-warn-script-location", "--no-compile", "--upgrade"})
        command.argv.emplace_back(word);
    command.argv.insert(command.argv.end(), {"--target", (partial / kSitePackages).string(), "--report",
                                             (partial / "tmp" / "report.json").string()});
    if (!index.empty())
        command.argv.insert(command.argv.end(), {"--index-url", index});
    command.argv.insert(command.argv.end(), engine.requirements.begin(), engine.requirements.end());
    // The temporary folder of the system can be smaller than a wheel.
    command.environment["TMPDIR"] = (partial / "tmp").string();
    command.environment["PIP_USER"] = std::nullopt;
    command.environment["PIP_TARGET"] = std::nullopt;
    command.environment["PYTHONSAFEPATH"] = "1"; // A pip.py in the working folder must not be run.
    auto child = base::ChildProcess::start(command);
    if (!child)
        return child.error();
    const auto watch = [&](int) {
        if (observer)
            observer(sizeOf(partial));
    };
    const auto said = base::finishChild(std::move(*child), "pip", kPipRuns, std::move(stop), watch);
    if (!said)
        return said.error();
    if (!said->exit.clean())
        return Error{ErrorCode::io, base::message<errors::kPipFailed>(base::describe(said->exit)),
                     lastLines(said->out + said->err), base::message<errors::kCheckIndex>()};

    AddedEngine added{folder, {}, packagesIn(partial / "tmp" / "report.json")};
    fs::remove_all(partial / "tmp", code);
    if (auto written = base::writeFileAtomically(partial / kEngineRecord, recordText(engine, added.packages)); !written)
        return written.error();
    added.size = sizeOf(partial);
    fs::remove_all(folder, code);
    fs::rename(partial, folder, code);
    if (code)
        return cannotFill(folder, code);
    return added;
}

base::Result<base::Bytes> removeEngine(const std::string& backend)
{
    const fs::path folder = addedEngineFolder(backend);
    std::error_code code;
    if (!fs::exists(folder / kEngineRecord, code))
        return Error{
            ErrorCode::notFound, base::message<errors::kNotAdded>(backend), {}, base::message<errors::kListEngines>()};
    const base::Bytes size = sizeOf(folder);
    fs::remove_all(folder, code);
    if (code)
        return Error{ErrorCode::io,
                     base::message<errors::kCannotRemove>(folder.string(), code.message()),
                     {},
                     base::message<base::errors::kCheckPermissions>()};
    fs::remove(addedEnginesFolder(), code); // only when it is empty
    return size;
}

} // namespace apertune::worker
