// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/exporter_process.h"

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/contained_path.h"
#include "core/base/errors.h"
#include "core/base/json_members.h"
#include "core/base/machine_facts.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/model/variant.h"
#include "core/models/errors.h"
#include "core/models/model_sources.h"
#include "core/probe/cgroup.h"
#include "core/probe/compiler_check.h"
#include "core/probe/system_files.h"
#include "core/sandbox/sandbox.h"
#include "core/sentences/sentences.h"
#include "core/worker/sandbox_profiles.h"

#include <nlohmann/json.hpp>
#include <poll.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <functional>

namespace apertune::models {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

constexpr int kPollMilliseconds = 50;
constexpr std::size_t kTailLines = 40;
constexpr std::size_t kLongestLine = 1 << 20;

/// Cuts a stream into lines.
class LineReader
{
public:
    /// Reads all available bytes; returns false at the end of the stream.
    bool drain(int fd, const std::function<void(std::string_view)>& sink)
    {
        std::array<char, 16384> buffer;
        for (;;) {
            const ssize_t got = ::read(fd, buffer.data(), buffer.size());
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                return errno == EAGAIN;
            if (got == 0)
                return false;
            m_pending.append(buffer.data(), static_cast<std::size_t>(got));
            for (auto end = m_pending.find('\n'); end != std::string::npos; end = m_pending.find('\n')) {
                sink(std::string_view(m_pending).substr(0, end));
                m_pending.erase(0, end + 1);
            }
            // A line without an end must not fill the memory.
            if (m_pending.size() > kLongestLine)
                flush(sink);
        }
    }

    void flush(const std::function<void(std::string_view)>& sink)
    {
        if (!m_pending.empty())
            sink(m_pending);
        m_pending.clear();
    }

private:
    std::string m_pending;
};

int number(const Json& object, const char* member)
{
    const auto it = object.find(member);
    return it != object.end() && it->is_number_integer() ? it->get<int>() : 0;
}

ErrorCode codeOf(const std::string& word)
{
    static const std::map<std::string, ErrorCode> kCodes{
        {"truncated", ErrorCode::corrupt},       {"foreign_package", ErrorCode::unsupported},
        {"unsupported", ErrorCode::unsupported}, {"missing_module", ErrorCode::unsupported},
        {"toolchain", ErrorCode::unsupported},   {"compile_failed", ErrorCode::compileFailed},
        {"throws", ErrorCode::modelThrew},       {"io", ErrorCode::io},
    };
    const auto it = kCodes.find(word);
    return it == kCodes.end() ? ErrorCode::invalidArgument : it->second;
}

/// The messages of the child so far.
class ExporterMessages
{
public:
    explicit ExporterMessages(const ExporterObserver& observer) : m_observer(observer) {}

    void takeLine(std::string_view line)
    {
        // Libraries print to the same stream, so a line may be anything.
        const Json message = Json::parse(line, nullptr, false);
        const std::string type = message.is_object() ? base::textMember(message, "t") : std::string();
        if (type == "progress")
            report({base::textMember(message, "text"), number(message, "i"), number(message, "n"), false});
        else if (type == "log")
            takeLog(base::textMember(message, "text"));
        else if (type == "done")
            m_done = message;
        else if (type == "error")
            m_error = Error{codeOf(base::textMember(message, "code")),
                            base::foreignText(base::textMember(message, "message")),
                            {},
                            base::foreignText(base::textMember(message, "hint"))};
        else if (type != "cancelled")
            takeLog(line); // A library printed this line; it is not a message of the protocol.
    }

    void takeLog(std::string_view line)
    {
        m_tail.emplace_back(line);
        if (m_tail.size() > kTailLines)
            m_tail.pop_front();
        report({std::string(line), 0, 0, true});
    }

    std::string tail() const { return base::join({m_tail.begin(), m_tail.end()}, "\n"); }

