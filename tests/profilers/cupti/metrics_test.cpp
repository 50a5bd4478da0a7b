// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/sentences/sentences.h"
#include "profilers/cupti/cupti_api.h"
#include "profilers/cupti/cupti_library.h"
#include "profilers/cupti/kernel_counter_session.h"
#include "profilers/cupti/metric_set.h"
#include "profilers/cupti/metrics_profiler.h"
#include "profilers/cupti/sample_session.h"
#include "tests/profilers/cupti/fake_metrics.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <limits>

namespace apertune::profilers {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using trace::EventKind;

constexpr const char* kActive = "sm__cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kRead = "dram__bytes_read.sum";
constexpr const char* kDuration = "gpu__time_duration.sum";

struct Metrics : ::testing::Test
{
    testing::FakeMetrics fake;
    MetricsApi api = fake.api();
    trace::TraceBuilder builder;
    trace::Trace trace;
    std::int64_t begin = base::monotonicNow().count;

    Metrics()
    {
        builder.head().originMonotonic = begin;
        fake.clock = static_cast<std::uint64_t>(begin) + 5'000'000'000; // a clock 5 s ahead of ours
    }

    /// A sample `microseconds` after the beginning, on CUPTI's clock.
    testing::FakeMetrics::Sample sampleAt(std::uint64_t microseconds, const testing::FakeMetrics::Values& values) const
    {
        return {fake.clock + microseconds * 1000, fake.clock + (microseconds + 100) * 1000, values};
    }

    const trace::Trace& stopped(base::Result<std::unique_ptr<trace::ProfilerSession>> session)
    {
        EXPECT_TRUE(session.ok()) << (session ? "" : sentences::describe(session.error()));
        if (session) {
            const base::Status status = (*session)->stop(builder);
            EXPECT_TRUE(status.ok()) << (status ? "" : sentences::describe(status.error()));
        }
        trace = builder.finish(false);
        return trace;
    }

    const trace::Series* series(const std::string& label) const
    {
        for (const trace::Series& s : trace.series)
            if (trace.track(s).label == label)
                return &s;
        return nullptr;
    }

