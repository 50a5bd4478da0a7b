// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/worker_process.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/file_times.h"
#include "core/base/json_members.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/worker/errors.h"
#include "core/worker/protocol.h"
#include "core/worker/reasons.h"
#include "core/worker/worker_death.h"

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <deque>

namespace apertune::worker {

using base::Json;
using base::Nanoseconds;

namespace {

constexpr std::size_t kLogRing = 256u << 10; ///< bytes of stderr that are kept
constexpr std::size_t kLogTail = 8u << 10;   ///< bytes of stderr in the detail of a failure

/// Turns a stop request into a readable descriptor for poll().
class StopEvent
{
public:
    explicit StopEvent(const std::stop_token& stop)
        : m_fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), m_callback(stop, Raise{m_fd})
    {
    }
    StopEvent(const StopEvent&) = delete;
    StopEvent& operator=(const StopEvent&) = delete;
    // The descriptor is closed by m_closer, after the callback can no longer write to it.
    ~StopEvent() { m_closer.fd = m_fd; }
    int fd() const { return m_fd; }

private:
    struct Raise
    {
        int fd;
        void operator()() const { ::eventfd_write(fd, 1); }
    };
    struct Closer // Declared first, so that it closes the descriptor after the callback is gone.
    {
        int fd = -1;
        ~Closer()
        {
            if (fd >= 0)
                ::close(fd);
        }
    };
    Closer m_closer;
    int m_fd;
    std::stop_callback<Raise> m_callback;
};

/// Writes all bytes; returns false when the worker is gone. SIGPIPE is blocked meanwhile and taken out of the queue,
/// because it would end the whole program.
bool writeAll(int fd, std::string_view bytes)
{
    sigset_t pipe;
    sigset_t before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
    bool broken = false;
    while (!bytes.empty() && !broken) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n > 0)
            bytes.remove_prefix(static_cast<std::size_t>(n));
        else
            broken = errno != EINTR;
    }
    // A signal that was blocked before belongs to the caller.
    if (broken && errno == EPIPE && !sigismember(&before, SIGPIPE)) {
        const timespec now{0, 0};
        while (::sigtimedwait(&pipe, nullptr, &now) < 0 && errno == EINTR) {
        }
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return !broken;
}

/// Whether the folder is one that a compiled package made with mkdtemp since `launch`. A worker names the folders to
/// remove and may be wrong, so nothing else is ever removed.
bool isPackageFolder(const std::filesystem::path& folder, std::int64_t launch)
{
    const std::string name = folder.filename().string();
    // mkdtemp("/tmp/XXXXXX") makes such names.
    return folder.parent_path() == "/tmp" && name.size() == 6 &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c); }) &&
           base::isTemporaryDirSince(folder, launch);
}

} // namespace

struct WorkerProcess::Impl
{
    std::optional<base::TemporaryDir> scratch; ///< removed after the child has ended
    base::ChildProcess child;
    std::optional<std::vector<std::string>> sandbox;
    WorkerLimits limits;
    FrameReader reader;
    std::deque<Json> inbox;
    Json hello = Json::object();
    std::string log;
    std::size_t logBeforeCall = 0; ///< bytes of `log` that are older than the call in progress
    std::vector<std::filesystem::path> packageFolders;
    std::int64_t launched;      ///< base::fileClockNow() before the launch
    Nanoseconds lastActivity{}; ///< time of the last bytes from the worker
    std::int64_t oomKillsBefore = kernelOomKills();
    std::int64_t nextId = 1;
    bool logOpen = true;
    bool ended = false;         ///< the process was reaped
    base::Message unreadable{}; ///< error of the frame reader; empty while the stream is sound

    Impl(LaunchedWorker started, std::int64_t launch)
        : scratch(std::move(started.scratch)), child(std::move(started.process)), sandbox(std::move(started.sandbox)),
          launched(launch)
    {
    }

    void appendLog(std::string_view bytes)
    {
        log.append(bytes);
        if (log.size() <= kLogRing)
            return;
        const std::size_t cut = log.size() - kLogRing;
        log.erase(0, cut);
        // The position is kept within the part that is left.
        logBeforeCall -= std::min(cut, logBeforeCall);
    }

