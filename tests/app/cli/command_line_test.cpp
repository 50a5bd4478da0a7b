// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/tune_options.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/store/store.h"
#include "tests/app/cli/shell_words.h"
#include "tests/support/section.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace apertune::cli {
namespace {

base::Result<Invocation> parse(const std::string& line)
{
    return parseCommandLine(test::shellWords(line));
}

/// The options of `tune`; those that all verbs share are not among them.
Tune tune(const std::string& options)
{
    CLI::App app;
    const auto read = declareTuneOptions(app);
    std::vector<std::string> reversed = test::shellWords(options);
    std::reverse(reversed.begin(), reversed.end());
    EXPECT_NO_THROW(app.parse(reversed)) << options;
    return *read;
}

std::string errorOf(const std::string& line)
{
    const auto invocation = parse(line);
    EXPECT_FALSE(invocation) << line;
    return invocation
               ? std::string()
               : sentences::sentence(invocation.error().message) + " " + sentences::sentence(invocation.error().hint);
}

std::string help(const std::string& verb)
{
    const auto invocation = parse(verb + " --help");
    EXPECT_TRUE(invocation) << verb;
    return invocation ? invocation->text : std::string();
}

TEST(CommandLine, EveryVerbHasHelpWithExamplesThatAreValid)
{
    // The parser reads the sweep file that examples name.
    const auto folder = base::TemporaryDir::create("examples");
    ASSERT_TRUE(folder);
    ASSERT_TRUE(base::writeFileAtomically(folder->path() / "sweep.yaml", "model: resnet50\n"));
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder->path());
    for (const Verb& verb : allVerbs()) {
        const std::string name = nameOf(verb);
        const std::string text = help(name);
        std::istringstream lines(text);
        int examples = 0;
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with("  apertune "))
                continue;
            ++examples;
            line = line.substr(11);
            line = line.substr(0, std::min(line.find("  "), line.find(" > ")));
            EXPECT_TRUE(parse(line)) << line << "\n" << errorOf(line);
        }
        EXPECT_GT(examples, 0) << name;
        EXPECT_NE(text.find("Usage: apertune " + name), std::string::npos) << text;
    }
    std::filesystem::current_path(before);
}

TEST(CommandLine, EveryVerbAndEveryOptionIsExplainedByAPhraseThatStandsByItself)
{
    const CommandTree tree(allVerbs());
    std::set<std::string> names;
    for (const CommandTree::Leaf& leaf : tree.leaves()) {
        const std::string name = nameOf(leaf.verb);
        EXPECT_TRUE(names.insert(name).second) << name << " is declared twice";
        EXPECT_FALSE(leaf.app->get_group().empty()) << name;
        EXPECT_TRUE(std::isupper(static_cast<unsigned char>(leaf.verb.summary[0]))) << name;
        EXPECT_FALSE(leaf.verb.summary.ends_with('.')) << name << ": " << leaf.verb.summary;
        EXPECT_LE(leaf.verb.summary.size(), 66U) << name << " does not fit a line of the help";
        EXPECT_TRUE(leaf.action) << name;
        for (const CLI::Option* option : leaf.app->get_options()) {
            const std::string text = option->get_description();
            EXPECT_GE(text.size(), 8U) << name << " " << option->get_name();
            EXPECT_FALSE(text.ends_with('.')) << name << " " << option->get_name() << ": " << text;
            for (const char* fragment : {"That ", "Of ", "By ", "What ", "Which "})
                EXPECT_FALSE(text.starts_with(fragment)) << name << " " << option->get_name() << ": " << text;
        }
    }
    for (const Noun& noun : nouns())
        EXPECT_NO_THROW(tree.root().get_subcommand(noun.name)) << noun.name << " has no verb";
    for (const CLI::App* app : tree.root().get_subcommands([](const CLI::App*) { return true; }))
        EXPECT_FALSE(app->get_description().empty()) << app->get_name() << " is no noun of verb.cpp";
}

TEST(CommandLine, EveryVerbThatPrintsHasJson)
{
    for (const Verb& verb : allVerbs())
        EXPECT_EQ(help(nameOf(verb)).find("--json") == std::string::npos, verb.takes == Takes::nothing) << nameOf(verb);
}

