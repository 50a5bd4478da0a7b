// SPDX-License-Identifier: GPL-3.0-or-later
// Real models with one fault each that a CPU can have, traced by the real worker, and their sound twins.
#include "core/advice/verdict.h"
#include "core/base/error.h"
#include "core/models/trust.h"
#include "core/probe/device_probe.h"
#include "core/runs/trace_run.h"
#include "core/sentences/sentences.h"
#include "core/worker/local_launcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace apertune::advice {
namespace {

using sentences::sentence;

const std::filesystem::path kArtifacts = APERTUNE_TEST_ARTIFACTS;

void makeArtifactsOnce()
{
    static const int code =
        std::system(("\"" APERTUNE_TEST_PYTHON "\" \"" APERTUNE_TEST_SOURCES
                     "/planted_models.py\" \"" APERTUNE_TEST_ARTIFACTS "\" \"" APERTUNE_TEST_EXPORTER "\""));
    ASSERT_EQ(code, 0) << "the models could not be made";
    // The permission to run them is kept beside them, not with what the user let run.
    ASSERT_EQ(::setenv("XDG_DATA_HOME", (kArtifacts / "data").c_str(), 1), 0);
}

model::Device thisCpu()
{
    for (const model::Device& device : probe::probeDevices())
        if (device.type.isCpu())
            return device;
    return {};
}

struct Case
{
    std::string model;
    int threads = 0; ///< 0: a thread a core
    bool freeze = false;
    auto operator<=>(const Case&) const = default;
};

struct Diagnosis
{
    std::set<std::string> rules;
    std::string text; ///< verdict and findings, for a message
    Verdict verdict;
};

struct PlantedCpu : ::testing::Test
{
    void SetUp() override { makeArtifactsOnce(); }

    /// Each case is traced once: the twins are shared.
    const Diagnosis& judged(const Case& c)
    {
        static std::map<Case, Diagnosis> known;
        const auto found = known.find(c);
        return found != known.end() ? found->second : known.emplace(c, traced(c)).first->second;
    }

    static Diagnosis traced(const Case& c)
    {
        const model::Device cpu = thisCpu();
        worker::Installation installation = worker::Installation::locate();
        installation.torchRoot = APERTUNE_TEST_TORCH;
        const auto launcher = worker::makeLocalLauncher(installation);
        const std::vector<model::Device> devices{cpu};
        model::Study study;
        study.model.name = c.model;
        study.model.artifact = kArtifacts / c.model;
        models::trustModel(study.model);
        model::Trial trial;
        trial.device = cpu.id;
        trial.config = model::makeConfig(model::OptLevel::o0, model::Precision::fp32, 1,
                                         c.threads > 0 ? c.threads : std::max(1, cpu.cores), model::DeviceType::cpu());
        trial.config.switches["freeze"] = c.freeze;
        const auto trace = runs::captureTrial({*launcher, nullptr, devices}, study, trial, {20, base::fromSeconds(20)},
                                              [](const auto&, const auto&) {}, {});
        EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : sentences::describe(trace.error()));
        Diagnosis diagnosis;
        if (!trace)
            return diagnosis;
        Context context;
        context.config = trial.config;
        context.device = cpu;
        const Facts facts(*trace, context);
        const FindingReport j = reportFindings(facts);
        diagnosis.verdict = j.verdict;
        diagnosis.text = c.model + ": " + sentence(j.verdict.sentence) + "\n";
        for (const Finding& f : j.findings) {
            diagnosis.rules.insert(f.rule);
            diagnosis.text += f.rule + " " + sentence(f.title) + ": " + sentence(f.text) + "\n";
        }
        return diagnosis;
    }

    /// The rule names the planted fault, and not its twin; the twin has none of the other faults either.
    void expectNamed(const std::string& rule, const Case& planted, const Case& twin)
    {
        const Diagnosis& faulty = judged(planted);
        EXPECT_TRUE(faulty.rules.contains(rule)) << rule << " is not named in " << faulty.text;
        EXPECT_NE(faulty.verdict.kind, VerdictKind::abstained) << faulty.text;
        const Diagnosis& sound = judged(twin);
        for (const char* const other :
             {"needless-copies", "layout-conversions", "unfused-batchnorm", "allocation-in-loop", "idle-cores"})
            EXPECT_FALSE(sound.rules.contains(other)) << other << " is named in " << sound.text;
        EXPECT_NE(sound.verdict.kind, VerdictKind::abstained) << sound.text;
    }
};

TEST_F(PlantedCpu, FreshMemoryInTheLoopIsNamed)
{
    expectNamed("allocation-in-loop", {"allocates"}, {"keeps"});
    EXPECT_EQ(judged({"allocates"}).verdict.kind, VerdictKind::allocationBound);
}

TEST_F(PlantedCpu, ExtraCopiesAreNamed)
{
    expectNamed("needless-copies", {"copies"}, {"sound"});
}

TEST_F(PlantedCpu, NormalisationThatIsNotFoldedIsNamed)
{
    expectNamed("unfused-batchnorm", {"normalises"}, {"normalises", 0, true});
}

TEST_F(PlantedCpu, ALayoutThatChangesBackAndForthIsNamed)
{
    expectNamed("layout-conversions", {"changes_layout"}, {"sound"});
}

TEST_F(PlantedCpu, OneThreadOfSeveralIsNamed)
{
    if (thisCpu().cores < 2)
        GTEST_SKIP() << "needs a processor with two cores";
    expectNamed("idle-cores", {"sound", 1}, {"sound"});
}

} // namespace
} // namespace apertune::advice
