// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/envelope.h"
#include "core/base/files.h"
#include "core/report/export_config.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace apertune::cli {
namespace {

using base::Json;

MachineLoad quiet()
{
    MachineLoad load;
    load.windows = 5;
    load.others = 0.01;
    return load;
}

MachineLoad busy()
{
    MachineLoad load;
    load.windows = load.contended = 5;
    load.others = 0.6;
    return load;
}

/// What the exported program says: 10 ms [9.8, 10.2] were expected.
Json measuring(const char* verdict, double median, double lo, double hi, double tolerance = 0.1, double cosine = 1)
{
    return {{"verdict", verdict},
            {"measured_ms", {{"median", median}, {"lo", lo}, {"hi", hi}}},
            {"expected_ms", {{"median", 10.0}, {"lo", 9.8}, {"hi", 10.2}}},
            {"tolerance", tolerance},
            {"quality", {{"cosine", cosine}, {"at_least", 0.99}, {"nan_count", 0}}}};
}

std::string judged(Json document, const MachineLoad& load)
{
    judgeEnvelope(document, load);
    return document["verdict"];
}

TEST(Envelope, ABusyMachineIsNotCalledASlowModel)
{
    EXPECT_EQ(judged(measuring("outside", 42.3, 40, 45), busy()), "cannot_tell");
    EXPECT_EQ(judged(measuring("outside", 42.3, 40, 45), quiet()), "outside") << "a regression";
    EXPECT_EQ(judged(measuring("inside", 10.5, 10.4, 10.6), quiet()), "inside");
    EXPECT_EQ(judged(measuring("inside", 10.5, 10.4, 10.6), busy()), "inside") << "load makes nothing faster";
    EXPECT_EQ(judged(measuring("outside", 5, 4.9, 5.1), busy()), "outside");
    Json document = measuring("outside", 42.3, 40, 45);
    judgeEnvelope(document, busy());
    EXPECT_NE(document["notes"][0].get<std::string>().find("other programs had 60 % of its processors"),
              std::string::npos)
        << document;
    EXPECT_EQ(document["load"]["contended"], 5);
}

TEST(Envelope, ANoisyTrialDoesNotLetTwiceTheTimePass)
{
    Json document = measuring("inside", 20, 19.5, 20.5, 1.06);
    judgeEnvelope(document, quiet());
    EXPECT_EQ(document["verdict"], "outside");
    EXPECT_EQ(document["tolerance"], report::kMostTolerance);
    // What the trial itself left open is no regression.
    document = measuring("inside", 13, 12.9, 13.1, 1.06);
    document["expected_ms"] = {{"median", 10.0}, {"lo", 6.5}, {"hi", 13.5}};
    EXPECT_EQ(judged(document, quiet()), "cannot_tell");
}

TEST(Envelope, OtherOutputsAreOutsideWhateverTheLoad)
{
    EXPECT_EQ(judged(measuring("outside", 20, 19.9, 20.1, 0.1, 0.5), busy()), "outside");
}

TEST(Envelope, KeepsWhatTheProgramItselfCannotTell)
{
    Json document = measuring("cannot_tell", 11.5, 11.3, 11.7);
    document["notes"] = {"from Python, where each call costs up to 0.1 ms on top"};
    judgeEnvelope(document, busy());
    EXPECT_EQ(document["verdict"], "cannot_tell");
    EXPECT_EQ(document["notes"].size(), 1u);
}

TEST(Envelope, OfATrialWithoutAnIntervalUsesItsMedian)
{
    Json document = measuring("inside", 20, 19.5, 20.5, 1.06);
    document["expected_ms"] = {{"median", 10.0}, {"lo", nullptr}, {"hi", nullptr}};
    EXPECT_EQ(judged(document, quiet()), "outside");
}

/// A /proc of two processors with the program 7, whose clock ticks as this machine's.
class Proc
{
public:
    Proc() : m_dir(base::TemporaryDir::create("apertune-proc").value()) {}
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
} // namespace apertune::cli