    /// Returns the error that the child reported, or one derived from the way it ended.
    base::Result<Json> outcome(const base::ChildExit& exit) const
    {
        // A result counts even when the process ended badly after it.
        if (m_done)
            return *m_done;
        if (m_error)
            return *m_error;
        return Error{ErrorCode::crashed, base::message<errors::kExporterDied>(base::describe(exit)), tail(),
                     // The kernel kills with SIGKILL when memory runs out.
                     exit.signal == SIGKILL ? base::message<errors::kMemoryOrSmaller>()
                                            : base::message<errors::kLastWords>()};
    }

private:
    void report(const ExporterProgress& progress) const
    {
        if (m_observer)
            m_observer(progress);
    }

    const ExporterObserver& m_observer;
    std::deque<std::string> m_tail;
    std::optional<Json> m_done;
    std::optional<Error> m_error;
};

enum class Ending { none, cancelled, timeout, memory };

constexpr base::Nanoseconds kMemoryInterval = base::fromMilliseconds(200);

/// Returns the private memory of a process, in RAM and in swap. Pages of files are not counted: the kernel can drop
/// them.
std::int64_t privateBytes(int pid)
{
    std::int64_t kibibytes = 0;
    const std::string status = probe::readText("/proc/" + std::to_string(pid) + "/status");
    for (const std::string_view line : probe::linesOf(status))
        for (const std::string_view field : {"RssAnon:", "RssShmem:", "VmSwap:"})
            if (line.starts_with(field))
                kibibytes += probe::parseInteger(base::trimmed(line.substr(field.size()))).value_or(0);
    // The file has KiB.
    return kibibytes << 10;
}

/// Returns the private memory of a process and all its descendants.
base::Bytes memoryOfTree(int root)
{
    base::Bytes sum;
    std::vector<int> waiting{root};
    while (!waiting.empty()) {
        const int pid = waiting.back();
        waiting.pop_back();
        sum.count += privateBytes(pid);
        std::error_code code;
        for (std::filesystem::directory_iterator it("/proc/" + std::to_string(pid) + "/task", code), end;
             // Each thread has children of its own in /proc.
             !code && it != end; it.increment(code))
            for (const std::string& child : base::splitList(probe::readText(it->path() / "children"), ' '))
                if (const auto number = probe::parseInteger(child))
                    waiting.push_back(static_cast<int>(*number));
    }
    return sum;
}

/// The folder for AOTInductor's kernels: the user's, or the run's.
std::filesystem::path kernelsOf(const ExporterRun& run)
{
    const char* const chosen = std::getenv("TORCHINDUCTOR_CACHE_DIR");
    return chosen && *chosen ? std::filesystem::path(chosen) : run.kernels;
}

/// The files that an argument names.
void addNamed(sandbox::Profile& profile, const std::string& argument)
{
    constexpr std::string_view kPython = "python:";
    namespace fs = std::filesystem;
    std::error_code code;
    if (const auto variant = model::variantSource(argument))
        return addNamed(profile, variant->base);
    if (argument.starts_with(kPython)) {
        const std::string source = argument.substr(kPython.size());
        // The text after the last colon is the name in the file, and a path may have colons too.
        profile.projects.push_back(projectOf(source.substr(0, source.rfind(':'))));
    } else if (const fs::path folder = folderNamedBy(argument); !folder.empty()) {
        profile.read.push_back(folder);
        // A folder of the hub's cache has links to files elsewhere.
        for (const fs::path& file : filesOf({argument, {}, {}, folder}))
            if (const fs::path target = fs::canonical(file, code); !code && !base::isWithin(folder, target))
                profile.read.push_back(target);
    } else if (const fs::path path = fs::absolute(argument, code); !argument.empty() && fs::exists(path, code)) {
        // ONNX and OpenVINO IR have weights in files beside them.
        const bool hasOthers = path.extension() == ".onnx" || path.extension() == ".xml";
        profile.read.push_back(hasOthers ? path.parent_path() : path);
    }
}

sandbox::Profile profileOf(const worker::Installation& installation, const ExporterRun& run,
                           const std::filesystem::path& temporary)
{
    // The exporter gets what every Python program gets, and the files that its arguments name.
    sandbox::Profile profile = worker::pythonProfile(installation);
    for (const std::string& argument : run.arguments)
        addNamed(profile, argument);
    profile.write.insert(profile.write.end(), run.writes.begin(), run.writes.end());
    profile.write.push_back(temporary);
    if (const std::filesystem::path kernels = kernelsOf(run); !kernels.empty())
        profile.write.push_back(kernels);
    if (run.unpacks)
        profile.write.emplace_back(worker::kUnpackingFolder);
    profile.gpu = run.gpu;
    if (run.gpu) // Drivers of GPUs reserve addresses far beyond the memory.
        profile.memory = {};
    return profile;
}

base::ChildCommand commandOf(const worker::Installation& installation, const ExporterRun& run,
                             const std::filesystem::path& temporary)
{
    base::ChildCommand command;
    command.argv = {installation.python.string(), "-m", "apertune_exporter"};
    command.argv.insert(command.argv.end(), run.arguments.begin(), run.arguments.end());
    command.environment = run.environment;
    command.environment["PYTHONPATH"] = installation.exporter.string();
    std::vector<std::string> engines;
    for (const std::filesystem::path& folder : installation.engines)
        engines.push_back(folder.string());
    // The exporter finds the packages of other engines by this variable.
    command.environment["APERTUNE_ENGINES"] = base::join(engines, ":");
    const std::filesystem::path kernels = kernelsOf(run);
    command.environment["TORCHINDUCTOR_CACHE_DIR"] = kernels.empty() ? temporary / "kernels" : kernels;
    command.environment["TRITON_CACHE_DIR"] = (kernels.empty() ? temporary : kernels) / "triton";
    command.environment["TMPDIR"] = temporary.string();
    command.environment["CCACHE_DISABLE"] = "1"; // Its folder cannot be written.
    command.environment["PYTHONUNBUFFERED"] = "1";
    command.environment["PYTHONDONTWRITEBYTECODE"] = "1"; // The installation may be read-only.
    command.environment["PYTHONSAFEPATH"] = "1";          // A torch.py in the working folder must not be imported.
    return command;
}

} // namespace

