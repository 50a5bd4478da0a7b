// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/sweep_option.h"
#include "app/cli/tune_options.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "core/sweeps/sweep_of.h"
#include "tests/app/cli/shell_words.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace apertune::cli {
namespace {

class SweepOption : public ::testing::Test
{
protected:
    std::string file(const std::string& text, const std::string& name = "sweep.yaml") const
    {
        const auto path = m_dir.path() / name;
        EXPECT_TRUE(base::writeFileAtomically(path, text));
        return path.string();
    }

    /// The options of `tune`; nothing when they are refused.
    static std::optional<Tune> tune(const std::string& options)
    {
        CLI::App app;
        const auto read = declareTuneOptions(app);
        std::vector<std::string> reversed = test::shellWords(options);
        std::reverse(reversed.begin(), reversed.end());
        EXPECT_NO_THROW(app.parse(reversed)) << options;
        return *read;
    }
    Tune ofFile(const std::string& text, const std::string& more = {}) const
    {
        return tune("--config '" + file(text) + "' " + more).value();
    }

    /// What a sweep asks for, in full.
    static std::string contentOf(const Tune& tune)
    {
        base::Json content = model::toJson(tune.request.space);
        content.update(model::toJson(tune.request.goal));
        content["model"] = tune.model;
        content["budget"] = tune.request.budget.count;
        content["measuring"] = tune.request.budgetKind == model::BudgetKind::measuring;
        content["target"] = tune.request.target;
        content["sizes"] = tune.imageSizes;
        content["robust"] = tune.robust;
        content["trials"] = tune.loadTrials;
        content["import"] = tune.importLimits.time.count;
        for (const workload::Scenario& load : tune.scenarios)
            content["loads"].push_back({std::string(toString(load.kind)), load.duration.count, load.bound.count,
                                        load.percentile, load.rate, load.seed});
        return content.dump(1);
    }

    /// Message, place and hint of the error of `tune --config FILE more`.
    std::string errorOf(const std::string& text, const std::string& more = {}) const
    {
        std::vector<std::string> words{"tune", "--config", file(text)};
        const std::vector<std::string> further = test::shellWords(more);
        words.insert(words.end(), further.begin(), further.end());
        const auto invocation = parseCommandLine(words);
        EXPECT_FALSE(invocation) << text;
        if (invocation)
            return {};
        const base::Error& error = invocation.error();
        EXPECT_EQ(error.code, base::ErrorCode::invalidArgument);
        EXPECT_FALSE(error.hint.empty()) << text;
        std::string place = error.context;
        if (const auto at = place.find(m_dir.path().string()); at != std::string::npos)
            place.erase(at, m_dir.path().string().size() + 1);
        return sentences::sentence(error.message) + " (" + place + ") " + sentences::sentence(error.hint);
    }

    base::TemporaryDir m_dir = std::move(base::TemporaryDir::create("sweep-option")).value();
};

constexpr const char* kLine = "my-model --levels O0,O3 --precisions fp32,bf16 --batches auto --memory-share 90% "
                              "--switch freeze=on,off --switch channels_last=on --emulated --search grid "
                              "--goal latency,memory --max-latency 20ms,p99=25ms --max-memory 4GiB --max-energy 50mJ "
                              "--max-first 500ms --measuring-budget 90s --target 0.5% --min-quality 0.999 "
                              "--max-rel-error 20% --max-abs-error 1e-3 --calibration /tmp --calibration-samples 8 "
                              "--backends libtorch,openvino --devices cpu,cuda:0 --threads 1,2 --spread "
                              "--import-timeout 10m --import-memory 4GiB --scenario server,single-stream --robust "
                              "--load-trials 5 --duration 20s --percentile 95 --rate 10 --batch-wait 2ms --seed 7";

constexpr const char* kYaml = R"(schema: apertune.sweep/1
model: my-model
levels: [O0, O3]
precisions: fp32,bf16
batches: auto
memory-share: 90%
switch:
  freeze: [on, off]
  channels_last: on
emulated: true
search: grid
goal: [latency, memory]
max-latency: [20ms, p99=25ms]
max-memory: 4GiB
max-energy: 50mJ
max-first: 500ms
measuring-budget: 90s
target: 0.5%
min-quality: 0.999
max-rel-error: 20%
max-abs-error: 1e-3
calibration: /tmp
calibration-samples: 8
backends: [libtorch, openvino]
devices: [cpu, "cuda:0"]
threads: [1, 2]
spread: true
import-timeout: 10m
import-memory: 4GiB
scenario: [server, single-stream]
robust: true
load-trials: 5
duration: 20s
percentile: 95
rate: 10
batch-wait: 2ms
seed: 7
)";

