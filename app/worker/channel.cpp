// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/channel.h"

#include "app/worker/process_memory.h"
#include "core/worker/protocol.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace apertune::worker {

using base::Json;

void endProcess(int code)
{
    std::fflush(nullptr);
    std::_Exit(code);
}

Channel::Channel()
{
    // A high number, because libraries may print to fixed low descriptors; close-on-exec, so that no child inherits it.
    m_out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    if (m_out < 0)
        endProcess(3);
    std::thread([this] { readLoop(); }).detach();
    std::thread([this] { heartbeatLoop(); }).detach();
}

void Channel::send(const Json& message)
{
    const std::string frame = worker::encodeFrame(message);
    // Progress is sent from other threads, and frames must not mix.
    const base::Lock lock(m_sendMutex);
    std::size_t sent = 0;
    while (sent < frame.size()) {
        const ssize_t n = ::write(m_out, frame.data() + sent, frame.size() - sent);
        if (n > 0)
            sent += static_cast<std::size_t>(n);
        else if (n < 0 && errno != EINTR)
            endProcess(4); // the supervisor has gone
    }
}

Json Channel::next()
{
    base::Lock lock(m_queueMutex);
    m_arrived.wait(lock, [this]() APERTUNE_REQUIRES(m_queueMutex) { return !m_queue.empty(); });
    Json message = std::move(m_queue.front());
    m_queue.pop_front();
    return message;
}

void Channel::readLoop()
{
    worker::FrameReader reader;
    char buffer[16384];
    while (true) {
        const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        bool readable = n > 0;
        if (readable)
            readable = reader
                           .feed(std::string_view(buffer, static_cast<std::size_t>(n)),
                                 [this](const Json& message) {
                                     const base::Lock lock(m_queueMutex);
                                     // A pass looks at this flag, so that a worker that is asked to quit need not
                                     // finish its block.
                                     if (message.value("t", "") == "quit")
                                         m_quit = true;
                                     m_queue.push_back(message);
                                     m_arrived.notify_one();
                                 })
                           .ok();
        if (!readable) {
            // The supervisor has gone, or sent something that is no frame. A pass may run for minutes, so the process
            // ends here.
            std::error_code ignored;
            for (const std::string& folder : loadedTemporaryFolders())
                std::filesystem::remove_all(folder, ignored);
            std::_Exit(n == 0 ? 0 : 5);
        }
    }
}

void Channel::heartbeatLoop()
{
    while (true) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        send({{"t", "heartbeat"}, {"phase", m_phase.load()}});
    }
}

} // namespace apertune::worker