/// The table of schema.md of small documents, in the order of the verbs.
std::string documentTable()
{
    std::vector<std::string> schemas;
    std::map<std::string, std::vector<std::string>> printedBy;
    std::map<std::string, std::string> members;
    for (const Verb& verb : allVerbs())
        for (const Document& document : verb.documents) {
            if (!printedBy.contains(document.schema))
                schemas.push_back(document.schema);
            const std::string option = document.option.empty() ? std::string() : " " + document.option;
            printedBy[document.schema].push_back("`" + nameOf(verb) + option + "`");
            members[document.schema] += document.members;
        }
    std::string text = "| schema | printed by | members |\n|---|---|---|\n";
    for (const std::string& schema : schemas) {
        EXPECT_FALSE(members[schema].empty()) << schema << " has no members";
        text += "| `" + schema + "` | " + base::join(printedBy[schema]) + " | " + members[schema] + " |\n";
    }
    return text;
}

TEST(CommandLine, DocumentsOfVerbsStandInTheDescriptionOfDocuments)
{
    test::expectSection(APERTUNE_SCHEMA, "documents", documentTable());
}

TEST(CommandLine, EveryDocumentThatAVerbPrintsIsDescribed)
{
    const auto schema = base::readFile(APERTUNE_SCHEMA);
    ASSERT_TRUE(schema);
    for (const Verb& verb : allVerbs())
        if (verb.takes != Takes::nothing && verb.documents.empty() &&
            nameOf(verb) != "gui") { // a window prints nothing
            EXPECT_NE(schema->find("`" + nameOf(verb)), std::string::npos)
                << nameOf(verb) << " prints --json, but core/report/schema.md does not name it: give the verb "
                << "`documents`, or write a section";
        }
}

TEST(CommandLine, HelpOfTheProgramNamesEveryVerb)
{
    const std::string text = help("");
    for (const Verb& verb : allVerbs()) {
        EXPECT_NE(text.find("\n  " + verb.path.front()), std::string::npos) << nameOf(verb);
        EXPECT_NE(text.find("\n" + titleOf(verb.group) + ":"), std::string::npos) << nameOf(verb);
    }
    EXPECT_NE(help("trace").find("\n  verify"), std::string::npos) << help("trace");
}

TEST(CommandLine, TuneHasTheDefaultsOfTheEngine)
{
    const Tune t = tune("resnet50");
    const study::StudyRequest defaults;
    EXPECT_EQ(t.model, "resnet50");
    EXPECT_EQ(t.request.budget, defaults.budget);
    EXPECT_EQ(t.request.target, defaults.target);
    EXPECT_EQ(t.request.goal.objective, model::Objective::throughput);
    EXPECT_EQ(t.request.goal.minQuality, defaults.goal.minQuality);
    EXPECT_EQ(t.request.space.backends, defaults.space.backends);
    EXPECT_EQ(defaults.space.backends, std::vector<std::string>{"all"});
    const std::vector<std::string> libtorch{"libtorch"};
    EXPECT_EQ(tune("resnet50 --levels O0,O1").request.space.backends, libtorch) << "an engine's levels are its own";
    EXPECT_EQ(tune("resnet50 --switch freeze=on").request.space.backends, libtorch);
    EXPECT_EQ(tune("resnet50 --switch cpu_pinning=on").request.space.backends, std::vector<std::string>{"all"})
        << "a switch of another engine";
    EXPECT_TRUE(t.request.space.levels.empty());
    EXPECT_FALSE(t.dryRun || t.resume || t.request.space.emulated);
    const Common common = parse("tune resnet50").value().common;
    EXPECT_EQ(common.store, base::defaultWorkspace());
    EXPECT_FALSE(common.json || common.quiet || common.trust);
}

TEST(CommandLine, TuneKnowsTheProtocolsByName)
{
    EXPECT_DOUBLE_EQ(tune("m --target quick").request.target, 0.02);
    EXPECT_DOUBLE_EQ(tune("m --target normal").request.target, model::kDefaultTarget);
    EXPECT_DOUBLE_EQ(tune("m --target publish").request.target, 0.005);
    EXPECT_EQ(model::protocolOf(tune("m --target publish").request.target), "publish");
    const auto coarse = parse("tune m --target 0.5");
    EXPECT_DOUBLE_EQ(tune("m --target 50%").request.target, 0.5);
    ASSERT_FALSE(coarse.ok());
    EXPECT_EQ(sentences::sentence(coarse.error().message), "\"0.5\" for --target would mean 50.0 %.");
}