    std::vector<std::string> reasons() const
    {
        std::vector<std::string> list;
        for (const trace::Loss& loss : trace.losses)
            list.push_back(sentences::sentence(loss.reason));
        return list;
    }
};

TEST_F(Metrics, SamplesBecomeCounterTracks)
{
    for (std::uint64_t i = 0; i < 3000; ++i) // several images full
        fake.push(sampleAt(i, {{kActive, static_cast<double>(i) / 100}, {kRead, 480'000.0}}));
    stopped(startSamples(api, {.samplesPerDecode = 1024}));
    const trace::Series* active = series("SM active");
    ASSERT_NE(active, nullptr);
    EXPECT_EQ(trace.track(*active).type, trace::TrackType::counter);
    EXPECT_EQ(trace.track(*active).device, 0);
    EXPECT_EQ(trace.track(*active).unit, "1e-3 %");
    ASSERT_EQ(active->events.size(), 2999u) << "all but the first, which reaches back to before the start";
    EXPECT_EQ(active->events.value[0], 10);
    EXPECT_EQ(active->events.value[2998], 29'990);
    // The sample has 480 kB in 100 µs.
    EXPECT_EQ(series("DRAM read")->events.value[7], 4'800'000'000);
    EXPECT_EQ(trace.track(*series("DRAM read")).unit, "B/s");
    // Times are on our clock. The first kept sample is 1 µs after the fake clock's present.
    EXPECT_GE(active->events.start[0], 1000);
    EXPECT_LT(active->events.start[0], base::fromSeconds(120).count);
    EXPECT_EQ(active->events.start[100] - active->events.start[0], 100'000);
    EXPECT_THAT(reasons(), IsEmpty());
    EXPECT_TRUE(fake.balanced());
    EXPECT_EQ(fake.sampling.triggerMode, CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL);
    EXPECT_EQ(fake.sampling.samplingInterval, 100'000u);
}

TEST_F(Metrics, SamplesOfAForeignClockArePlacedByTheStart)
{
    for (std::uint64_t i = 0; i < 5; ++i)
        fake.push({i * 100'000, (i + 1) * 100'000, {{kActive, 50}}}); // a clock that began with the GPU, say
    stopped(startSamples(api));
    ASSERT_NE(series("SM active"), nullptr);
    EXPECT_GE(series("SM active")->events.start[0], 0);
    EXPECT_LT(series("SM active")->events.start[0], base::fromSeconds(120).count);
    EXPECT_THAT(reasons(), ElementsAre(HasSubstr("clock of their own")));
}

TEST_F(Metrics, AnOldChipIsAskedForWhatItCan)
{
    fake.oldChip = true;
    fake.unknown = {"sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed", "pcie__read_bytes.sum"};
    fake.passes = {{"LTS.TriageCompute.lts__average_t_sector_hit_rate_realtime.pct", 1},
                   {"lts__average_t_sector_hit_rate_realtime.pct", 1},
                   {"lts__t_sector_hit_rate.pct", 1}};
    fake.push(sampleAt(0, {}));
    fake.push(sampleAt(100, {{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 12.5}}));
    stopped(startSamples(api));
    EXPECT_EQ(fake.sampling.triggerMode, CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL);
    ASSERT_NE(series("tensor pipe active"), nullptr);
    EXPECT_EQ(series("tensor pipe active")->events.value, std::vector<std::int64_t>{12'500});
    EXPECT_EQ(series("L2 hit rate"), nullptr) << "it needs a second pass";
    EXPECT_THAT(reasons(), ElementsAre(AllOf(HasSubstr("L2 hit rate"), HasSubstr("PCIe read"))));
}

TEST_F(Metrics, LostSamplesAreCounted)
{
    for (std::uint64_t i = 0; i < 50; ++i)
        fake.push(sampleAt(i, {{kActive, i == 20 ? std::numeric_limits<double>::quiet_NaN() : 1.0}}));
    stopped(startSamples(api, {.mostSamples = 30}));
    EXPECT_EQ(series("SM active")->events.size(), 29u);
    EXPECT_THAT(reasons(), ::testing::UnorderedElementsAre(HasSubstr("not numbers"), HasSubstr("dropped")));
    for (const trace::Loss& loss : trace.losses)
        EXPECT_EQ(loss.count, sentences::sentence(loss.reason).find("dropped") != std::string::npos ? 19 : 1);
}

TEST_F(Metrics, AFullHardwareBufferIsALossAndNotTheEnd)
{
    fake.overflow = true;
    for (std::uint64_t i = 0; i < 10; ++i)
        fake.push(sampleAt(i, {{kActive, 1}}));
    stopped(startSamples(api));
    EXPECT_EQ(series("SM active")->events.size(), 9u);
    EXPECT_THAT(reasons(), ElementsAre(HasSubstr("buffer was full")));
}

TEST_F(Metrics, SamplingThatBreaksOffKeepsWhatItHas)
{
    fake.results["pm stop"] = CUPTI_ERROR_UNKNOWN;
    const auto session = startSamples(api);
    ASSERT_TRUE(session.ok());
    EXPECT_FALSE((*session)->stop(builder).ok()) << "nothing was sampled";
    EXPECT_THAT(sentences::sentence(builder.finish().losses.at(0).reason), HasSubstr("ended early"));
}

TEST_F(Metrics, ARecordingWithoutSamplesSaysSo)
{
    stopped(startSamples(api));
    EXPECT_EQ(trace.eventCount(), 0u);
    EXPECT_THAT(reasons(), ElementsAre(HasSubstr("no samples")));
}

TEST_F(Metrics, WhateverFailsLeavesNothingSwitchedOn)
{
    const auto fails = [&](const std::string& call, bool ranges) {
        fake.results = {{call, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES}};
        const auto session = ranges ? startKernelCounters(api) : startSamples(api);
        EXPECT_FALSE(session.ok()) << call;
        if (session)
            return;
        EXPECT_THAT(sentences::sentence(session.error().hint), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"))
            << call;
        EXPECT_EQ(session.error().context, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
        EXPECT_TRUE(fake.balanced()) << call;
    };
    for (const char* call : {"initialize", "chip name", "pm availability", "host initialize", "host add", "pm enable",
                             "pm config", "pm data size", "pm start"})
        fails(call, false);
    for (const char* call : {"initialize", "chip name", "range availability", "host add", "range enable",
                             "range data size", "range image", "range config", "range start"})
        fails(call, true);
}

TEST_F(Metrics, ASessionThatIsDroppedSwitchesEverythingOff)
{
    {
        const auto samples = startSamples(api);
        ASSERT_TRUE(samples.ok());
    }
    {
        const auto kernels = startKernelCounters(api);
        ASSERT_TRUE(kernels.ok());
    }
    EXPECT_TRUE(fake.balanced());
}

TEST_F(Metrics, KernelsBecomeRangesWithTheirCounters)
{
    fake.kernels = {{{kDuration, 2000}, {kActive, 80.5}, {kRead, 4096}},
                    {{kDuration, 500}, {kActive, 1}, {kRead, std::numeric_limits<double>::infinity()}}};
    stopped(startKernelCounters(api));
    const trace::Series* ranges = series("GPU 0");
    ASSERT_NE(ranges, nullptr);
    EXPECT_EQ(ranges->kind, EventKind::profilerRange);
    EXPECT_THAT(ranges->events.duration, ElementsAre(2000, 500));
    EXPECT_EQ(ranges->events.start[1] - ranges->events.start[0], 2000);
    EXPECT_EQ(trace.nameOf(*ranges, 1), "kernel 1");
    EXPECT_THAT(series("kernel SM active")->events.value, ElementsAre(80'500, 1000));
    EXPECT_EQ(series("kernel SM active")->events.start, ranges->events.start);
    EXPECT_THAT(series("kernel DRAM read")->events.value, ElementsAre(4096));
    EXPECT_THAT(reasons(), ElementsAre(HasSubstr("carry no times"), HasSubstr("not numbers")));
    EXPECT_EQ(fake.ranging.range, CUPTI_AutoRange);
    EXPECT_EQ(fake.ranging.replayMode, CUPTI_KernelReplay);
    EXPECT_TRUE(fake.calls.back() == "range disable" || fake.calls.back() == "deinitialize");
}

TEST_F(Metrics, LostKernelsAndPassesAreSaid)
{
    fake.kernels = {{{kDuration, 10}}};
    fake.droppedKernels = 12;
    fake.allPasses = false;
    stopped(startKernelCounters(api));
    EXPECT_THAT(reasons(),
                ElementsAre(HasSubstr("Not every pass"), HasSubstr("Kernels were dropped"), HasSubstr("no times")));
    EXPECT_EQ(trace.losses[1].count, 12);
}

TEST_F(Metrics, KernelsAreNotCountedWithoutAContext)
{
    fake.context = nullptr;
    const auto session = startKernelCounters(api);
    ASSERT_FALSE(session.ok());
    EXPECT_THAT(sentences::sentence(session.error().message), HasSubstr("No model"));
}

TEST_F(Metrics, EveryObstacleHasItsSentence)
{
    const auto obstacle = [&](CUpti_Profiler_API kind = CUPTI_PROFILER_PM_SAMPLING) {
        const base::Status status = checkMetrics(api, kind);
        EXPECT_TRUE(status.ok() || !status.error().hint.empty());
        return status ? std::string()
                      : sentences::sentence(status.error().message) + " " + sentences::sentence(status.error().hint);
    };
    EXPECT_EQ(obstacle(), "");
    EXPECT_EQ(obstacle(CUPTI_PROFILER_RANGE_PROFILING), "");
    fake.device.isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    EXPECT_THAT(obstacle(), HasSubstr("CUPTI does not support"));
    fake.device.architecture = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    EXPECT_THAT(obstacle(), HasSubstr("compute capability 7.5"));
    fake.device.architecture = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    fake.device.vGpu = CUPTI_PROFILER_CONFIGURATION_DISABLED;
    EXPECT_THAT(obstacle(), HasSubstr("hypervisor"));
    fake.device.vGpu = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    fake.device.wsl = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    EXPECT_THAT(obstacle(), HasSubstr("WSL"));
    for (const auto& [result, words] : {std::pair(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "MIG"),
                                        std::pair(CUPTI_ERROR_HARDWARE_BUSY, "dcgmi profile --pause"),
                                        std::pair(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "administrators only"),
                                        std::pair(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "Confidential"),
                                        std::pair(CUPTI_ERROR_UNKNOWN, "driver")}) {
        fake.results["device supported"] = result;
        EXPECT_THAT(obstacle(), HasSubstr(words));
    }
    fake.driver = CUDA_ERROR_NO_DEVICE;
    EXPECT_THAT(obstacle(), HasSubstr("does not answer"));
    api.driverInit = nullptr;
    EXPECT_THAT(obstacle(), HasSubstr("no NVIDIA driver"));
    EXPECT_TRUE(fake.balanced());
}

TEST_F(Metrics, AChipWithoutAnyCounterIsRefusedByName)
{
    for (const Metric& metric : sampledMetrics())
        fake.unknown.insert(metric.names.begin(), metric.names.end());
    const auto session = startSamples(api);
    ASSERT_FALSE(session.ok());
    EXPECT_THAT(sentences::sentence(session.error().message), HasSubstr("GH100"));
    EXPECT_TRUE(fake.balanced());
}

/// CUPTI's host side needs no GPU: the real library says what each chip can count.
TEST(MetricsLibrary, EveryChipOffersItsCountersInTheAllowedPasses)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "CUPTI's host library opens a library with RTLD_DEEPBIND, which the sanitizers refuse";
#endif
    const auto api = loadMetrics();
    if (!api)
        GTEST_SKIP() << sentences::sentence(api.error().message);
    auto chips = APERTUNE_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params);
    ASSERT_EQ(api->hostGetSupportedChips(&chips), CUPTI_SUCCESS);
    ASSERT_GT(chips.numChips, 10u);
    int sampling = 0;
    int counting = 0;
    for (std::size_t i = 0; i < chips.numChips; ++i) {
        const std::string chip = chips.ppChipNames[i];
        SCOPED_TRACE(chip);
        const auto ranges = MetricSet::choose(*api, CUPTI_PROFILER_TYPE_RANGE_PROFILER, chip, {}, kernelMetrics(), 8);
        if (!ranges) { // an old Tegra
            EXPECT_EQ(ranges.error().code, base::ErrorCode::unsupported);
            continue;
        }
        ++counting;
        EXPECT_STREQ(ranges->chosen().front().metric->label, "duration");
        EXPECT_LE(ranges->passes(), 8u);
        const auto samples = MetricSet::choose(*api, CUPTI_PROFILER_TYPE_PM_SAMPLING, chip, {}, sampledMetrics(), 1);
        if (!samples)
            continue; // Volta has none
        ++sampling;
        EXPECT_EQ(samples->passes(), 1u);
        EXPECT_STREQ(samples->chosen().front().metric->label, "SM active");
        if (chip == "GH100") {
            EXPECT_THAT(samples->leftOut(), IsEmpty());
            EXPECT_THAT(ranges->leftOut(), IsEmpty());
            EXPECT_EQ(ranges->passes(), 2u);
        }
    }
    EXPECT_GT(sampling, 10);
    EXPECT_GE(counting, sampling);
}

TEST(MetricsLibraries, TheOneBesideCuptiComesBeforeTheOneOnThePath)
{
    const std::string name = std::filesystem::path(APERTUNE_TEST_NEIGHBOUR).filename().string();
    EXPECT_EQ(::dlopen(name.c_str(), RTLD_NOW), nullptr) << "it is in no folder that the loader searches";
    EXPECT_EQ(openBeside("", name.c_str()), nullptr);
    EXPECT_EQ(openBeside("/nonexistent/libcupti.so.13", name.c_str()), nullptr);
    const auto cupti = std::filesystem::path(APERTUNE_TEST_NEIGHBOUR).replace_filename("libcupti.so.13");
    EXPECT_NE(openBeside(cupti.string(), name.c_str()), nullptr);
    EXPECT_NE(openBeside("/nonexistent/libcupti.so.13", "libc.so.6"), nullptr) << "by its bare name";
}

TEST(CuptiLibrary, AFileThatNoPathLeadsToIsOpenedWhenItIsNamed)
{
    const std::string name = std::filesystem::path(APERTUNE_TEST_LONELY).filename().string();
    EXPECT_EQ(openCupti(name.c_str(), ""), nullptr);
    EXPECT_EQ(openCupti(name.c_str(), "/nonexistent/" + name), nullptr);
    void* const library = openCupti(name.c_str(), APERTUNE_TEST_LONELY);
    ASSERT_NE(library, nullptr);
    EXPECT_EQ(openCupti(name.c_str(), ""), library) << "now it is mapped";
}

TEST(MetricsProfilers, SayWhatIsMissingHere)
{
    for (const auto& profiler : {makeSampleProfiler(), makeKernelCounterProfiler()}) {
        const trace::Availability can = profiler->availability();
        if (can.possible)
            continue; // this machine has a GPU whose counters may be read
        EXPECT_FALSE(can.reason.empty());
        EXPECT_FALSE(can.remedy.empty());
        if (cudaDriverVersion() == 0) {
            EXPECT_THAT(sentences::sentence(can.reason), HasSubstr("no NVIDIA driver"));
        }
    }
}

} // namespace
} // namespace apertune::profilers