    /// Reads all available bytes; returns false at the end of the stream.
    template <typename Sink>
    static bool drain(int fd, Sink sink)
    {
        std::array<char, 65536> buffer;
        while (true) {
            const ssize_t n = ::read(fd, buffer.data(), buffer.size());
            if (n > 0)
                sink(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
            else if (n == 0 || errno != EINTR)
                // EAGAIN means that no more bytes are there for now; 0 is the end.
                return n < 0;
        }
    }

    void drainLog()
    {
        logOpen = logOpen && drain(child.stderrFd(), [this](std::string_view bytes) { appendLog(bytes); });
    }

    /// Waits for output of the worker or a stop request, at most `limit`, and takes the messages in. Returns false when
    /// stdout was closed or carries something other than frames.
    bool pump(Nanoseconds limit, int stopFd)
    {
        std::array<pollfd, 3> fds{pollfd{child.stdoutFd(), POLLIN, 0},
                                  pollfd{logOpen ? child.stderrFd() : -1, POLLIN, 0}, pollfd{stopFd, POLLIN, 0}};
        const auto ms = std::clamp<std::int64_t>(limit.count / 1'000'000 + 1, 0, 1000);
        ::poll(fds.data(), fds.size(), static_cast<int>(ms));
        drainLog();
        bool readable = true;
        const bool open = drain(child.stdoutFd(), [&](std::string_view bytes) {
            lastActivity = base::monotonicNow();
            const auto fed = reader.feed(bytes, [this](const Json& message) { receive(message); });
            // The first error explains; those that follow are its consequences.
            if (!fed && readable) {
                readable = false;
                unreadable = fed.error().message;
            }
        });
        return open && readable;
    }

    void receive(const Json& message)
    {
        if (const auto it = message.find("temp_dirs"); it != message.end() && it->is_array())
            for (const Json& folder : *it)
                if (folder.is_string())
                    packageFolders.emplace_back(folder.get<std::string>());
        // A heartbeat only shows that the worker lives, which the time of its bytes has noted.
        if (message.value("t", "") != "heartbeat")
            inbox.push_back(message);
    }

    std::string tail() const
    {
        if (log.size() <= kLogTail)
            return log;
        // The tail begins with a whole line.
        const std::size_t newline = log.find('\n', log.size() - kLogTail);
        return log.substr(newline == std::string::npos ? log.size() - kLogTail : newline + 1);
    }

    /// Ends the worker: quit, SIGTERM, SIGKILL. `graceful` false goes straight to SIGKILL.
    void end(bool graceful)
    {
        if (ended)
            return;
        if (graceful && !child.poll()) {
            // This cannot block, even if the worker is stopped or busy: one small frame fits into the pipe.
            writeAll(child.stdinFd(), encodeFrame({{"t", "quit"}}));
            child.closeStdin();
            if (!waitDraining(limits.soft)) {
                child.terminate();
                waitDraining(limits.term);
            }
        }
        if (!child.poll()) {
            child.kill();
            child.wait(base::fromSeconds(10));
        }
        finish();
    }

    /// Waits for the worker to end, and reads its pipes meanwhile: a worker with much output would block on a full one.
    bool waitDraining(Nanoseconds limit)
    {
        const Nanoseconds deadline = base::monotonicNow() + limit;
        while (!child.poll() && base::monotonicNow() < deadline) {
            drainLog();
            drain(child.stdoutFd(), [](std::string_view) {});
            ::usleep(1000);
        }
        return child.poll().has_value();
    }

    void finish()
    {
        drainLog();
        ended = true;
        std::error_code ignored;
        for (const auto& folder : packageFolders)
            if (isPackageFolder(folder, launched))
                std::filesystem::remove_all(folder, ignored);
        packageFolders.clear();
    }

    WorkerError endedFailure(model::Reason reason, bool cancelled = false)
    {
        if (reason.detail.empty())
            reason.detail = tail();
        return {std::move(reason), true, cancelled};
    }

    /// The failure of a worker whose output ended or is unreadable.
    WorkerError deathFailure()
    {
        if (!unreadable.empty()) {
            end(false);
            return endedFailure(
                model::Reason{model::ReasonKind::internal, base::message<reasons::kUnreadable>(unreadable)});
        }
        // Without the wait, the exit status would be unknown.
        const auto exit = child.wait(base::fromSeconds(1)); // The pipes close slightly before the process ends.
        if (!exit) {
            end(false);
            return endedFailure(model::Reason{model::ReasonKind::crash, base::message<reasons::kClosedOutput>()});
        }
        finish();
        // Output of earlier commands does not explain this death.
        const std::string_view recent = std::string_view(log).substr(logBeforeCall);
        return endedFailure(explainDeath(*exit, recent, kernelOomKills() - oomKillsBefore));
    }

    /// The failure in an answer of type "error" or "fatal".
    WorkerError reportedFailure(const Json& message)
    {
        const std::string text = message.value("message", "");
        base::Message reasonMessage = readMessage(message, "message");
        model::Reason reason =
            model::Reason{model::knownReasonKind(message.value("code", "internal")),
                          reasonMessage.empty() ? base::message<reasons::kNoReason>() : std::move(reasonMessage),
                          message.value("detail", "")};
        // The advice comes before the details.
        if (const std::string hint = message.value("hint", ""); !hint.empty())
            reason.detail = hint + (reason.detail.empty() ? "" : "\n" + reason.detail);
        // A compiled package loses the type of an out-of-memory error, so that only its message shows it.
        const bool typeLost =
            reason.kind == model::ReasonKind::internal || reason.kind == model::ReasonKind::modelThrew;
        if (typeLost && (mentionsOutOfMemory(std::string_view(log).substr(logBeforeCall)) ||
                         mentionsOutOfMemory(text + reason.detail)))
            reason.kind = model::ReasonKind::outOfMemory;
        return {std::move(reason), ended, false};
    }

    /// Runs what reads messages. A member of the wrong type means that the stream is nonsense, as a broken frame does.
    template <typename Work>
    auto guarded(Work work) -> std::invoke_result_t<Work>
    {
        try {
            return work();
        } catch (const Json::exception& e) {
            unreadable = base::message<errors::kMemberOfOtherType>(e.what());
            return deathFailure();
        }
    }

    /// Receives messages until `isAnswer` accepts one, and applies all limits. REQUIRES: called within guarded().
    WorkerReply<Json> await(Nanoseconds limit, const std::stop_token& stop,
                            const std::function<bool(const Json&)>& isAnswer,
                            const std::function<void(const Json&)>& progress, const WorkerProcess::PhaseLimits& phases)
    {
        const StopEvent stopEvent(stop);
        // A silent time before the command does not count.
        lastActivity = base::monotonicNow();
        Nanoseconds allowed = limit;
        Nanoseconds deadline = lastActivity + limit;
        std::string phase = "start";
        bool open = true;
        while (true) {
            while (!inbox.empty()) {
                const Json message = std::move(inbox.front());
                inbox.pop_front();
                if (isAnswer(message))
                    return message;
                if (message.value("t", "") != "progress")
                    continue;
                if (const std::string now = message.value("phase", ""); now != phase) {
                    phase = now;
                    if (const auto it = phases.find(phase); it != phases.end()) {
                        allowed = it->second;
                        // The limit of a phase begins with the phase.
                        deadline = base::monotonicNow() + allowed;
                    }
                }
                if (progress)
                    progress(message);
            }
            // Messages that came before the end are answered first.
            if (!open)
                return deathFailure();
            if (stop.stop_requested()) {
                end(true);
                return endedFailure(
                    model::Reason{model::ReasonKind::cancelled, base::message<base::errors::kCancelled>()}, true);
            }
            Nanoseconds now = base::monotonicNow();
            // The wait ends at the nearer of the two limits.
            const Nanoseconds next = std::min(deadline, lastActivity + limits.silence);
            open = pump(next > now ? next - now : Nanoseconds{}, stopEvent.fd());
            // Limits are checked only after reading. If this process was stopped for a while (Ctrl-Z, a sleeping
            // laptop), the heartbeats of that time are still in the pipe.
            now = base::monotonicNow();
            if (!open || !inbox.empty() || stop.stop_requested())
                continue;
            // A silent worker does not listen either, so it is killed at once.
            if (now - lastActivity > limits.silence) {
                end(false);
                return endedFailure(
                    model::Reason{model::ReasonKind::hang, base::message<reasons::kSilent>(limits.silence, phase)});
            }
            // A worker that works too long still answers to SIGTERM.
            if (now > deadline) {
                end(true);
                return endedFailure(
                    model::Reason{model::ReasonKind::timeout, base::message<reasons::kTooLong>(allowed, phase)});
            }
        }
    }
};

WorkerProcess::WorkerProcess(std::unique_ptr<Impl> impl) : m_impl(std::move(impl))
{
}

WorkerProcess::~WorkerProcess()
{
    m_impl->end(true);
}

WorkerReply<std::unique_ptr<WorkerProcess>> WorkerProcess::start(Launcher& launcher, const LaunchRequest& request,
                                                                 std::stop_token stop, const WorkerLimits& limits)
{
    const std::int64_t launched = base::fileClockNow();
    auto child = launcher.launch(request);
    if (!child)
        return WorkerError{
            model::Reason{model::ReasonKind::internal, child.error().message, sentences::sentence(child.error().hint)},
            true, false};
    auto impl = std::make_unique<Impl>(std::move(child).value(), launched);
    impl->limits = limits;
    const auto isAnswer = [](const Json& message) {
        const std::string type = message.value("t", "");
        return type == "hello" || type == "fatal";
    };
    auto status = impl->guarded([&]() -> WorkerStatus {
        auto reply = impl->await(limits.start, stop, isAnswer, {}, {});
        if (!reply)
            return reply.error();
        Json& hello = *reply;
        if (hello.value("t", "") == "fatal") {
            WorkerError failure = impl->reportedFailure(hello);
            // A library that is not there makes the backend unsupported, which is no error of the program.
            if (hello.value("code", "") == "not_found")
                failure.reason.kind = model::ReasonKind::unsupported;
            failure.workerGone = true;
            return failure;
        }
        // Both sides of the protocol must be of one version.
        if (const int version = hello.value("proto", 0); version != kProtocolVersion)
            return WorkerError{model::Reason{model::ReasonKind::internal,
                                             base::message<reasons::kProtocol>(version, kProtocolVersion)},
                               true, false};
        impl->hello = std::move(hello);
        return {};
    });
    if (!status)
        return status.error();
    return std::unique_ptr<WorkerProcess>(new WorkerProcess(std::move(impl)));
}

const Json& WorkerProcess::hello() const
{
    return m_impl->hello;
}

base::Message WorkerProcess::timerProblem() const
{
    const auto timers = m_impl->hello.find("timers");
    if (timers == m_impl->hello.end() || !timers->is_object())
        return {};
    return readMessage(*timers, "problem");
}

int WorkerProcess::pid() const
{
    return m_impl->child.pid();
}

const std::optional<std::vector<std::string>>& WorkerProcess::sandbox() const
{
    return m_impl->sandbox;
}

bool WorkerProcess::alive() const
{
    return !m_impl->ended && !m_impl->child.poll();
}

WorkerReply<Json> WorkerProcess::call(Json command, Nanoseconds limit, std::stop_token stop,
                                      const std::function<void(const Json&)>& progress, const PhaseLimits& phases)
{
    Impl& impl = *m_impl;
    if (impl.ended)
        return impl.endedFailure(model::Reason{model::ReasonKind::internal, base::message<reasons::kEnded>()});
    const std::int64_t id = impl.nextId++;
    command["id"] = id;
    impl.inbox.clear(); // Answers to an earlier call, which may have come late, belong to nobody.
    // If the worker dies, only output and out-of-memory kills since this command explain it.
    impl.logBeforeCall = impl.log.size();
    impl.oomKillsBefore = kernelOomKills();
    if (!writeAll(impl.child.stdinFd(), encodeFrame(command)))
        return impl.deathFailure();
    const auto isAnswer = [id](const Json& message) {
        return message.value("id", std::int64_t{0}) == id && message.value("t", "") != "progress";
    };
    return impl.guarded([&]() -> WorkerReply<Json> {
        auto reply = impl.await(limit, stop, isAnswer, progress, phases);
        if (reply && reply->value("t", "") == "error")
            return impl.reportedFailure(*reply);
        return reply;
    });
}

} // namespace apertune::worker