TEST(CommandLine, TuneHelpGroupsOptionsBySubject)
{
    const std::string help = parse("tune --help").value().text;
    std::size_t before = 0;
    for (const auto& [heading, options] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"Sweep file:", {"--config", "--write-config"}},
             {"What to measure:",
              {"--levels", "--precisions", "--batches", "--image-sizes", "--variant", "--switch", "--search"}},
             {"Goal and budget:", {"--goal", "--max-latency", "--budget", "--measuring-budget", "--target"}},
             {"Quality:", {"--min-quality", "--max-rel-error", "--calibration"}},
             {"Engines and devices:", {"--backends", "--devices", "--threads", "--spread"}},
             {"Planning and resuming:", {"--dry-run", "--resume", "--when-quiet", "--retry-failed"}},
             {"Import of a new model:", {"--import-timeout"}},
             {"After the sweep:", {"--scenario", "--robust", "--load-trials"}},
             {"Details of --scenario:", {"--duration", "--jitter"}}}) {
        const std::size_t at = help.find("\n" + heading);
        ASSERT_NE(at, std::string::npos) << heading;
        EXPECT_GT(at, before) << heading;
        const std::string section = help.substr(at, help.find("\n\n", at) - at);
        for (const std::string& option : options)
            EXPECT_NE(section.find("\n  " + option + " "), std::string::npos) << option << " in\n" << section;
        before = at;
    }
}

TEST(CommandLine, TuneTakesEveryOption)
{
    const Tune t =
        tune("m --levels O0,O3 --precisions fp32,bf16 --batches 1,8 --devices cpu,cuda:1 --switch freeze=on "
             "--switch channels_last=on,off --goal latency,memory --max-latency 20ms --max-memory 4GiB "
             "--min-quality 0.999 --max-rel-error 5% --max-abs-error 0.25 --budget 30s --threads 1 --dry-run "
             "--target 2% --emulated --backends fake,libtorch");
    const model::SearchSpace& s = t.request.space;
    EXPECT_EQ(s.levels, (std::vector{model::OptLevel::o0, model::OptLevel::o3}));
    EXPECT_EQ(s.precisions, (std::vector{model::Precision::fp32, model::Precision::bf16}));
    EXPECT_EQ(s.batches, (std::vector{1, 8}));
    EXPECT_EQ(s.devices, (std::vector<std::string>{"cpu", "cuda:1"}));
    EXPECT_EQ(s.threads, (std::vector{1}));
    EXPECT_EQ(s.backends, (std::vector<std::string>{"fake", "libtorch"}));
    EXPECT_EQ(s.switches,
              (std::map<std::string, std::vector<bool>>{{"channels_last", {true, false}}, {"freeze", {true}}}));
    EXPECT_TRUE(s.emulated);
    EXPECT_EQ(t.request.goal.objective, model::Objective::latency);
    EXPECT_EQ(t.request.goal.also, std::vector{model::Objective::memory});
    EXPECT_EQ(t.request.goal.maxLatency, base::fromMilliseconds(20));
    EXPECT_EQ(t.request.goal.maxMemory, base::Bytes{4LL << 30});
    EXPECT_DOUBLE_EQ(t.request.goal.minQuality, 0.999);
    EXPECT_DOUBLE_EQ(t.request.goal.maxRelError.value(), 0.05);
    EXPECT_DOUBLE_EQ(t.request.goal.maxAbsError.value(), 0.25);
    EXPECT_EQ(t.request.budget, base::fromSeconds(30));
    EXPECT_DOUBLE_EQ(t.request.target, 0.02);
    EXPECT_TRUE(t.dryRun);
    const Common common = parse("tune m --store w.apertune --json --quiet --trust").value().common;
    EXPECT_TRUE(common.json && common.quiet && common.trust);
    EXPECT_EQ(common.store, "w.apertune");
}

