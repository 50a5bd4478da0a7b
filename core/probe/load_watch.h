// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace apertune::probe {

/// The use of the machine by other programs while one program measured. Shares are of all processors.
struct MachineLoad
{
    double others = 0; ///< share that other programs used
    double steal = 0;  ///< share of processor time that the hypervisor gave to other machines
    double waited = 0; ///< share of the time in which a thread of the program was ready to run but had no processor
                       ///< (the thread that waited longest)
    int windows = 0;   ///< number of windows of about a second; 0: the system has no such figures
    int contended = 0; ///< number of windows in which the load was high enough to slow the program down

    /// Returns whether others disturbed more than a fifth of the windows. Then they slowed the median of the program's
    /// blocks.
    bool isContended() const { return contended * 5 > windows; }
};

/// Watches a program and the machine from outside, with the kernel's accounting in /proc.
class LoadWatch
{
public:
    explicit LoadWatch(std::filesystem::path proc = "/proc") : m_proc(std::move(proc)) {}

    /// Takes a reading. Call it several times a second while the program runs. A window ends after a second.
    void sample(int pid, base::Nanoseconds now);
    /// Returns the load of the windows so far. Shares are means over them.
    MachineLoad load() const;

private:
    struct Reading
    {
        base::Nanoseconds at{};
        double busy = 0;                       ///< processor seconds in use, all processors together
        double steal = 0;                      ///< processor seconds, all processors together
        double own = 0;                        ///< processor seconds of the program
        std::map<std::string, double> waits{}; ///< seconds that each thread waited for a processor
        int processors = 0;
    };
    std::optional<Reading> read(int pid, base::Nanoseconds now) const;

    std::filesystem::path m_proc;
    std::optional<Reading> m_last{};
    MachineLoad m_sums{};
};

} // namespace apertune::probe
