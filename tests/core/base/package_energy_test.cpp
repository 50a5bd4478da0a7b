// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/package_energy.h"
#include "core/base/temporary_dir.h"

#include <gtest/gtest.h>

#include <fstream>

namespace apertune::base {
namespace {

struct Packages : ::testing::Test
{
    void write(const std::string& file, const std::string& text) const
    {
        const auto path = dir.path() / "sys/class/powercap" / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    /// A domain of RAPL with its name and counter.
    void plant(const std::string& domain, const std::string& name, const std::string& energy,
               const std::string& range = "1000") const
    {
        write(domain + "/name", name);
        write(domain + "/energy_uj", energy);
        write(domain + "/max_energy_range_uj", range);
    }

    TemporaryDir dir = TemporaryDir::create("rapl").value();
};

TEST_F(Packages, AreSummedFromTheFirstReadingOn)
{
    plant("intel-rapl:0", "package-0", "100");
    plant("intel-rapl:1", "package-1", "900");
    PackageEnergy energy(dir.path());
    EXPECT_EQ(energy.access(), PackageEnergy::Access::readable);
    EXPECT_EQ(energy.read(), 0);
    plant("intel-rapl:0", "package-0", "130");
    plant("intel-rapl:1", "package-1", "905");
    EXPECT_EQ(energy.read(), 35);
}

TEST_F(Packages, GoOnWhereACounterWrapsAround)
{
    plant("intel-rapl:0", "package-0", "990");
    PackageEnergy energy(dir.path());
    EXPECT_EQ(energy.read(), 0);
    plant("intel-rapl:0", "package-0", "15");
    EXPECT_EQ(energy.read(), 25);
    plant("intel-rapl:0", "package-0", "20");
    EXPECT_EQ(energy.read(), 30);
}

TEST_F(Packages, LeaveOutWhatWouldCountTwice)
{
    plant("intel-rapl:0", "package-0", "100");
    plant("intel-rapl:0:0", "core", "100");
    plant("intel-rapl:0:1", "dram", "100");
    plant("intel-rapl:1", "psys", "100");
    plant("intel-rapl-mmio:0", "package-0", "100");
    PackageEnergy energy(dir.path());
    EXPECT_EQ(energy.read(), 0);
    for (const char* domain : {"intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1", "intel-rapl-mmio:0"})
        write(std::string(domain) + "/energy_uj", "700");
    write("intel-rapl:0/energy_uj", "107");
    EXPECT_EQ(energy.read(), 7);
}

TEST_F(Packages, AreMissingForbiddenOrReadable)
{
    EXPECT_EQ(PackageEnergy(dir.path()).access(), PackageEnergy::Access::missing);
    plant("intel-rapl:0", "package-0", "100");
    EXPECT_EQ(PackageEnergy(dir.path()).access(), PackageEnergy::Access::readable);
    write("intel-rapl:1/energy_uj/not_a_file", ""); // root reads any file, but no folder
    PackageEnergy energy(dir.path());
    EXPECT_EQ(energy.access(), PackageEnergy::Access::forbidden) << "one package of two is no figure of the machine";
    EXPECT_FALSE(energy.read());
}

TEST_F(Packages, EndWithACounterThatFallsWithoutARange)
{
    plant("intel-rapl:0", "package-0", "100", "0");
    PackageEnergy energy(dir.path());
    EXPECT_EQ(energy.read(), 0);
    write("intel-rapl:0/energy_uj", "50");
    EXPECT_FALSE(energy.read());
}

} // namespace
} // namespace apertune::base