namespace {

/// Adds to the error of a file that cannot be opened how the sandbox lets it be.
Error explained(Error error)
{
    // A refusal of the sandbox is known by its text only.
    const std::string said = sentences::sentence(error.message) + error.context;
    const bool isOff = sandbox::settings().off.contains(sandbox::Layer::files);
    if (!isOff && said.find("Permission denied") != std::string::npos)
        error.hint = base::sentencesOf({error.hint, base::message<errors::kFilesOfSandbox>()});
    return error;
}

} // namespace

base::Result<Json> runExporter(const worker::Installation& installation, const ExporterRun& run,
                               const ExporterObserver& observer, std::stop_token stop)
{
    if (auto ready = probe::canExportHere(installation); !ready)
        return ready.error();
    const auto scratch = base::TemporaryDir::create("scratch");
    if (!scratch)
        return scratch.error();
    std::error_code ignored; // Landlock has no rule for a folder that is yet to be made.
    if (const std::filesystem::path kernels = kernelsOf(run); !kernels.empty())
        std::filesystem::create_directories(kernels, ignored);
    auto started =
        sandbox::start(commandOf(installation, run, scratch->path()), profileOf(installation, run, scratch->path()));
    if (!started)
        return started.error();
    base::ChildProcess& child = started->process;
    // The exporter reads no input; with an open one, a library could wait for a user.
    child.closeStdin();

    ExporterMessages messages(observer);
    const auto takeLine = [&](std::string_view line) { messages.takeLine(line); };
    const auto takeLog = [&](std::string_view line) { messages.takeLog(line); };
    LineReader out;
    LineReader err;
    Ending ending = Ending::none;
    const base::Nanoseconds begin = base::monotonicNow();
    base::Nanoseconds killAt{};
    const base::Bytes allowed = run.memory.count > 0 ? run.memory : defaultMemoryLimit();
    base::Bytes used;
    base::Nanoseconds lastCheck = begin;
    std::array<pollfd, 2> streams{pollfd{child.stdoutFd(), POLLIN, 0}, pollfd{child.stderrFd(), POLLIN, 0}};
    std::optional<base::ChildExit> exit;
    while (!exit) {
        ::poll(streams.data(), streams.size(), kPollMilliseconds);
        // The state is polled before the pipes are read, so that the last output of a child is not missed.
        exit = child.poll();
        if (streams[0].fd >= 0 && !out.drain(streams[0].fd, takeLine))
            // −1 makes poll() skip the stream.
            streams[0].fd = -1;
        if (streams[1].fd >= 0 && !err.drain(streams[1].fd, takeLog))
            streams[1].fd = -1;

        const base::Nanoseconds now = base::monotonicNow();
        if (ending == Ending::none && !exit) {
            if (stop.stop_requested())
                ending = Ending::cancelled;
            else if (run.limit.count > 0 && now - begin > run.limit)
                ending = Ending::timeout;
            if (now - lastCheck > kMemoryInterval) {
                // The tree is walked five times a second, because each walk reads many files.
                lastCheck = now;
                used = memoryOfTree(child.pid());
            }
            if (used.count > allowed.count) { // SIGKILL without grace: memory may run out within a second.
                ending = Ending::memory;
                child.kill();
            } else if (ending != Ending::none) {
                child.terminate();
                killAt = now + run.grace;
            }
        } else if (!exit && now > killAt) {
            // The process had its grace.
            child.kill();
        }
    }
    out.flush(takeLine);
    err.flush(takeLog);

    if (ending == Ending::cancelled)
        return Error{ErrorCode::cancelled, base::message<base::errors::kCancelled>()};
    if (ending == Ending::timeout)
        return Error{ErrorCode::timeout, base::message<errors::kExporterTooLong>(run.limit), messages.tail(),
                     base::message<errors::kSmallerOrLonger>()};
    if (ending == Ending::memory)
        return Error{ErrorCode::outOfMemory, base::message<errors::kExporterTooLarge>(used, allowed), messages.tail(),
                     base::message<errors::kSmallerOrMoreMemory>()};
    auto outcome = messages.outcome(*exit);
    if (!outcome)
        return explained(outcome.error());
    return outcome;
}

std::filesystem::path projectOf(const std::filesystem::path& file)
{
    namespace fs = std::filesystem;
    std::error_code code;
    const fs::path named = base::homeFolder();
    const fs::path home = named.empty() ? named : fs::canonical(named, code);
    // Links are resolved, or a project could be left through one.
    const fs::path own = fs::weakly_canonical(fs::absolute(file, code), code).parent_path();
    if (home.empty() || !base::isWithin(home, own))
        return own;
    // Only folders below the home count: a mark in the home itself would open all of it.
    for (fs::path folder = own; folder != home; folder = folder.parent_path())
        for (const char* mark : {".git", "pyproject.toml", "setup.py"})
            if (fs::exists(folder / mark, code))
                return folder;
    return own;
}

base::Bytes defaultMemoryLimit()
{
    constexpr double kShare = 0.9;
    // A container's limit may be below the memory of the machine.
    std::int64_t all = base::machineMemory().physical.count;
    if (const auto group = probe::readCgroupLimits("/").memory; group && group->count < all)
        all = group->count;
    return {static_cast<std::int64_t>(kShare * static_cast<double>(all))};
}

} // namespace apertune::models
