// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/board.h"

#include "tests/standin/settings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

namespace apertune::standin {

namespace {

constexpr std::size_t kMostProcesses = 256;

bool alive(int process)
{
    // The sandbox of a worker forbids signals to other processes, even the one that asks whether they are there.
    return process != 0 && ::access(("/proc/" + std::to_string(process)).c_str(), F_OK) == 0;
}

} // namespace

/// A file of zeros is a board that nobody uses.
struct Board::Shared
{
    struct Process
    {
        std::atomic<int> id;
        std::array<std::atomic<std::uint64_t>, kMostGpus> held;
    };
    struct Gpu
    {
        std::atomic<std::int64_t> worked;
        std::atomic<std::int64_t> end;
    };
    std::array<Process, kMostProcesses> processes;
    std::array<Gpu, kMostGpus> gpus;
};

Board& Board::machine()
{
    static Board board;
    return board;
}

Board::Board()
{
    const int file = ::open(settings().state.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const bool usable = file >= 0 && ::ftruncate(file, sizeof(Shared)) == 0;
    // Without the file this process has a board of its own.
    void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                usable ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, usable ? file : -1, 0);
    if (file >= 0)
        ::close(file);
    m_shared = static_cast<Shared*>(memory);
    // Two libraries of this process share its entry.
    const int self = ::getpid();
    for (std::size_t i = 0; i < kMostProcesses; ++i)
        if (m_shared->processes[i].id == self) {
            m_mine = i;
            return;
        }
    for (std::size_t i = 0; i < kMostProcesses; ++i) {
        auto& entry = m_shared->processes[i];
        int owner = entry.id;
        if (alive(owner) || !entry.id.compare_exchange_strong(owner, self))
            continue;
        for (auto& held : entry.held)
            held = 0;
        m_mine = i;
        return;
    }
}

void Board::hold(int gpu, std::int64_t bytes)
{
    m_shared->processes[m_mine].held[static_cast<std::size_t>(gpu)] += static_cast<std::uint64_t>(bytes);
}

std::vector<Board::Use> Board::users(int gpu)
{
    std::vector<Use> found;
    for (const auto& process : m_shared->processes)
        if (const std::uint64_t bytes = process.held[static_cast<std::size_t>(gpu)]; bytes > 0 && alive(process.id))
            found.push_back({process.id, bytes});
    return found;
}

std::uint64_t Board::held(int gpu)
{
    std::uint64_t sum = 0;
    for (const Use& use : users(gpu))
        sum += use.bytes;
    return sum;
}

void Board::work(int gpu, std::int64_t nanoseconds, std::int64_t end)
{
    auto& entry = m_shared->gpus[static_cast<std::size_t>(gpu)];
    entry.worked += nanoseconds;
    entry.end = end;
}

std::int64_t Board::workedNanoseconds(int gpu)
{
    return m_shared->gpus[static_cast<std::size_t>(gpu)].worked;
}

bool Board::working(int gpu, std::int64_t now)
{
    return m_shared->gpus[static_cast<std::size_t>(gpu)].end > now;
}

} // namespace apertune::standin