TEST_F(SweepOption, AFileSaysWhatOptionsSay)
{
    EXPECT_EQ(contentOf(ofFile(kYaml)), contentOf(*tune(kLine)));
    const auto sizes = ofFile("model: m\nimage-sizes: [160, 224]\n");
    EXPECT_EQ(contentOf(sizes), contentOf(*tune("m --image-sizes 160,224")));
}

TEST_F(SweepOption, EveryOptionOfASweepHasAKeyAndNoOther)
{
    CLI::App app;
    const auto read = declareTuneOptions(app);
    std::vector<std::string> without;
    for (const CLI::Option* option : app.get_options())
        if (sweepKey(*option).empty())
            without.push_back(option->get_name());
    EXPECT_EQ(without, (std::vector<std::string>{"--help", "--config", "--write-config", "--dry-run", "--resume",
                                                 "--when-quiet", "--retry-failed"}));
}

TEST_F(SweepOption, WhatIsWrittenSaysTheSame)
{
    const Tune asked = *tune(kLine);
    EXPECT_EQ(contentOf(ofFile(sweeps::sweepYaml(asked.sweep))), contentOf(asked));
    EXPECT_EQ(contentOf(ofFile(sweeps::sweepJson(asked.sweep))), contentOf(asked));
    const Tune ofBoth = ofFile(kYaml, "--levels O1 --threads 1");
    EXPECT_EQ(contentOf(ofFile(sweeps::sweepYaml(ofBoth.sweep), "--levels O0,O3 --threads 1,2")), contentOf(asked));
}

TEST_F(SweepOption, ASweepOfAStudyIsReadAsTheSameStudy)
{
    const Tune asked = *tune(kLine);
    const study::StudyRequest& r = asked.request;
    const Tune read =
        ofFile(sweeps::sweepYaml(sweeps::sweepOf({asked.model, r.goal, r.space, r.budget, r.budgetKind, r.target})));
    EXPECT_EQ(model::toJson(read.request.space).dump(), model::toJson(r.space).dump());
    EXPECT_EQ(model::toJson(read.request.goal).dump(), model::toJson(r.goal).dump());
    EXPECT_EQ(read.request.budget, r.budget);
    EXPECT_EQ(read.request.budgetKind, r.budgetKind);
    EXPECT_EQ(read.request.target, r.target);
    EXPECT_EQ(read.model, asked.model);
}

TEST_F(SweepOption, TheCommandLineComesBeforeTheFile)
{
    const std::string yaml = "model: a\nlevels: [O0]\nbatches: [4]\nbudget: 10m\nswitch: {freeze: on}\nspread: false\n";
    const std::string line = "b --batches 1,2 --switch channels_last=off --spread --measuring-budget 5s";
    for (const std::string& options :
         {line + " --config '" + file(yaml) + "'", "--config '" + file(yaml) + "' " + line})
        EXPECT_EQ(contentOf(*tune(options)), contentOf(*tune(line + " --levels O0"))) << options;
}

TEST_F(SweepOption, AResumedStudyIsComparedWithTheFile)
{
    EXPECT_EQ(ofFile("levels: O0\nspread: false\n", "--resume").given,
              (std::set<std::string>{"--config", "--levels", "--resume"}));
}

TEST_F(SweepOption, TheLineThatRepeatsTheCallNeedsNoFile)
{
    const std::string path = file("model: my model\nlevels: [O0, O1]\nbatches: [4]\nswitch: {freeze: [on, off]}\n");
    const std::vector<std::string> words{"tune",   "--config", path, "--batches", "1", "--write-config=x.yaml",
                                         "--json", "--robust"};
    EXPECT_EQ(repeatLine(*tune("--config '" + path + "' --batches 1 --robust"), repeatableLine(words)),
              "apertune tune --batches 1 --robust 'my model' --levels O0,O1 --switch freeze=on,off");
}

