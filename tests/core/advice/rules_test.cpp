// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/documents.h"
#include "core/advice/rules.h"
#include "core/advice/verdict.h"
#include "core/model/switches.h"
#include "core/sentences/sentences.h"
#include "host_trace.h"
#include "planted_traces.h"
#include "recorder.h"
#include "tests/core/analysis/small_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace apertune::advice {
namespace {

using sentences::sentence;
using testing::HostTrace;
using testing::kSeed;
using testing::Plant;

struct Case
{
    const char* rule;
    Plant plant;
};

/// Every rule with what makes it fire.
constexpr Case kCases[] = {
    {"device-idle", Plant::slowHost},
    {"enqueue-bound", Plant::tinyKernels},
    {"tiny-kernels", Plant::tinyKernels},
    {"tiny-kernels", Plant::cpuTinyOperators},
    {"pageable-copies", Plant::pageableInput},
    {"blocking-copies", Plant::blockingCopies},
    {"waits-in-iteration", Plant::hiddenWaits},
    {"waits-in-iteration", Plant::readsNumbers},
    {"waits-in-iteration", Plant::oneWait},
    {"long-gaps", Plant::slowHost},
    {"long-gaps", Plant::cpuPauses},
    {"upload-bound", Plant::largeInput},
    {"download-bound", Plant::largeOutput},
    {"host-round-trip", Plant::roundTrip},
    {"needless-copies", Plant::repeatedUpload},
    {"needless-copies", Plant::cpuCopies},
    {"repeated-uploads", Plant::repeatedUpload},
    {"no-overlap", Plant::noOverlap},
    {"exposed-communication", Plant::collectives},
    {"device-copies", Plant::deviceCopies},
    {"layout-conversions", Plant::layoutOnDevice},
    {"layout-conversions", Plant::cpuLayout},
    {"type-conversions", Plant::castsOnDevice},
    {"unfused-batchnorm", Plant::batchNormOnDevice},
    {"unfused-batchnorm", Plant::cpuBatchNorm},
    {"unfused-elementwise", Plant::pointwiseChains},
    {"unfused-elementwise", Plant::cpuPointwise},
    {"wide-arithmetic", Plant::arithmeticOnly},
    {"unfused-attention", Plant::unfusedAttention},
    {"unfused-attention", Plant::cpuAttention},
    {"unaligned-products", Plant::unalignedProducts},
    {"slow-convolutions", Plant::slowConvolutions},
    {"slow-convolutions", Plant::cpuSlowConvolutions},
    {"first-calls", Plant::firstCalls},
    {"unaligned-channels", Plant::unalignedChannels},
    {"float-layers", Plant::floatLayers},
    {"float-layers", Plant::cpuFloatLayers},
    {"image-preparation", Plant::imagePreparation},
    {"image-preparation", Plant::cpuImagePreparation},
    {"slow-nms", Plant::slowNms},
    {"held-clock", Plant::heldClock},
    {"slow-iterations", Plant::slowIterations},
    {"slow-iterations", Plant::cpuSlowIterations},
    {"not-steady", Plant::drift},
    {"allocation-in-loop", Plant::deviceAllocation},
    {"allocation-in-loop", Plant::cpuAllocation},
    {"memory-limit", Plant::memoryLimit},
    {"underfilled-device", Plant::smallGrids},
    {"idle-cores", Plant::cpuOneThread},
};

const RuleResult& result(const FindingReport& j, const std::string& rule)
{
    return *std::find_if(j.rules.begin(), j.rules.end(), [&](const RuleResult& r) { return r.rule == rule; });
}

TEST(RuleIds, TheOldNumbersAreAliases)
{
    EXPECT_EQ(ruleId("R18"), "unfused-batchnorm");
    EXPECT_EQ(ruleId("unfused-batchnorm"), "unfused-batchnorm");
    EXPECT_EQ(ruleId("R99"), "R99");
    std::set<std::string_view> names;
    for (const RuleInfo& rule : ruleCatalogue()) {
        EXPECT_TRUE(names.insert(rule.id).second) << rule.id;
        EXPECT_TRUE(names.insert(rule.alias).second) << rule.alias;
    }
    for (const Rule& rule : rules()) {
        ASSERT_TRUE(findRule(rule.id)) << rule.id;
        EXPECT_EQ(findRule(rule.id)->subject, Subject::trace);
    }
}

TEST(Rules, EachFiresOnItsCauseWithACompleteCard)
{
    for (const Case& c : kCases) {
        const testing::Planted planted = testing::plantedTrace(c.plant, kSeed);
        const Facts facts(planted.trace, planted.context);
        const FindingReport j = reportFindings(facts);
        const RuleResult& r = result(j, c.rule);
        ASSERT_EQ(r.state, RuleState::fired)
            << c.rule << " on " << planted.name << ": " << sentence(j.verdict.sentence);
        for (const Finding& f : r.findings) {
            EXPECT_FALSE(f.text.empty());
            EXPECT_FALSE(f.knob.text.empty()) << c.rule;
            EXPECT_FALSE(f.verification.empty()) << c.rule;
            EXPECT_GE(f.share, facts.context.noiseFloor);
            EXPECT_LE(f.share, 1);
            EXPECT_GE(f.gain.lo, 0);
            EXPECT_LE(f.gain.lo, f.gain.hi);
            EXPECT_LE(f.gain.hi, f.share);
            EXPECT_GT(f.evidence.range.length(), 0) << c.rule;
            EXPECT_GE(f.evidence.range.start, planted.trace.begin().count);
            EXPECT_LE(f.evidence.range.end, planted.trace.end().count + 1);
            EXPECT_TRUE(f.evidence.query.starts_with("SELECT "));
            const auto& known = model::switchCatalogue();
            EXPECT_TRUE(
                f.knob.switchName.empty() ||
                std::any_of(known.begin(), known.end(), [&](const auto& s) { return s.name == f.knob.switchName; }))
                << f.knob.switchName;
        }
    }
}

TEST(Rules, SeverityFollowsFromShareAndConfidenceAndOrders)
{
    const auto finding = [](double share, Confidence confidence, ShareOf shareOf) {
        Finding f;
        f.share = share;
        f.gain = {0, shareOf == ShareOf::trust ? 0 : share};
        f.confidence = confidence;
        f.shareOf = shareOf;
        return f;
    };
    constexpr Confidence counter = Confidence::counter, estimate = Confidence::estimate;
    EXPECT_EQ(severityOf(finding(0.049, Confidence::trace, ShareOf::time)), Severity::low);
    EXPECT_EQ(severityOf(finding(0.05, Confidence::trace, ShareOf::time)), Severity::medium);
    EXPECT_EQ(severityOf(finding(0.199, counter, ShareOf::time)), Severity::medium);
    EXPECT_EQ(severityOf(finding(0.20, counter, ShareOf::time)), Severity::high);
    EXPECT_EQ(severityOf(finding(0.09, estimate, ShareOf::time)), Severity::low) << "an estimate counts half";
    EXPECT_EQ(severityOf(finding(0.39, estimate, ShareOf::time)), Severity::medium);
    EXPECT_EQ(severityOf(finding(0.40, estimate, ShareOf::time)), Severity::high);
    EXPECT_EQ(severityOf(finding(0.95, Confidence::trace, ShareOf::memory)), Severity::high);
    EXPECT_EQ(severityOf(finding(0.95, Confidence::trace, ShareOf::trust)), Severity::medium) << "nothing is gained";

    std::vector<RuleResult> results(1);
    results[0].findings = {finding(0.30, estimate, ShareOf::time), finding(0.06, Confidence::trace, ShareOf::time),
                           finding(0.95, Confidence::trace, ShareOf::memory), finding(0.25, counter, ShareOf::time)};
    const base::Json sorted = findingsDocument(findings(results));
    std::vector<std::string> order;
    for (const base::Json& f : sorted)
        order.push_back(f["severity"].get<std::string>() + " " + f["of"].get<std::string>());
    EXPECT_EQ(order, (std::vector<std::string>{"high time", "high memory", "medium time", "medium time"}));
    EXPECT_DOUBLE_EQ(sorted[2]["share"].get<double>(), 0.30) << "of equally grave ones the more promising first";
}

TEST(Rules, ProductsThatReadOneElementAtATimeAreNamedByTheirKernels)
{
    const auto wordOf = [](const std::string& kernel) -> std::string {
        analysis::testing::SmallTrace t;
        for (int i = 0; i < 20; ++i) {
            t.call("hipLaunchKernel", 100 * i, 100 * i + 2, static_cast<std::uint32_t>(1 + i));
            t.kernel(kernel, 100 * i + 5, 100 * i + 104, static_cast<std::uint32_t>(1 + i));
        }
        const trace::Trace trace = t.finish();
        const RuleResult found = result(reportFindings(Facts(trace, {})), "unaligned-products");
        return found.state == RuleState::fired ? sentences::sentence(found.findings.at(0).text) : "";
    };
    const std::string tensile = "Cijk_Alik_Bljk_BBS_BH_MT128x128x64_MI16x16x1_SN_";
    EXPECT_NE(wordOf(tensile + "GRVWA1_GRVWB1_GSU1").find("GRVWB1"), std::string::npos);
    EXPECT_NE(wordOf("Cijk_Ailk_Bljk_HHS_BH_MT64x64x32_GRVW1_GSU1").find("GRVW1"), std::string::npos);
    EXPECT_EQ(wordOf(tensile + "GRVWA2_GRVWB2_GSU1"), "") << "chosen for aligned sizes, too";
    EXPECT_EQ(wordOf(tensile + "GRVWA1_GRVWB8_GSU1"), "");
    EXPECT_EQ(wordOf(tensile + "GRVWA16_GRVWB16"), "");
    EXPECT_EQ(wordOf("Cijk_Ailk_Bljk_SB_MT64x64x16_GRVW1"), "") << "one element of 4 bytes";
    EXPECT_EQ(wordOf("Cijk_Ailk_Bljk_HHS_GRVW"), "");
    EXPECT_EQ(wordOf("Cijk_"), "");
}

TEST(Rules, CapturingAGraphIsAFirstCallAndLosesNoKernels)
{
    analysis::testing::SmallTrace t;
    for (int i = 0; i < 12; ++i) {
        t.call("hipLaunchKernel", 10 * i, 10 * i + 2, static_cast<std::uint32_t>(1 + i));
        t.kernel("k", 10 * i + 3, 10 * i + 9, static_cast<std::uint32_t>(1 + i));
    }
    t.call("hipStreamBeginCapture", 130, 131);
    for (int i = 0; i < 50; ++i)
        t.call("hipLaunchKernel", 140 + 50 * i, 142 + 50 * i, static_cast<std::uint32_t>(100 + i));
    t.call("hipStreamEndCapture", 3000, 3010);
    t.call("hipGraphLaunch", 3012, 3020, 200);
    t.kernel("k", 3022, 3040, 200);
    const trace::Trace trace = t.finish();
    const FindingReport report = reportFindings(Facts(trace, {}));
    EXPECT_EQ(report.verdict.kind, VerdictKind::warmingUp) << sentences::sentence(report.verdict.sentence);
    ASSERT_FALSE(report.findings.empty());
    EXPECT_EQ(report.findings.front().rule, "first-calls");
    EXPECT_NE(sentences::sentence(report.findings.front().text).find("the capture of a graph"), std::string::npos)
        << sentences::sentence(report.findings.front().text);
    EXPECT_EQ(report.findings.front().evidence.range, (trace::TimeRange{130'000, 3'010'000}));
}

TEST(Rules, AGraphThatIsCapturedInEachPassIsNoFirstCall)
{
    analysis::testing::SmallTrace t;
    for (std::uint32_t pass = 0; pass < 12; ++pass) {
        const std::int64_t at = 5000 * pass;
        t.call("cudaStreamBeginCapture", at, at + 1);
        t.call("cudaLaunchKernel", at + 10, at + 12, 100 + pass);
        t.call("cudaStreamEndCapture", at + 3000, at + 3010);
        t.call("cudaGraphLaunch", at + 3020, at + 3030, 1 + pass);
        t.kernel("k", at + 3040, at + 4900, 1 + pass);
    }
    const trace::Trace trace = t.finish();
    const FindingReport report = reportFindings(Facts(trace, {}));
    EXPECT_NE(report.verdict.kind, VerdictKind::warmingUp) << sentences::sentence(report.verdict.sentence);
    EXPECT_NE(report.verdict.kind, VerdictKind::abstained) << "no kernel is lost";
}

TEST(Rules, WhatWaitedForWorkOfBeforeTheRecordingIsLeftOutAndSaid)
{
    analysis::testing::SmallTrace t;
    for (int i = 0; i < 20; ++i) {
        t.call("cudaLaunchKernel", 10 * i, 10 * i + 2, static_cast<std::uint32_t>(1 + i));
        t.kernel("ampere_sgemm_128x64_tn", 9000 + 100 * i, 9099 + 100 * i, static_cast<std::uint32_t>(1 + i));
    }
    trace::Event step = t.event("ProfilerStep#1", 0, 11'100);
    t.b.add(t.host, trace::EventKind::range, step);
    const trace::Trace trace = t.finish();
    const Facts facts(trace, {});
    EXPECT_EQ(facts.heldBack, 9'000'000);
    EXPECT_EQ(facts.window.start, 9'000'000);
    const FindingReport report = reportFindings(facts);
    EXPECT_EQ(report.verdict.kind, VerdictKind::computeBound) << sentences::sentence(report.verdict.sentence);
    std::string notes;
    for (const base::Message& note : report.verdict.needs)
        notes += sentences::sentence(note);
    EXPECT_NE(notes.find("The first 9"), std::string::npos) << notes;
}

TEST(Rules, WhatIsSeenByItsEffectBelongsToTheFindingThatNamesTheReason)
{
    const auto found = [](const char* rule, Cause cause, double share) {
        Finding f;
        f.rule = rule;
        f.cause = cause;
        f.share = f.gain.hi = share;
        RuleResult r;
        r.findings = {f};
        return r;
    };
    const auto order = [](const std::vector<RuleResult>& results) {
        std::vector<std::string> names;
        for (const Finding& f : findings(results))
            names.push_back(f.partOf.empty() ? f.rule : f.rule + " of " + f.partOf);
        return names;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(order({found("device-idle", Cause::launch, 0.6), found("enqueue-bound", Cause::launch, 0.5),
                     found("tiny-kernels", Cause::launch, 0.5), found("long-gaps", Cause::launch, 0.2),
                     found("casts", Cause::memory, 0.3)}),
              (Names{"tiny-kernels", "device-idle of tiny-kernels", "enqueue-bound of tiny-kernels",
                     "long-gaps of tiny-kernels", "casts"}));
    EXPECT_EQ(order({found("device-idle", Cause::host, 0.6), found("long-gaps", Cause::host, 0.5)}),
              (Names{"device-idle", "long-gaps of device-idle"}));
    EXPECT_EQ(order({found("device-idle", Cause::host, 0.6), found("long-gaps", Cause::launch, 0.5)}),
              (Names{"device-idle", "long-gaps"}))
        << "two causes";
    EXPECT_EQ(order({found("device-idle", Cause::transfer, 0.6), found("pageable-copies", Cause::transfer, 0.05)}),
              (Names{"device-idle", "pageable-copies"}))
        << "what explains a twelfth of it is no explanation";
    EXPECT_EQ(order({found("device-idle", Cause::other, 0.6), found("memory-limit", Cause::other, 0.9)}),
              (Names{"memory-limit", "device-idle"}))
        << "findings without a cause explain none";
    RuleResult assumed = found("needless-copies", Cause::transfer, 0.5);
    EXPECT_EQ(order({assumed, found("upload-bound", Cause::transfer, 0.6)}),
              (Names{"needless-copies", "upload-bound of needless-copies"}));
    assumed.findings[0].confidence = Confidence::estimate;
    EXPECT_EQ(order({assumed, found("upload-bound", Cause::transfer, 0.6)}),
              (Names{"upload-bound", "needless-copies of upload-bound"}))
        << "what was assumed does not explain what was measured";
    EXPECT_EQ(findingsDocument(findings(
                  {found("device-idle", Cause::host, 0.6), found("long-gaps", Cause::host, 0.5)}))[1]["part_of"],
              "device-idle");
}

TEST(Rules, AnEstimateSaysThatItIsOneAndABoundWhatItHolds)
{
    const testing::Planted uploads = testing::plantedTrace(Plant::repeatedUpload, kSeed);
    const Finding again =
        result(reportFindings(Facts(uploads.trace, uploads.context)), "repeated-uploads").findings.at(0);
    EXPECT_EQ(again.confidence, Confidence::estimate);
    EXPECT_NE(sentences::sentence(again.text).find("An estimate by size alone"), std::string::npos)
        << sentences::sentence(again.text);

    const testing::Planted folded = testing::plantedTrace(Plant::cpuBatchNorm, kSeed);
    const Finding norm =
        result(reportFindings(Facts(folded.trace, folded.context)), "unfused-batchnorm").findings.at(0);
    EXPECT_DOUBLE_EQ(norm.gain.hi, norm.share) << "all of their own time, and no more is promised";
    EXPECT_NE(sentences::sentence(norm.text).find("is not predicted"), std::string::npos)
        << sentences::sentence(norm.text);
}

TEST(Rules, ABatchNormalisationOfACpuCountsWithWhatItCalls)
{
    const testing::Planted planted = testing::plantedTrace(Plant::cpuBatchNorm, kSeed);
    const Facts facts(planted.trace, planted.context);
    std::int64_t whole = 0;
    std::int64_t own = 0;
    std::int64_t calls = 0;
    for (const analysis::OperatorNode& node : facts.forest.nodes) {
        if (!facts.window.contains(node.time.start))
            continue;
        if (facts.index.text(node.name) == "aten::batch_norm") {
            whole += node.time.length();
            ++calls;
        }
        own += facts.index.text(node.name) == "aten::native_batch_norm" ? node.selfTime : 0;
    }
    EXPECT_EQ(facts.host.batchNorms, calls);
    EXPECT_GT(facts.host.batchNorm, own);
    EXPECT_LE(facts.host.batchNorm, whole);
    EXPECT_NEAR(static_cast<double>(facts.host.batchNorm), static_cast<double>(whole),
                0.05 * static_cast<double>(whole));
}

TEST(Rules, OnlyTimeIsPromisedAsTimeAndOfEquallyGraveOnesItStandsFirst)
{
    const testing::Planted full = testing::plantedTrace(Plant::memoryLimit, kSeed);
    const Finding memory = result(reportFindings(Facts(full.trace, full.context)), "memory-limit").findings.at(0);
    EXPECT_EQ(memory.shareOf, ShareOf::memory);
    EXPECT_GT(memory.share, 0.9);
    EXPECT_EQ(memory.gain.hi, 0);
    EXPECT_GT(memory.evidence.range.length(), 10'000) << "a range that can be seen";

    const testing::Planted drifting = testing::plantedTrace(Plant::drift, kSeed);
    const Finding drift = result(reportFindings(Facts(drifting.trace, drifting.context)), "not-steady").findings.at(0);
    EXPECT_EQ(drift.shareOf, ShareOf::trust);
    EXPECT_EQ(drift.gain.hi, 0);

    Finding small;
    small.rule = "needless-copies";
    small.gain = {0, 0.02};
    std::vector<RuleResult> results(3);
    results[0].findings = {memory};
    results[1].findings = {drift};
    results[2].findings = {small};
    const std::vector<Finding> sorted = findings(results);
    EXPECT_EQ(sorted[0].rule, "memory-limit") << "memory that is full is graver than 2 % of the time";
    EXPECT_EQ(sorted[1].rule, "not-steady");
    EXPECT_EQ(sorted[2].rule, "needless-copies");
    results[2].findings[0].share = results[2].findings[0].gain.hi = memory.share;
    EXPECT_EQ(findings(results)[0].rule, "needless-copies") << "of equally grave ones, time first";
    EXPECT_EQ(findingsDocument(sorted)[0]["of"], "memory");
}

TEST(Rules, EveryOneOfThemHasACaseAbove)
{
    for (const Rule& rule : rules())
        EXPECT_TRUE(std::any_of(std::begin(kCases), std::end(kCases), [&](const Case& c) {
            return std::string(c.rule) == rule.id;
        })) << rule.id;
}

TEST(Rules, NoneFiresOnASoundProgram)
{
    for (const Plant plant : {Plant::none, Plant::cpuNone}) {
        const testing::Planted planted = testing::plantedTrace(plant, kSeed);
        const Facts facts(planted.trace, planted.context);
        for (const RuleResult& r : evaluateRules(facts))
            EXPECT_NE(r.state, RuleState::fired) << r.rule << ": " << sentences::sentence(r.findings.front().text);
    }
}

TEST(Rules, FindingsBelowTheNoiseFloorAreSilent)
{
    const testing::Planted planted = testing::plantedTrace(Plant::batchNormOnDevice, kSeed);
    Context noisy;
    noisy.noiseFloor = 0.9;
    const Facts facts(planted.trace, noisy);
    EXPECT_TRUE(findings(evaluateRules(facts)).empty());
}

TEST(Rules, ASwitchThatIsOnAlreadyIsNotAdvised)
{
    testing::Planted planted = testing::plantedTrace(Plant::tinyKernels, kSeed);
    model::Config config =
        model::makeConfig(model::OptLevel::o0, model::Precision::fp32, 1, 0, model::DeviceType::nvidiaGpu());
    config.switches["cuda_graph"] = true;
    planted.context.config = config;
    const Facts facts(planted.trace, planted.context);
    for (const Finding& f : reportFindings(facts).findings)
        EXPECT_NE(f.knob.switchName, "cuda_graph") << f.rule;
    for (const char* rule : {"device-idle", "tiny-kernels"}) {
        const RuleResult r = result(reportFindings(facts), rule);
        ASSERT_EQ(r.state, RuleState::fired) << rule;
        EXPECT_THAT(sentences::sentence(r.findings[0].knob.text), ::testing::StartsWith("Queue the next pass")) << rule;
    }
}

/// Sixteen passes of a convolution, a normalisation and an activation, four times each. In one pass of four another
/// program takes the processor for 8 ms, always where the normalisation runs.
trace::Trace passes(bool interrupted)
{
    HostTrace host;
    std::int64_t now = 1000;
    const auto run = [&](const char* name, std::int64_t time) {
        host.op(name, now, now + time);
        now += time + 2;
    };
    for (int pass = 0; pass < 16; ++pass)
        for (int layer = 0; layer < 4; ++layer) {
            run("aten::mkldnn_convolution", 4000);
            run("aten::native_batch_norm", 400 + pass % 3 + (interrupted && pass % 4 == 1 && layer == 2 ? 8000 : 0));
            run("aten::relu_", 300);
        }
    return host.finish();
}

TEST(Rules, WhatOtherProgramsTookIsNotTheOperatorsTime)
{
    const trace::Trace alone = passes(false);
    const trace::Trace contended = passes(true);
    const Facts quiet(alone, {});
    const Facts busy(contended, {});
    ASSERT_TRUE(busy.iterations.found());
    EXPECT_EQ(quiet.interrupted.times, 0);
    EXPECT_EQ(busy.interrupted.times, 4);
    EXPECT_NEAR(static_cast<double>(busy.interrupted.time), 32e6, 0.1e6);
    const auto normalisation = [](const Facts& facts) {
        return result(reportFindings(facts), "unfused-batchnorm").findings.at(0);
    };
    EXPECT_NEAR(normalisation(busy).share, normalisation(quiet).share, 0.002);
    EXPECT_NEAR(busy.share(Cause::compute), quiet.share(Cause::compute), 0.002);
    EXPECT_LT(normalisation(busy).evidence.range.length(), 1'000'000) << "an example that was not interrupted";
    const std::vector<base::Message> needs = reportFindings(busy).verdict.needs;
    EXPECT_TRUE(std::any_of(needs.begin(), needs.end(), [](const base::Message& need) {
        return sentence(need).find("4 calls and pauses") != std::string::npos;
    }));
    double all = 0;
    for (const std::int64_t time : busy.causes)
        all += busy.share(time);
    EXPECT_NEAR(all, 1, 1e-6);
}

/// Sixteen passes of a convolution and 300 small operators, 2 µs apart. In each pass another program takes the
/// processor for 8 ms, each time after another operator; `within`: all are called by one that reports nothing of its
/// own.
trace::Trace smallOperators(bool interrupted, bool within)
{
    HostTrace host;
    std::int64_t now = 1000;
    for (int pass = 0; pass < 16; ++pass, now += 10) {
        const std::int64_t began = now;
        host.op("aten::mkldnn_convolution", now + 2, now + 302);
        now += 302;
        for (int i = 0; i < 300; ++i) {
            host.op("aten::add_", now + 2, now + 12);
            now += 12 + (interrupted && i == 7 + 11 * pass ? 8000 : 0);
        }
        if (within)
            host.op("forward", began, now + 2);
    }
    return host.finish();
}

TEST(Rules, WhatOtherProgramsTookBetweenOperatorsIsNoPauseOfTheProgram)
{
    for (const bool within : {false, true}) {
        const trace::Trace alone = smallOperators(false, within);
        const trace::Trace contended = smallOperators(true, within);
        const Facts quiet(alone, {});
        const Facts busy(contended, {});
        ASSERT_TRUE(busy.iterations.found());
        EXPECT_GE(busy.interrupted.times, 15) << within;
        EXPECT_EQ(quiet.interrupted.times, 0);
        for (const Cause cause : {Cause::host, Cause::launch, Cause::memory, Cause::other})
            EXPECT_NEAR(busy.share(cause), quiet.share(cause), 0.05) << toString(cause) << within;
    }
}

TEST(Rules, APauseOfEachPassIsThePrograms)
{
    HostTrace host;
    std::int64_t now = 1000;
    for (int pass = 0; pass < 16; ++pass) {
        host.op("aten::mkldnn_convolution", now, now + 4000);
        host.op("aten::relu_", now + 9000, now + 9300);
        now += 9302;
    }
    const trace::Trace trace = host.finish();
    const Facts facts(trace, {});
    EXPECT_EQ(facts.interrupted.times, 0);
    EXPECT_NEAR(facts.share(Cause::host), 0.54, 0.02);
}

TEST(Rules, PausesOfACpuAreNamedByTheFunctionsInThem)
{
    for (const bool stacks : {false, true}) {
        HostTrace host;
        std::int64_t now = 1000;
        if (stacks)
            host.function("serve.py(12): main", 0, 200'000);
        for (int pass = 0; pass < 12; ++pass) {
            host.op("aten::mkldnn_convolution", now, now + 2000);
            host.op("aten::relu_", now + 2002, now + 2300);
            if (stacks) {
                host.function("serve.py(40): decode", now + 2400, now + 9000);
                host.function("<built-in method sleep>", now + 9010, now + 9950);
            }
            now += 10'000;
        }
        const trace::Trace trace = host.finish();
        const FindingReport report = reportFindings(Facts(trace, {}));
        ASSERT_EQ(report.verdict.kind, VerdictKind::hostBound);
        const Finding& card = result(report, "long-gaps").findings.at(0);
        const std::string named = ", mostly in serve.py(40): decode (6";
        const bool here = sentence(card.text).find(named) != std::string::npos;
        EXPECT_EQ(here, stacks) << sentence(card.text);
        EXPECT_EQ(sentence(report.verdict.sentence).find(named) != std::string::npos, stacks);
        EXPECT_EQ(sentence(card.knob.text).find("with_stack") != std::string::npos, !stacks);
    }
}

TEST(Rules, CompiledCodeThatLaunchesSlowlyIsReplayedAsGraphs)
{
    trace::TraceBuilder builder;
    const auto thread = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    const auto stream = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 7});
    const auto add = [&](trace::TrackId track, trace::EventKind kind, const char* name, std::int64_t from,
                         std::int64_t to, std::uint32_t correlation = 0) {
        trace::Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = builder.intern(name);
        e.correlation = correlation;
        builder.add(track, kind, e);
    };
    std::uint32_t number = 0;
    std::int64_t now = 0;
    for (int pass = 0; pass < 10; ++pass) {
        const std::int64_t began = now;
        for (int k = 0; k < 30; ++k, now += 200) {
            add(thread, trace::EventKind::runtimeCall, "cudaLaunchKernel", now + 190, now + 195, ++number);
            add(stream, trace::EventKind::kernel, "triton_poi_fused_add_mul_0", now + 198, now + 240, number);
        }
        add(thread, trace::EventKind::operatorCall, "Torch-Compiled Region: 0/0", began, now);
        add(thread, trace::EventKind::range, "ProfilerStep#1", began, now + 1);
        now += 2;
    }
    const trace::Trace trace = builder.finish();
    const FindingReport report = reportFindings(Facts(trace, {}));
    EXPECT_EQ(report.verdict.kind, VerdictKind::launchBound) << sentence(report.verdict.sentence);
    ASSERT_FALSE(report.findings.empty());
    EXPECT_NE(sentence(report.findings.front().knob.text).find("reduce-overhead"), std::string::npos)
        << sentence(report.findings.front().knob.text);
}

/// Twelve iterations of forty kernels of 100 µs, each launched by an operator of 60 µs. `waits`: the host waits for the
/// device before each operator.
trace::Trace lazyHost(bool waits)
{
    trace::TraceBuilder builder;
    const auto thread = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    const auto stream = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 7});
    const auto add = [&](trace::TrackId track, trace::EventKind kind, const std::string& name, std::int64_t from,
                         std::int64_t to, std::uint32_t correlation = 0) {
        trace::Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = builder.intern(name);
        e.correlation = correlation;
        builder.add(track, kind, e);
    };
    std::uint32_t number = 0;
    std::int64_t now = 0, done = 0;
    for (int pass = 0; pass < 12; ++pass) {
        const std::int64_t began = now;
        for (int k = 0; k < 40; ++k) {
            if (waits && k % 4 == 0 && now < done) {
                add(thread, trace::EventKind::runtimeCall, "cudaStreamSynchronize", now, done + 2);
                now = done + 2;
            }
            add(thread, trace::EventKind::operatorCall, "aten::mm", now, now + 60);
            add(thread, trace::EventKind::runtimeCall, "cudaLaunchKernel", now + 50, now + 55, ++number);
            const std::int64_t start = std::max(done + 1, now + 57);
            // The first kernels after a wait are short: the host cannot get ahead of them.
            done = start + (k % 4 == 3 ? 100 : 20);
            add(stream, trace::EventKind::kernel, "ampere_sgemm_128x64_tn", start, done, number);
            now += 60;
        }
        add(thread, trace::EventKind::runtimeCall, "cudaDeviceSynchronize", now, done + 2);
        now = done + 3;
        add(thread, trace::EventKind::range, "ProfilerStep#" + std::to_string(pass), began, now);
    }
    return builder.finish();
}

TEST(Rules, AWaitAlsoCostsTheLaunchesThatTheHostCouldNotMakeAhead)
{
    const trace::Trace alone = lazyHost(false);
    const trace::Trace waiting = lazyHost(true);
    const Facts without(alone, {});
    const Facts with(waiting, {});
    ASSERT_TRUE(with.replay);
    EXPECT_EQ(without.hiddenWaits.waits, 0);
    // What the replay says is what the same program takes without the waits.
    const double saved = 1 - static_cast<double>(without.window.length()) / static_cast<double>(with.window.length());
    EXPECT_GT(saved, 0.05);
    EXPECT_NEAR(with.share(with.hiddenWaits.saved), saved, 0.02);
    EXPECT_GE(with.share(Cause::synchronization), saved - 0.02);
    const Finding card = result(reportFindings(with), "waits-in-iteration").findings.at(0);
    EXPECT_NEAR(card.share, saved, 0.02);
    for (const Finding& finding : reportFindings(with).findings)
        if (finding.rule == "device-idle" && finding.isPart()) {
            EXPECT_GT(finding.evidence.range.length(), 0);
        }
    double all = 0;
    for (const std::int64_t time : with.causes)
        all += with.share(time);
    EXPECT_NEAR(all, 1, 1e-6);
}

/// Eighty products of a large matrix and `rows` vectors.
trace::Trace products(int rows, const std::string& kernel, bool shapes)
{
    trace::TraceBuilder builder;
    const auto thread = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    const auto stream = builder.track({.type = trace::TrackType::stream, .device = 0, .stream = 7});
    const auto add = [&](trace::TrackId track, trace::EventKind kind, const std::string& name, std::int64_t from,
                         std::int64_t to, std::uint32_t correlation = 0, std::uint32_t detail = 0) {
        trace::Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = builder.intern(name);
        e.correlation = correlation;
        e.detail = detail;
        builder.add(track, kind, e);
    };
    const std::uint32_t detail =
        builder.detail(trace::OperatorDetail{builder.intern("[[" + std::to_string(rows) + ", 4096], [4096, 4096]]"),
                                             builder.intern(R"(["c10::BFloat16", "c10::BFloat16"])"),
                                             {},
                                             -1});
    std::uint32_t number = 0;
    for (std::int64_t i = 0; i < 80; ++i) {
        add(thread, trace::EventKind::operatorCall, "aten::mm", 20 * i, 20 * i + 15, 0, shapes ? detail : 0);
        add(thread, trace::EventKind::runtimeCall, "cudaLaunchKernel", 20 * i + 5, 20 * i + 10, ++number);
        add(stream, trace::EventKind::kernel, kernel, 100 + 40 * i, 139 + 40 * i, number);
    }
    return builder.finish();
}

TEST(Rules, TypeConversionsNameWhatIsConverted)
{
    trace::TraceBuilder builder;
    const auto thread = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    std::int64_t now = 0;
    const auto add = [&](const char* name, std::int64_t from, std::int64_t to, const char* types = "") {
        trace::Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = builder.intern(name);
        e.detail = builder.detail(trace::OperatorDetail{{}, builder.intern(types), {}, -1});
        builder.add(thread, trace::EventKind::operatorCall, e);
    };
    for (int pass = 0; pass < 12; ++pass, now += 5000) {
        add("aten::mkldnn_convolution", now, now + 2000);
        add("aten::to", now + 2002, now + 3000, R"(["float", "Scalar"])");
        add("aten::copy_", now + 2004, now + 2998, R"(["c10::BFloat16", "float", "Scalar"])");
        add("aten::to", now + 3002, now + 3400, R"(["long int", "Scalar"])");
        add("aten::copy_", now + 3004, now + 3398, R"(["float", "long int", "Scalar"])");
        add("aten::relu_", now + 3402, now + 4990);
    }
    const trace::Trace trace = builder.finish();
    const Finding card = result(reportFindings(Facts(trace, {})), "type-conversions").findings.at(0);
    EXPECT_NE(sentence(card.text).find(", mostly from fp32 to bf16."), std::string::npos) << sentence(card.text);
}

TEST(Verdict, ProductsOfAMatrixAndAFewVectorsAreBoundByMemory)
{
    const std::string gemm = "ampere_bf16_s16816gemm_bf16_64x64_ldg8_f2f_tn";
    const auto kind = [](const trace::Trace& trace) { return reportFindings(Facts(trace, {})).verdict.kind; };
    EXPECT_EQ(kind(products(1, gemm, true)), VerdictKind::memoryBound);
    EXPECT_EQ(kind(products(8, gemm, true)), VerdictKind::memoryBound);
    EXPECT_EQ(kind(products(4096, gemm, true)), VerdictKind::computeBound);
    EXPECT_EQ(kind(products(1, gemm, false)), VerdictKind::computeBound) << "nothing tells it";
    EXPECT_EQ(kind(products(1, "gemv2T_kernel_val<int, int, __nv_bfloat16>", false)), VerdictKind::memoryBound);
}

TEST(Rules, ACallThatIsOftenSlowIsSlowByItself)
{
    HostTrace host;
    std::int64_t now = 1000;
    for (int pass = 0; pass < 16; ++pass) {
        for (const char* const name : {"aten::mkldnn_convolution", "aten::relu_"}) {
            const std::int64_t time = pass % 2 == 0 ? 9000 : 1000;
            host.op(name, now, now + time);
            now += time + 2;
        }
    }
    const trace::Trace trace = host.finish();
    EXPECT_EQ(Facts(trace, {}).interrupted.times, 0);
}

/// 24 passes of about 10 ms that get `perPass` µs longer each, under noise of 3 %.
RuleState steadiness(std::int64_t perPass)
{
    HostTrace host;
    std::int64_t now = 1000;
    for (std::int64_t pass = 0; pass < 24; ++pass) {
        const std::int64_t time = 10'000 + perPass * pass + (pass * 37 % 24 - 12) * 25;
        host.op("aten::mkldnn_convolution", now, now + time);
        host.op("aten::relu_", now + time + 2, now + time + 302);
        now += time + 304;
    }
    const trace::Trace trace = host.finish();
    const Facts facts(trace, {});
    EXPECT_TRUE(facts.iterations.found());
    return result(reportFindings(facts), "not-steady").state;
}

TEST(Rules, ATrendIsNamedByItsSignificanceNotByItsSizeAlone)
{
    EXPECT_EQ(steadiness(0), RuleState::quiet);
    EXPECT_EQ(steadiness(4), RuleState::quiet) << "noise alone does as much";
    EXPECT_EQ(steadiness(14), RuleState::fired) << "1.5 % between the halves, p between 0.001 and 0.01";
    EXPECT_EQ(steadiness(60), RuleState::fired);
}

/// A device that runs `iterations` passes as `pass` says, each ending in a wait and marked as an iteration.
trace::Trace marked(int iterations, const std::function<void(testing::Recorder&, int)>& pass)
{
    testing::Dice dice(kSeed);
    testing::Recorder r(dice);
    for (int i = 0; i < iterations; ++i) {
        const std::int64_t began = r.now();
        pass(r, i);
        r.synchronize();
        r.range("ProfilerStep#" + std::to_string(i), began, r.now());
    }
    return r.finish();
}

TEST(Rules, KernelsShorterThanTheirCallAndTinyOnesCountTogether)
{
    const trace::Trace trace = marked(15, [](testing::Recorder& r, int) {
        for (int k = 0; k < 50; ++k) {
            testing::Recorder::Kernel kernel;
            kernel.dispatch = 65e3;
            kernel.time = k % 5 == 0 ? 8e3 : k % 5 == 1 ? 30e3 : 100e3;
            kernel.call = k % 5 == 1 ? 60e3 : 4e3;
            r.run(kernel);
        }
    });
    const Facts facts(trace, {});
    EXPECT_LT(facts.launches.tiny, facts.launches.kernels * 3 / 10);
    EXPECT_LT(facts.launches.shorterThanCall, facts.launches.kernels * 3 / 10);
    const RuleResult r = result(reportFindings(facts), "tiny-kernels");
    ASSERT_EQ(r.state, RuleState::fired);
    EXPECT_NE(sentences::sentence(r.findings[0].text).find("shorter than the call that launches them, or than 10 µs"),
              std::string::npos)
        << sentences::sentence(r.findings[0].text);
}

TEST(Rules, UploadsAsLongAsTheKernelsAreNamedWhereLittleOfThemShows)
{
    const auto uploads = [](double share) {
        return marked(15, [share](testing::Recorder& r, int) {
            r.copy(trace::CopyDirection::hostToDevice, static_cast<std::int64_t>(share * 2e6 * 12),
                   testing::Recorder::Host::pinned, testing::Recorder::kCopy);
            for (int k = 0; k < 20; ++k) {
                testing::Recorder::Kernel kernel;
                kernel.time = 100e3;
                r.run(kernel);
            }
        });
    };
    const trace::Trace longer = uploads(1.06);
    const Facts facts(longer, {});
    EXPECT_LT(facts.share(facts.transfers.exposed(trace::CopyDirection::hostToDevice)), 0.15);
    EXPECT_EQ(result(reportFindings(facts), "upload-bound").state, RuleState::fired);
    const trace::Trace shorter = uploads(0.8);
    EXPECT_EQ(result(reportFindings(Facts(shorter, {})), "upload-bound").state, RuleState::quiet);
}

TEST(Rules, AStageOffTheDeviceIsNamedHoweverRareAndCostsWhatItsOwnTripsCost)
{
    const auto program = [](bool away) {
        return marked(18, [away](testing::Recorder& r, int i) {
            for (int k = 0; k < 20; ++k) {
                testing::Recorder::Kernel kernel;
                kernel.time = 100e3;
                r.run(kernel);
                if (k == 5) { // a wait that every pass has and that no trip causes
                    r.synchronize();
                    r.spend(150'000);
                }
                if (away && k == 10 && i % 3 == 1) {
                    r.copy(trace::CopyDirection::deviceToHost, 6'000'000, testing::Recorder::Host::pinned,
                           testing::Recorder::kCompute);
                    r.synchronize();
                    r.copy(trace::CopyDirection::hostToDevice, 6'000'000, testing::Recorder::Host::pinned,
                           testing::Recorder::kCompute);
                }
            }
        });
    };
    const trace::Trace rare = program(true);
    const RuleResult r = result(reportFindings(Facts(rare, {})), "host-round-trip");
    ASSERT_EQ(r.state, RuleState::fired);
    // 1 ms of copies in one pass of three of 2.2 ms or, with them, 3.2 ms.
    EXPECT_NEAR(r.findings[0].gain.hi, 0.13, 0.03) << sentences::sentence(r.findings[0].text);
    const trace::Trace none = program(false);
    EXPECT_EQ(result(reportFindings(Facts(none, {})), "host-round-trip").state, RuleState::quiet);
}

TEST(Rules, OnlyASwitchThatCanBeTurnedOnByItselfIsAdvised)
{
    testing::Planted planted = testing::plantedTrace(Plant::cpuPointwise, kSeed);
    model::Config& config = *planted.context.config;
    const auto advised = [&] {
        const Facts facts(planted.trace, planted.context);
        return result(reportFindings(facts), "unfused-elementwise").findings.at(0).knob.switchName;
    };
    EXPECT_EQ(advised(), "aoti") << "O0: oneDNN Graph needs the profiling executor";
    config.switches["jit_optimize"] = true;
    EXPECT_EQ(advised(), "onednn_graph");
    config.switches["optimize_for_inference"] = true;
    EXPECT_EQ(advised(), "") << "O1: both exclude what is on";
}

TEST(Rules, ASwitchOfAnotherEngineIsNotAdvised)
{
    testing::Planted planted = testing::plantedTrace(Plant::cpuBatchNorm, kSeed);
    planted.context.config->backend = "openvino";
    planted.context.config->switches = {{"streams", false}};
    const Facts facts(planted.trace, planted.context);
    const Finding f = result(reportFindings(facts), "unfused-batchnorm").findings.at(0);
    EXPECT_EQ(f.knob.switchName, "");
    EXPECT_FALSE(f.knob.text.empty());

    // Without a trial the recorder tells: Kineto records PyTorch, a trace of another tool may be of anything.
    planted.context.config.reset();
    const auto advised = [&planted](const char* source) {
        planted.trace.source = source;
        const Facts recorded(planted.trace, planted.context);
        return result(reportFindings(recorded), "unfused-batchnorm").findings.at(0).knob.switchName;
    };
    EXPECT_EQ(advised("kineto"), "freeze");
    EXPECT_EQ(advised("chrome"), "");
}

TEST(Rules, SayOnceWhatIsMissingWhenCallsWereNotRecorded)
{
    const testing::Planted planted = testing::plantedTrace(Plant::slowHost, kSeed);
    trace::Trace bare = planted.trace;
    std::erase_if(bare.series, [](const trace::Series& s) { return s.kind == trace::EventKind::runtimeCall; });
    const Facts facts(bare, {});
    const FindingReport j = reportFindings(facts);
    for (const char* rule : {"enqueue-bound", "blocking-copies", "waits-in-iteration", "allocation-in-loop"}) {
        EXPECT_EQ(result(j, rule).state, RuleState::unknown) << rule;
        EXPECT_FALSE(result(j, rule).reason.empty());
    }
}

TEST(Rules, ProcessorsThatWereBusyStandForThreadsThatNobodyTold)
{
    testing::Planted planted = testing::plantedTrace(Plant::cpuOneThread, kSeed);
    planted.context.config.reset();
    planted.context.device->cores = 4;
    const auto busy = [&planted](std::int64_t percent) {
        trace::Trace trace = planted.trace;
        trace::Track track;
        track.type = trace::TrackType::counter;
        track.label = "CPU use";
        track.unit = "%";
        trace.tracks.push_back(track);
        trace::Series series{
            trace::TrackId{static_cast<std::uint32_t>(trace.tracks.size() - 1)}, trace::EventKind::counter, {}};
        for (std::int64_t t = trace.begin().count; t < trace.end().count;
             t += (trace.end() - trace.begin()).count / 20 + 1) {
            trace::Event e;
            e.start = {t};
            e.value = percent;
            series.events.append(e);
        }
        if (percent == 0)
            series.events.value.clear(); // a workspace returns no column for zeros alone
        trace.series.push_back(std::move(series));
        return trace;
    };
    const auto state = [&planted](const trace::Trace& trace) {
        return result(reportFindings(Facts(trace, planted.context)), "idle-cores").state;
    };
    EXPECT_EQ(state(planted.trace), RuleState::unknown);
    EXPECT_EQ(state(busy(104)), RuleState::fired);
    EXPECT_EQ(state(busy(390)), RuleState::quiet);
    EXPECT_EQ(state(busy(0)), RuleState::fired) << "a process that got no processor while it was looked at";
    planted.context.config =
        model::makeConfig(model::OptLevel::o0, model::Precision::fp32, 1, 2, model::DeviceType::cpu());
    EXPECT_EQ(state(busy(196)), RuleState::fired);
    EXPECT_EQ(state(busy(310)), RuleState::quiet) << "more than its threads were busy";
}

/// Every sentence that a person reads.
std::string wordsOf(const FindingReport& j)
{
    std::string text = sentence(j.verdict.sentence);
    for (const base::Message& need : j.verdict.needs)
        text += "\n" + sentence(need);
    for (const Finding& f : j.findings)
        text += "\n" + sentence(f.text) + "\n" + sentence(f.knob.text) + "\n" + sentence(f.verification);
    return text;
}

TEST(Rules, NoSentenceCallsASectionThatRepeatsAnIterationOrAPass)
{
    // A program that nobody marked: whether what repeats is a pass is not recorded.
    testing::Dice dice(kSeed);
    testing::Recorder r(dice);
    for (int layer = 0; layer < 24; ++layer) {
        for (int k = 0; k < 6; ++k) {
            testing::Recorder::Kernel kernel;
            static constexpr std::array kNames = {"norm", "qkv", "score", "project", "grow", "shrink"};
            kernel.name = kNames[static_cast<std::size_t>(k)];
            kernel.time = 3e3;
            kernel.dispatch = 20e3;
            r.run(kernel);
        }
        r.copy(trace::CopyDirection::hostToDevice, 100'000, testing::Recorder::Host::pageable,
               testing::Recorder::kCompute);
        r.copy(trace::CopyDirection::hostToDevice, 200'000, testing::Recorder::Host::pageable,
               testing::Recorder::kCompute);
    }
    const trace::Trace trace = r.finish();
    const Facts facts(trace, {});
    ASSERT_TRUE(facts.iterations.found());
    ASSERT_FALSE(facts.iterations.marked());
    const FindingReport j = reportFindings(facts);
    ASSERT_FALSE(j.findings.empty());
    std::string words = wordsOf(j);
    EXPECT_NE(words.find("repeated section"), std::string::npos) << words;
    for (const char* const hint : {"No iteration is marked in the recording.", " or a whole pass.", "Mark passes"})
        if (const auto at = words.find(hint); at != std::string::npos)
            words.erase(at, std::string_view(hint).size());
    for (const char* const claim : {"iteration", " pass", "each time"})
        EXPECT_EQ(words.find(claim), std::string::npos) << claim << ": " << words;
}

TEST(Rules, AStepThatTheHostPreparesForHalfOfItsTimeIsHalfIdle)
{
    const trace::Trace trace = marked(1, [](testing::Recorder& r, int) {
        r.spend(4'000'000);
        for (int k = 0; k < 40; ++k) {
            testing::Recorder::Kernel kernel;
            kernel.name = "ampere_sgemm_128x64_tn";
            kernel.time = 100e3;
            r.run(kernel);
        }
    });
    const Facts facts(trace, {});
    EXPECT_NEAR(facts.use.busyShare(), 0.5, 0.05);
    EXPECT_NEAR(facts.share(Cause::host), 0.5, 0.05);
    const Verdict verdict = reportFindings(facts).verdict;
    EXPECT_EQ(verdict.kind, VerdictKind::hostBound) << sentence(verdict.sentence);
}

TEST(Rules, CommunicationIsNoKernelThatLeavesTheDeviceEmptyOrIsTooShort)
{
    const auto program = [](const char* const name) {
        return marked(15, [name](testing::Recorder& r, int) {
            for (int k = 0; k < 10; ++k) {
                testing::Recorder::Kernel gemm;
                gemm.name = "ampere_sgemm_128x64_tn";
                gemm.time = 100e3;
                r.run(gemm);
                for (int c = 0; c < 2; ++c) {
                    testing::Recorder::Kernel other;
                    other.name = name;
                    other.time = c == 0 ? 600e3 : 5e3;
                    other.blocks = 4;
                    r.run(other);
                }
                r.synchronize();
                r.spend(20'000);
            }
        });
    };
    for (const char* const name :
         {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)", "ncclDevKernel_Generic",
          "void vllm::cross_device_reduce_1stage<__hip_bfloat16, 8>(vllm::RankData*)"}) {
        const trace::Trace trace = program(name);
        const FindingReport j = reportFindings(Facts(trace, {}));
        EXPECT_EQ(result(j, "underfilled-device").state, RuleState::quiet) << name;
        EXPECT_EQ(result(j, "tiny-kernels").state, RuleState::quiet) << name;
    }
    const trace::Trace computing = program("ampere_sgemm_32x32_sliced1x4_tn");
    EXPECT_EQ(result(reportFindings(Facts(computing, {})), "underfilled-device").state, RuleState::fired)
        << "the same grids, computing";
}

TEST(Rules, BatchNormalisationIsNotToBeFoldedWhereOnlyTheKernelsTellThatTheModelIsTrained)
{
    const auto program = [](const char* const last) {
        return marked(15, [last](testing::Recorder& r, int) {
            for (const char* const name :
                 {"miopenSp3AsmConv_v30_3_1_gfx9_fp32_f3x2", "MIOpenBatchNormFwdTrainSpatial_batchnorm", last}) {
                testing::Recorder::Kernel kernel;
                kernel.op = "aten::op";
                kernel.name = name;
                kernel.time = 100e3;
                r.run(kernel);
            }
        });
    };
    const auto state = [](const trace::Trace& trace) {
        return result(reportFindings(Facts(trace, {})), "unfused-batchnorm").state;
    };
    EXPECT_EQ(state(program("miopenSp3AsmConv_v30_3_1_gfx9_fp32_f3x2")), RuleState::fired);
    EXPECT_EQ(state(program("igemm_bwd_gtcx2_nhwc_fp32")), RuleState::fired) << "or a transposed convolution";
    EXPECT_EQ(state(program("igemm_wrw_gtcx2_nhwc_fp32_bx0")), RuleState::quiet);
    EXPECT_EQ(state(program("void at::native::batch_norm_backward_elemt_channels_last_kernel<4, float>(float*)")),
              RuleState::quiet);
}

TEST(Rules, ChannelsLastIsNotAdvisedToConvolutionsThatHaveIt)
{
    for (const bool last : {false, true}) {
        trace::TraceBuilder builder;
        const auto host = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
        const auto add = [&](const char* name, std::int64_t from, std::int64_t to, const char* strides) {
            trace::Event e;
            e.start = {from * 1000};
            e.duration = {(to - from) * 1000};
            e.name = builder.intern(name);
            e.detail = builder.detail(trace::OperatorDetail{builder.intern("[[8, 64, 32, 32]]"),
                                                            builder.intern("[\"float\"]"),
                                                            {},
                                                            -1,
                                                            builder.intern(strides),
                                                            {}});
            builder.add(host, trace::EventKind::operatorCall, e);
        };
        const char* const first = "[[65536, 1024, 32, 1]]";
        for (std::int64_t at = 0; at < 20'000; at += 1000) {
            add("aten::mkldnn_convolution", at, at + 600, last ? "[[65536, 1, 2048, 64]]" : first);
            add("aten::contiguous", at + 601, at + 990, first);
            add("aten::clone", at + 602, at + 989, first);
        }
        const trace::Trace trace = builder.finish();
        const FindingReport report = reportFindings(Facts(trace, {}));
        const RuleResult& found = result(report, "layout-conversions");
        ASSERT_EQ(found.state, RuleState::fired);
        ASSERT_FALSE(found.findings.empty());
        EXPECT_EQ(sentences::sentence(found.findings.front().knob.text).find("with channels last already") !=
                      std::string::npos,
                  last)
            << sentences::sentence(found.findings.front().knob.text);
    }
}

TEST(Rules, AConversionBetweenLayoutsOfOneTypeIsNoConversionOfTypes)
{
    for (const bool types : {false, true}) {
        trace::TraceBuilder builder;
        const auto host = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
        const auto add = [&](const char* name, std::int64_t from, std::int64_t to, const char* inputs) {
            trace::Event e;
            e.start = {from * 1000};
            e.duration = {(to - from) * 1000};
            e.name = builder.intern(name);
            e.detail = builder.detail(trace::OperatorDetail{{}, builder.intern(inputs), {}, -1});
            builder.add(host, trace::EventKind::operatorCall, e);
        };
        for (std::int64_t at = 0; at < 20'000; at += 1000) {
            add("aten::mkldnn_convolution", at, at + 600, "[\"float\", \"float\"]");
            add("aten::to", at + 601, at + 990, "[\"float\", \"Scalar\"]");
            add("aten::_to_copy", at + 602, at + 989, "[\"float\", \"Scalar\"]");
            add("aten::copy_", at + 603, at + 988,
                types ? "[\"c10::BFloat16\", \"float\", \"\"]" : "[\"float\", \"float\", \"\"]");
        }
        const trace::Trace trace = builder.finish();
        const FindingReport j = reportFindings(Facts(trace, {}));
        EXPECT_EQ(result(j, "type-conversions").state, types ? RuleState::fired : RuleState::quiet);
        EXPECT_EQ(result(j, "layout-conversions").state, types ? RuleState::quiet : RuleState::fired);
    }
}

} // namespace
} // namespace apertune::advice
