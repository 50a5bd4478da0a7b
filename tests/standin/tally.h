// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace apertune::standin {

/// Counts the operations of this process, for tests that compare them with the output of a program.
///
/// It is the file settings().tally + "/" + process id: a 64-bit number, little-endian, for each Count in their order.
/// The file is always current, so it also covers processes that were killed. Without a folder nothing is written.
class Tally
{
public:
    enum Count : std::size_t {
        launches,      ///< kernels that ran, nodes of graphs among them
        graphLaunches, ///< graphs that ran
        allocations,   ///< calls that allocate device memory
        peakBytes,     ///< the most device memory at a time, contexts included, over all GPUs
        kernelRecords, ///< records that CUPTI delivered, by kind
        copyRecords,
        fillRecords,
        callRecords,
        otherRecords,
        droppedRecords,
        buffers, ///< number of buffers with records
        kCounts,
    };

    static Tally& process();

    void add(Count which, std::uint64_t number = 1) { m_counts[which] += number; }
    void raise(Count which, std::uint64_t number)
    {
        if (number > m_counts[which])
            m_counts[which] = number;
    }

private:
    Tally();

    std::atomic<std::uint64_t>* m_counts;
};

} // namespace apertune::standin