TEST(CommandLine, ALatencyBoundMayBeOfAPercentile)
{
    const model::Goal both = tune("m --max-latency 20ms,p99=25ms").request.goal;
    EXPECT_EQ(both.maxLatency, base::fromMilliseconds(20));
    EXPECT_EQ(both.maxPercentiles, (std::map<int, base::Nanoseconds>{{99, base::fromMilliseconds(25)}}));
    const Tune loaded = tune("m --max-latency p95=25ms --scenario server");
    EXPECT_FALSE(loaded.request.goal.maxLatency);
    EXPECT_DOUBLE_EQ(loaded.scenarios.at(0).percentile, 0.95);
    EXPECT_EQ(loaded.scenarios.at(0).bound, base::fromMilliseconds(25));
    EXPECT_NE(errorOf("tune m --max-latency p98=20ms").find("Use p50, p90, p95 or p99"), std::string::npos);
    EXPECT_NE(errorOf("tune m --max-latency p99=0").find("the bound must be greater than 0"), std::string::npos);
    EXPECT_NE(errorOf("tune m --max-latency p99=").find("Invalid duration"), std::string::npos);
}

TEST(CommandLine, OptionsMayStandBeforeTheModel)
{
    const Tune t = tune("--switch freeze=on,off --batches auto resnet50");
    EXPECT_EQ(t.model, "resnet50");
    EXPECT_EQ(t.request.space.batches, (std::vector{model::SearchSpace::kAutoBatch}));
}

TEST(CommandLine, AShareOfMemoryNeedsAutomaticBatches)
{
    EXPECT_DOUBLE_EQ(tune("m --batches auto --memory-share 90%").request.space.memoryShare.value(), 0.9);
    EXPECT_NE(errorOf("tune m --memory-share 90%").find("the batches are not automatic"), std::string::npos);
    EXPECT_NE(errorOf("tune m --batches auto --memory-share 0").find("leaves no memory"), std::string::npos);
}

TEST(CommandLine, ResumeTakesAStudyOrNone)
{
    EXPECT_TRUE(tune("--resume").resume);
    EXPECT_EQ(tune("--resume").resumeStudy, "");
    EXPECT_EQ(tune("--resume s3").resumeStudy, "s3");
    EXPECT_EQ(tune("--resume last").resumeStudy, "");
    EXPECT_EQ(tune("resnet50 --resume").model, "resnet50");
    EXPECT_EQ(tune("--resume --emulated").resumeStudy, "");
    EXPECT_FALSE(tune("resnet50").resume);
}

TEST(CommandLine, AWrongWordGetsTheNearestRightOne)
{
    EXPECT_EQ(errorOf("tnue x"), "Unexpected verb \"tnue\". Did you mean tune? See `apertune --help`.");
    EXPECT_EQ(errorOf("tune x --batchs 1"),
              "Unexpected option \"--batchs\". Did you mean --batches? See `apertune tune --help`.");
    EXPECT_EQ(errorOf("--store w trace import f"),
              "The option --store stands before the verb. Write it after: `apertune trace import … --store …`.");
    EXPECT_EQ(errorOf("tune x --batchs=1"),
              "Unexpected option \"--batchs=1\". Did you mean --batches? See `apertune tune --help`.");
    EXPECT_EQ(errorOf("model shwo x"), "Unexpected verb \"shwo\". Did you mean show? See `apertune model --help`.");
    EXPECT_EQ(errorOf("import x"), "Unexpected verb \"import\". Did you mean trace import or model import or trial "
                                   "import? See `apertune --help`.");
    EXPECT_NE(errorOf("tune x --precisions fp3").find("Did you mean fp32?"), std::string::npos);
    EXPECT_NE(errorOf("tune x --goal througput").find("Did you mean throughput?"), std::string::npos);
}

TEST(CommandLine, VariantsAreNamedByKindAndValue)
{
    const auto tune = parse("tune m --variant slice=2,4,2 --variant tile=128x16");
    ASSERT_TRUE(tune) << sentences::sentence(tune.error().message);
    const auto errorOf = [](const std::string& line) {
        const auto parsed = parse("tune m --variant " + line);
        return parsed ? std::string() : sentences::describe(parsed.error());
    };
    EXPECT_NE(errorOf("slise=2").find("Did you mean slice?"), std::string::npos) << errorOf("slise=2");
    for (const char* line : {"slice", "slice=", "slice=1", "slice=2,,4", "slice=two"})
        EXPECT_NE(errorOf(line).find("slice=2,4"), std::string::npos) << line << ": " << errorOf(line);
    for (const char* line : {"tile=128", "tile=16x16", "tile=ax2", "tile=128x-1"})
        EXPECT_NE(errorOf(line).find("tile=128x16,256x32"), std::string::npos) << line << ": " << errorOf(line);
    for (const char* other : {"--image-sizes 64", "--dry-run", "--resume", "--scenario offline", "--robust"})
        EXPECT_FALSE(parse(std::string("tune m --variant slice=2 ") + other)) << other;
}

