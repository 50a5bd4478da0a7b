// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device_use.h"
#include "small_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::analysis {
namespace {

using ::testing::ElementsAre;
using testing::SmallTrace;

/// Two kernels; the second is launched at 10,000 µs, long after the first.
class Waiting : public SmallTrace
{
public:
    Waiting()
    {
        call("cudaLaunchKernel", 20, 25, 1);
        kernel("a", 30, 50, 1);
        call("cudaLaunchKernel", 10'000, 10'005, 2);
        kernel("b", 10'010, 10'050, 2);
    }
    void function(const std::string& name, std::int64_t from, std::int64_t to)
    {
        b.add(host, trace::EventKind::scriptCall, event(name, from, to));
    }
    void range(const std::string& name, std::int64_t from, std::int64_t to)
    {
        b.add(host, trace::EventKind::range, event(name, from, to));
    }
    DeviceUse use()
    {
        m_trace = finish();
        const TraceIndex index(m_trace);
        return deviceUse(index, OperatorForest(index), 0, {30'000, 10'050'000});
    }
    /// "name 12 ms" or "name < caller 12 ms", longest first.
    std::vector<std::string> activities()
    {
        std::vector<std::string> texts;
        for (const HostBusy& busy : use().hostBusy)
            texts.push_back(m_trace.strings[busy.name] +
                            (busy.caller != 0 ? " < " + m_trace.strings[busy.caller] : std::string()) + " " +
                            std::to_string(busy.time / 1000));
        return texts;
    }

private:
    trace::Trace m_trace;
};

TEST(HostActivity, ABuiltinFunctionIsNotNamedButWhatItCalls)
{
    Waiting t;
    t.function("train.py(30): train", 0, 20'000);
    t.function("<built-in function next>", 100, 9000);
    t.function("torch/utils/data/dataloader.py(703): __next__", 110, 8990);
    t.range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 200, 8980);
    t.function("torch/utils/data/_utils/fetch.py(25): fetch", 220, 8970);
    EXPECT_THAT(t.activities(),
                ElementsAre("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__ 8880",
                            "train.py(30): train 1050", "<built-in function next> < train.py(30): train 20"));
}

TEST(HostActivity, ABuiltinFunctionThatCallsNothingIsNamedWithItsCaller)
{
    Waiting t;
    t.function("train.py(30): train", 0, 20'000);
    t.function("<built-in function sleep>", 60, 9990);
    EXPECT_THAT(t.activities(),
                ElementsAre("<built-in function sleep> < train.py(30): train 9930", "train.py(30): train 20"));
}

TEST(HostActivity, AFunctionThatHoldsEarlierWorkHasOnlyWhatNoOtherHas)
{
    Waiting t;
    t.function("train.py(30): train", 0, 20'000);
    t.function("train.py(50): step", 0, 9500); // it holds the first launch
    t.function("train.py(70): log", 2000, 9000);
    t.range("ProfilerStep#3", 0, 9700);
    EXPECT_THAT(t.activities(),
                ElementsAre("train.py(70): log 7000", "train.py(50): step 2450", "train.py(30): train 500"));
}

TEST(HostActivity, LaunchingFromCompiledCodeIsNoOtherActivity)
{
    Waiting t;
    t.op("Torch-Compiled Region: 0/0", 1000, 12'000);
    t.range("## Call CompiledFxGraph fp5r5pk7bndvtfxhv ##", 1200, 11'000);
    const DeviceUse use = t.use();
    EXPECT_EQ(use.inCompiledCode, 9'000'000);
    EXPECT_EQ(use.idleBy[static_cast<std::size_t>(IdleCause::launchGap)], 9'010'000); // 9,000 µs and 10 µs of the call
    EXPECT_EQ(use.idleBy[static_cast<std::size_t>(IdleCause::hostWait)], 950'000);
}

} // namespace
} // namespace apertune::analysis
