// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace apertune::cli {

/// How much of the machine other programs had while one program measured. Shares are of all processors.
struct MachineLoad
{
    double others = 0; ///< what other programs used
    double steal = 0;  ///< share of processor time that the hypervisor gave to other machines
    double waited = 0; ///< of the time, for which a thread of the program was ready to run and had no processor (the
                       ///< one that waited longest)
    int windows = 0;   ///< that were watched, of about a second each; 0: the system does not tell
    int contended = 0; ///< of these, in which this was enough to slow the program

    /// The median of the program's blocks was slowed by others: they disturbed more than a fifth of the windows.
    bool isContended() const { return contended * 5 > windows; }
};

/// Watches a program and the machine from outside, by what the kernel accounts in /proc.
class LoadWatch
{
public:
    explicit LoadWatch(std::filesystem::path proc = "/proc") : m_proc(std::move(proc)) {}

    /// To be called several times a second while the program runs. A window ends after a second.
    void sample(int pid, base::Nanoseconds now);
    /// Of the windows so far; shares are means over them.
    MachineLoad load() const;

private:
    struct Reading
    {
        base::Nanoseconds at{};
        double busy = 0;                       ///< seconds of all processors
        double steal = 0;                      ///< likewise
        double own = 0;                        ///< processor seconds of the program
        std::map<std::string, double> waits{}; ///< seconds that each thread waited
        int processors = 0;
    };
    std::optional<Reading> read(int pid, base::Nanoseconds now) const;

    std::filesystem::path m_proc;
    std::optional<Reading> m_last{};
    MachineLoad m_sums{};
};

} // namespace apertune::cli