TEST_F(SweepOption, NonsenseIsRefusedWithFileLineAndWhatToDo)
{
    const std::string seeHelp = " See `apertune tune --help`.";
    EXPECT_EQ(
        errorOf("model: m\nbatch: 4\n"),
        "Unknown key \"batch\". (sweep.yaml, line 2) Did you mean batches? Keys are the long options of the verb, "
        "without the dashes." +
            seeHelp);
    EXPECT_EQ(errorOf("model: m\n--levels: O0\n").substr(0, 52),
              "Unknown key \"--levels\". (sweep.yaml, line 2) Did you");
    EXPECT_EQ(errorOf("model: m\n\nlevels: [O0, O9]\n").find("--levels: \"O9\" is not a level."), 0U);
    EXPECT_NE(errorOf("model: m\n\nlevels: [O0, O9]\n").find("(sweep.yaml, line 3)"), std::string::npos);
    EXPECT_EQ(errorOf("model: m\nspread: 1\n"),
              "The key spread takes true or false. (sweep.yaml, line 2) Write spread: true." + seeHelp);
    EXPECT_EQ(errorOf("model: m\nlevels: true\n").find("The key levels takes no true or false. (sweep.yaml, line 2)"),
              0U);
    EXPECT_EQ(errorOf("model: m\nbudget: [1m, 2m]\n").find("The key budget takes one value and no list."), 0U);
    EXPECT_EQ(errorOf("model: [m, n]\n").find("The key model takes one value and no list."), 0U);
    EXPECT_EQ(errorOf("model: m\nlevels: {O0: on}\n").find("The key levels takes no map of names."), 0U);
    EXPECT_EQ(errorOf("model: m\nswitch: {freeze: maybe}\n")
                  .find("--switch: \"freeze=maybe\" is not of the form NAME=on,off. (sweep.yaml, line 2)"),
              0U);
    EXPECT_NE(errorOf("model: m\ntarget: 5\n").find("(sweep.yaml, line 2)"), std::string::npos);
    EXPECT_NE(errorOf("model: m\nload-trials: many\nscenario: offline\n").find("(sweep.yaml, line 2)"),
              std::string::npos);
    EXPECT_NE(errorOf("model: m\nscenario: server\nmax-latency: 5ms\nrate: fast\n").find("(sweep.yaml, line 4)"),
              std::string::npos);
    EXPECT_EQ(errorOf("model: m\ncalibration: /nowhere\n")
                  .find("The value of calibration does not fit: --calibration: Directory does not exist: /nowhere. "
                        "(sweep.yaml, line 2)"),
              0U);
    EXPECT_EQ(errorOf("model: m\nrate: 5\n"),
              "The key rate needs scenario. (sweep.yaml, line 2) Add it, or remove rate." + seeHelp);
    EXPECT_EQ(errorOf("model: m\nbudget: 1m\nmeasuring-budget: 1m\n"),
              "The key measuring-budget and --budget exclude each other. (sweep.yaml, line 3) Leave out one of them." +
                  seeHelp);
    EXPECT_EQ(errorOf("model: m\nimage-sizes: [64]\n", "--dry-run"),
              "The key image-sizes and --dry-run exclude each other. (sweep.yaml, line 2) Leave out one of them." +
                  seeHelp);
    EXPECT_EQ(errorOf("model: m\nmemory-share: 90%\n").find("--memory-share says how far automatic batches go"), 0U);
    EXPECT_NE(errorOf("model: m\nmemory-share: 90%\n").find("(with the values of sweep.yaml)"), std::string::npos);
    EXPECT_EQ(errorOf("levels: O0\n").find("MODEL is missing."), 0U);
    EXPECT_EQ(errorOf("a: [1\n").find("Line 2 is neither YAML nor JSON"), 0U);
}

TEST_F(SweepOption, AFileGrantsNothingAndDecidesNothingAboutTheCall)
{
    for (const char* key : {"trust: true", "no-sandbox: true", "store: /tmp/x.apertune", "json: true", "quiet: true",
                            "dry-run: true", "resume: s1", "config: other.yaml", "write-config: x", "help: true"}) {
        const std::string error = errorOf("model: m\n" + std::string(key) + "\n");
        EXPECT_NE(error.find("belongs to one call, and a sweep file cannot hold it. (sweep.yaml, line 2)"),
                  std::string::npos)
            << error;
    }
}

TEST_F(SweepOption, AFileThatIsNotThereOrNoneIsRefused)
{
    EXPECT_EQ(parseCommandLine({"tune", "--config", "/nowhere/x.yaml"}).error().code, base::ErrorCode::notFound);
    EXPECT_FALSE(parseCommandLine({"tune", "--config", ""}));
    EXPECT_FALSE(parseCommandLine({"tune", "--config", m_dir.path().string()}));
    EXPECT_TRUE(parseCommandLine({"tune", "--config", file("[nonsense"), "--help"})) << "help is always there";
}

TEST_F(SweepOption, ASweepMayBeSharedByMachines)
{
    const std::string path = file("model: m\nlevels: [O0]\nbatches: [1, 2]\n");
    EXPECT_TRUE(parseCommandLine({"shard", "plan", "--config", path, "--shards", "2", "--out", "x"}));
    const auto without =
        parseCommandLine({"shard", "plan", "--config", file("levels: [O0]\n"), "--shards", "2", "--out", "x"});
    ASSERT_FALSE(without);
    EXPECT_EQ(sentences::sentence(without.error().message), "MODEL is required.");
}

} // namespace
} // namespace apertune::cli
