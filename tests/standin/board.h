// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace apertune::standin {

/// What the processes on one machine share: how much memory each holds on each GPU, and how long each GPU worked.
///
/// It lies in the file settings().state, which may be deleted between two runs. Processes that died count for nothing.
/// Thread-safe.
class Board
{
public:
    struct Use
    {
        int process;
        std::uint64_t bytes;
    };

    /// The board of this machine.
    static Board& machine();

    /// Adds to what this process holds on a GPU; negative bytes give memory back.
    void hold(int gpu, std::int64_t bytes);
    /// The processes that hold memory of a GPU.
    std::vector<Use> users(int gpu);
    /// The sum over all users.
    std::uint64_t held(int gpu);

    /// Adds time for which a GPU works; `end` (CLOCK_MONOTONIC) is when it will be idle again.
    void work(int gpu, std::int64_t nanoseconds, std::int64_t end);
    std::int64_t workedNanoseconds(int gpu);
    bool working(int gpu, std::int64_t now);

private:
    Board();

    struct Shared;
    Shared* m_shared;
    std::size_t m_mine = 0; ///< the entry of this process
};

} // namespace apertune::standin
