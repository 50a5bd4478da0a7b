// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace apertune::base {

/// Reads the energy counters of the processor packages: RAPL as Linux shows it below /sys/class/powercap, of Intel's
/// and of AMD's processors alike. A reading takes some microseconds a package. Not thread-safe.
///
/// Only the domains "package-N" count. What lies in them (cores, graphics, memory) would be counted twice, and so would
/// the whole platform ("psys") and the second way to the same counter ("intel-rapl-mmio").
class PackageEnergy
{
public:
    enum class Access {
        missing,   ///< the system shows no such counter, as most virtual machines and containers
        forbidden, ///< the counters are there, but this user may not read all of them
        readable
    };

    /// Opens the counters below `root`, the folder that holds sys.
    explicit PackageEnergy(const std::filesystem::path& root = "/");
    ~PackageEnergy();
    PackageEnergy(const PackageEnergy&) = delete;
    PackageEnergy& operator=(const PackageEnergy&) = delete;

    Access access() const { return m_access; }

    /// Returns the energy of all packages in microjoules since the first reading; nullopt without access, and once a
    /// counter failed. A counter that wraps around at its range (max_energy_range_uj) goes on.
    /// REQUIRES: no counter wraps twice between two readings, which takes minutes at the highest power.
    std::optional<std::int64_t> read();

private:
    struct Counter
    {
        int file = -1;
        std::int64_t range = 0; ///< value after which it begins at 0 again; 0: unknown
        std::optional<std::int64_t> last{};
    };
    std::vector<Counter> m_counters;
    Access m_access = Access::missing;
    std::int64_t m_sum = 0;
};

} // namespace apertune::base
