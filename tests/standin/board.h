// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace apertune::standin {

/// The state that the processes of one machine share: the memory that each holds on each GPU, and the busy time of each
/// GPU.
///
/// It is stored in the file settings().state, which may be deleted between two runs. Processes that died are ignored.
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

    /// Adds to the memory that this process holds on a GPU; negative bytes release memory.
    void hold(int gpu, std::int64_t bytes);
    /// Returns the processes that hold memory of a GPU.
    std::vector<Use> users(int gpu);
    /// Returns the bytes that all processes hold on a GPU.
    std::uint64_t held(int gpu);

    /// Adds busy time of a GPU, which is idle again at `end` (CLOCK_MONOTONIC).
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