TEST(CommandLine, AnEmptyValueIsNotTheDefault)
{
    for (const char* option : {"--levels", "--precisions", "--batches", "--image-sizes", "--devices", "--threads",
                               "--backends", "--goal", "--max-latency", "--max-memory", "--min-quality", "--budget",
                               "--target", "--scenario", "--switch", "--variant", "--store"}) {
        const auto parsed = parseCommandLine({"tune", "x", option, ""});
        ASSERT_FALSE(parsed) << option;
        EXPECT_EQ(sentences::sentence(parsed.error().message), std::string(option) + " is given without a value.");
        EXPECT_FALSE(parseCommandLine({"tune", "x", std::string(option) + "="})) << option;
    }
    EXPECT_FALSE(parseCommandLine({"tune", ""}));
    EXPECT_FALSE(parseCommandLine({"show", ""}));
}

TEST(CommandLine, TimesAndSizesNameTheirUnitAndBoundsAreAboveZero)
{
    for (const char* line : {"--max-latency 20", "--max-memory 4", "--budget 90", "--max-latency 0",
                             "--max-latency 0ms", "--max-memory 0", "--max-memory 0GiB", "--target 0", "--target 0%"})
        EXPECT_FALSE(errorOf(std::string("tune x ") + line).empty()) << line;
    EXPECT_NE(errorOf("tune x --max-latency 20").find("20ms"), std::string::npos) << errorOf("tune x --max-latency 20");
    EXPECT_EQ(tune("x --budget 0").request.budget.count, 0);
}

TEST(CommandLine, AWrongValueSaysWhatWouldBeRight)
{
    for (const char* line : {"tune x --batches 0",
                             "tune x --batches 1,a",
                             "tune x --batches ,",
                             "tune x --batches 1,,4",
                             "tune x --batches 1,",
                             "tune x --levels O0,,O1",
                             "tune x --devices cpu,",
                             "tune x --threads 100000",
                             "tune x --threads -1",
                             "tune x --levels ,",
                             "tune x --devices gpu",
                             "tune x --devices cuda:x",
                             "tune x --max-latency fast",
                             "tune x --max-memory 4Go",
                             "tune x --max-latency 0",
                             "tune x --max-memory 0",
                             "tune x --min-quality 0",
                             "tune x --min-quality 1.5",
                             "quality mix t1 --min-quality 0",
                             "load t1 --scenario server --rate 5 --percentile high",
                             "tune x --budget never",
                             "tune x --target 200%",
                             "tune x --switch freeze",
                             "tune x --switch freeze=maybe",
                             "tune x --switch freeze=on --switch freeze=off",
                             "compare a b --gate much",
                             "compare a b --noise-floor loud",
                             "export t1 --target onnx --out d",
                             "report last --format pdf"}) {
        const auto invocation = parse(line);
        ASSERT_FALSE(invocation) << line;
        EXPECT_EQ(invocation.error().code, base::ErrorCode::invalidArgument) << line;
        EXPECT_TRUE(sentences::sentence(invocation.error().message).ends_with('.'))
            << sentences::sentence(invocation.error().message);
        EXPECT_FALSE(invocation.error().hint.empty()) << line;
    }
}

TEST(CommandLine, WhatIsMissingIsNamed)
{
    EXPECT_NE(errorOf("").find("A verb is missing"), std::string::npos);
    EXPECT_NE(errorOf("model").find("import, list, zoo, show, memory, delete"), std::string::npos);
    EXPECT_NE(errorOf("tune").find("MODEL is missing"), std::string::npos);
    EXPECT_NE(errorOf("compare s1").find("B is required"), std::string::npos);
    EXPECT_NE(errorOf("export t1 --out d").find("--target is required"), std::string::npos);
    EXPECT_NE(errorOf("tune a b").find("Unexpected argument \"b\""), std::string::npos);
}

