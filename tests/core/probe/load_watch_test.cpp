// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/probe/load_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace apertune::probe {
namespace {

/// A /proc of two processors with the program 7, whose clock ticks as this machine's.
class Proc
{
public:
    Proc() : m_dir(base::TemporaryDir::create("proc").value()) {}
    const std::filesystem::path& path() const { return m_dir.path(); }

    /// Seconds since the start: of all processors, of the program, and how long its thread waited.
    void write(double busy, double steal, double own, double waited) const
    {
        const auto ticks = [](double seconds) {
            return std::to_string(static_cast<long>(seconds * static_cast<double>(::sysconf(_SC_CLK_TCK))));
        };
        put("stat",
            "cpu  " + ticks(busy) + " 0 0 1000 0 0 0 " + ticks(steal) + " 0 0\ncpu0 1 0 0\ncpu1 1 0 0\nintr 1\n");
        put("7/stat", "7 (a program) x) S 1 7 7 0 -1 0 0 0 0 0 " + ticks(own) + " 0 0 0 20 0\n");
        put("7/task/7/schedstat", std::to_string(static_cast<long>(own * 1e9)) + " " +
                                      std::to_string(static_cast<long>(waited * 1e9)) + " 3\n");
    }

private:
    void put(const char* name, const std::string& text) const
    {
        ASSERT_TRUE(base::writeFileAtomically(path() / name, text));
    }
    base::TemporaryDir m_dir;
};

/// Three windows of a second in which the machine, the program and its wait go on by so much each.
MachineLoad watched(double busy, double steal, double own, double waited)
{
    const Proc proc;
    LoadWatch watch(proc.path());
    for (int second = 0; second <= 3; ++second) {
        proc.write(100 + busy * second, steal * second, own * second, waited * second);
        watch.sample(7, base::fromSeconds(second));
        watch.sample(7, base::fromSeconds(second + 0.1)); // a window lasts a second
    }
    return watch.load();
}

TEST(LoadWatch, TellsTheProgramsOwnWorkFromThatOfOthers)
{
    const MachineLoad alone = watched(2, 0, 2, 0.001);
    EXPECT_EQ(alone.windows, 3);
    EXPECT_NEAR(alone.others, 0, 0.02);
    EXPECT_FALSE(alone.isContended()) << "both processors are busy with the program itself";
    const MachineLoad shared = watched(2, 0, 0.8, 0.4);
    EXPECT_NEAR(shared.others, 0.6, 0.02);
    EXPECT_TRUE(shared.isContended());
    EXPECT_TRUE(watched(1.8, 0, 1.7, 0.1).isContended()) << "little of the machine, but in the program's way";
    EXPECT_FALSE(watched(1.8, 0, 1.7, 0.01).isContended());
    EXPECT_FALSE(watched(2, 0, 2, 0.5).isContended()) << "its own threads are in each other's way";
    EXPECT_TRUE(watched(1, 0.1, 1, 0).isContended()) << "the hypervisor had work of others";
}

TEST(LoadWatch, SaysNothingOfAProgramThatIsGone)
{
    const Proc proc;
    LoadWatch watch(proc.path());
    watch.sample(8, base::fromSeconds(0));
    watch.sample(8, base::fromSeconds(2));
    EXPECT_EQ(watch.load().windows, 0);
    EXPECT_FALSE(watch.load().isContended());
}

} // namespace
} // namespace apertune::probe