TEST(CommandLine, WordsAndUnitsAreReadInAnyCase)
{
    const Tune t = tune("m --levels o0,O3 --precisions FP32,Bf16 --batches AUTO --devices CPU --switch freeze=ON "
                        "--goal Latency --max-memory 4g --budget 1m30s --search GRID --target Quick");
    const model::SearchSpace& s = t.request.space;
    EXPECT_EQ(s.levels, (std::vector{model::OptLevel::o0, model::OptLevel::o3}));
    EXPECT_EQ(s.precisions, (std::vector{model::Precision::fp32, model::Precision::bf16}));
    EXPECT_EQ(s.batches, (std::vector{model::SearchSpace::kAutoBatch}));
    EXPECT_EQ(s.devices, (std::vector<std::string>{"cpu"}));
    EXPECT_EQ(s.switches, (std::map<std::string, std::vector<bool>>{{"freeze", {true}}}));
    EXPECT_EQ(t.request.goal.objective, model::Objective::latency);
    EXPECT_EQ(t.request.goal.maxMemory, base::Bytes{4LL << 30});
    EXPECT_EQ(t.request.budget, base::fromSeconds(90));
    EXPECT_EQ(s.search, model::SearchAlgorithm::grid);
    EXPECT_DOUBLE_EQ(t.request.target, 0.02);
}

TEST(CommandLine, HelpOfAVerbMayBeAskedForInFront)
{
    for (const char* line : {"", "tune", "trace", "trace verify"}) {
        const std::string words = line;
        const auto before = parse("help " + words);
        const auto after = parse(words + " --help");
        ASSERT_TRUE(before) << line;
        EXPECT_EQ(before->text, after->text) << line;
        EXPECT_FALSE(before->text.empty()) << line;
    }
    EXPECT_EQ(errorOf("help tnue"), "Unexpected verb \"tnue\". Did you mean tune? See `apertune --help`.");
}

TEST(CommandLine, AnOptionGivenTwiceIsRefused)
{
    EXPECT_EQ(errorOf("tune m --budget 1s --budget 2s"),
              "--budget was given more than once. See `apertune tune --help`.");
}

TEST(CommandLine, AChoiceNamesTheValidWords)
{
    EXPECT_EQ(errorOf("pipeline t1 --memory x"),
              "Invalid value \"x\" for --memory. Expected: pageable, pinned. See `apertune pipeline --help`.");
    EXPECT_NE(errorOf("report last --format cvs").find("Did you mean csv?"), std::string::npos);
    EXPECT_NE(errorOf("trace report tr3 --section kernel").find("Did you mean kernels?"), std::string::npos);
    EXPECT_NE(errorOf("trace record t1 --iterations 0").find("from 1 to 100000"), std::string::npos);
}

TEST(CommandLine, OtherVerbsTakeTheirOptions)
{
    for (const char* line : {"compare s3 b.apertune --gate 3%", "export best --target cpp --out d --force",
                             "report last --out x.html --format json",
                             "model import m.pt --name n --input-shape a:float32:1x3 --input-shape b:int64:1x4",
                             "study delete s1 s2 --yes", "trace report tr3 --section idle,kernels --section verdict",
                             "gui -- --page compare", "pipeline t1 --queue-wait full --nms plain"})
        EXPECT_TRUE(parse(line)) << errorOf(line);
}

TEST(CommandLine, OldFlatVerbsAreGone)
{
    for (const char* line : {"devices", "studies", "trials last", "traces", "import f.json", "trace-report last",
                             "prove last", "scenario best --scenario offline", "query x", "repair", "delete s1"})
        EXPECT_FALSE(parse(line)) << line;
}

TEST(CommandLine, VersionNamesTheProgram)
{
    EXPECT_TRUE(parse("--version").value().text.starts_with("apertune 0."));
}

TEST(RepeatableLine, LeavesOutWhatOnlyShapesTheOutputAndQuotesForAShell)
{
    EXPECT_EQ(repeatableLine({"tune", "my model.pt", "--json", "--store", "w.apertune", "-q", "--batches", "1,4",
                              "--store=x", "--resume"}),
              "apertune tune 'my model.pt' --batches 1,4");
    EXPECT_EQ(repeatableLine({"tune", "--config", "a.yaml", "m", "--config=b.yaml", "--write-config", "c.yaml"}),
              "apertune tune m");
    EXPECT_EQ(repeatableLine({"tune", "it's"}), "apertune tune 'it'\\''s'");
    EXPECT_EQ(repeatableLine({"tune", ""}), "apertune tune ''");
}

} // namespace
} // namespace apertune::cli
