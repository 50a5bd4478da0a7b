// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "core/base/text.h"
#include "core/store/store.h"

#include <gtest/gtest.h>

#include <sstream>

namespace apertune::cli {
namespace {

std::vector<std::string> words(const std::string& line)
{
    return base::splitList(line, ' ');
}

base::Result<Invocation> parse(const std::string& line)
{
    return parseCommandLine(words(line));
}

Tune tune(const std::string& options)
{
    const auto invocation = parse("tune " + options);
    EXPECT_TRUE(invocation) << invocation.error().message;
    return invocation ? std::get<Tune>(*invocation) : Tune{};
}

std::string errorOf(const std::string& line)
{
    const auto invocation = parse(line);
    EXPECT_FALSE(invocation) << line;
    return invocation ? std::string() : invocation.error().message + " " + invocation.error().hint;
}

std::string help(const std::string& verb)
{
    const auto invocation = parse(verb + " --help");
    EXPECT_TRUE(invocation) << verb;
    return std::get<Print>(*invocation).text;
}

const std::vector<std::string> kVerbs{
    "tune",   "model import", "model list", "model zoo", "model show",  "model delete", "devices",     "studies",
    "trials", "show",         "compare",    "accuracy",  "sensitivity", "mix",          "noise-floor", "delete",
    "export", "report",       "verify",     "gui",       "repair",      "trace-report"};

TEST(CommandLine, everyVerbHasHelpWithExamplesThatAreValid)
{
    for (const std::string& verb : kVerbs) {
        std::istringstream lines(help(verb));
        int examples = 0;
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with("  apertune "))
                continue;
            ++examples;
            line = line.substr(11);
            line = line.substr(0, std::min(line.find("  "), line.find(" > ")));
            EXPECT_TRUE(parse(line)) << line << "\n" << errorOf(line);
        }
        EXPECT_GT(examples, 0) << verb;
        EXPECT_NE(help(verb).find("Usage: apertune " + verb), std::string::npos) << help(verb);
    }
}

TEST(CommandLine, everyVerbThatPrintsHasJson)
{
    for (const std::string& verb : kVerbs)
        EXPECT_NE(help(verb).find("--json"), std::string::npos) << verb;
}

TEST(CommandLine, helpOfTheProgramNamesEveryVerb)
{
    const std::string text = help("");
    for (const std::string& verb : kVerbs)
        EXPECT_NE(text.find("\n  " + verb.substr(0, verb.find(' '))), std::string::npos) << verb;
}

TEST(CommandLine, tuneHasTheDefaultsOfTheEngine)
{
    const Tune t = tune("resnet50");
    const study::StudyRequest defaults;
    EXPECT_EQ(t.model, "resnet50");
    EXPECT_EQ(t.common.store, store::defaultWorkspace());
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
    EXPECT_FALSE(t.dryRun || t.resume || t.common.json || t.common.quiet || t.request.space.emulated);
}

TEST(CommandLine, tuneKnowsTheProtocolsByName)
{
    EXPECT_DOUBLE_EQ(tune("m --target quick").request.target, 0.02);
    EXPECT_DOUBLE_EQ(tune("m --target normal").request.target, model::kDefaultTarget);
    EXPECT_DOUBLE_EQ(tune("m --target publish").request.target, 0.005);
    EXPECT_EQ(model::protocolOf(tune("m --target publish").request.target), "publish");
}

TEST(CommandLine, tuneTakesEveryOption)
{
    const Tune t = tune("m --levels O0,O3 --precisions fp32,bf16 --batches 1,8 --devices cpu,cuda:1 --switch freeze=on "
                        "--switch channels_last=on,off --goal latency,memory --max-latency 20ms --max-memory 4GiB "
                        "--min-quality 0.999 --budget 30s --threads 1,2 --dry-run --store w.apertune --json --quiet "
                        "--target 2% --emulated --backends fake,libtorch");
    const model::SearchSpace& s = t.request.space;
    EXPECT_EQ(s.levels, (std::vector{model::OptLevel::o0, model::OptLevel::o3}));
    EXPECT_EQ(s.precisions, (std::vector{model::Precision::fp32, model::Precision::bf16}));
    EXPECT_EQ(s.batches, (std::vector{1, 8}));
    EXPECT_EQ(s.devices, (std::vector<std::string>{"cpu", "cuda:1"}));
    EXPECT_EQ(s.threads, (std::vector{1, 2}));
    EXPECT_EQ(s.backends, (std::vector<std::string>{"fake", "libtorch"}));
    EXPECT_EQ(s.switches,
              (std::map<std::string, std::vector<bool>>{{"channels_last", {true, false}}, {"freeze", {true}}}));
    EXPECT_TRUE(s.emulated);
    EXPECT_EQ(t.request.goal.objective, model::Objective::latency);
    EXPECT_EQ(t.request.goal.also, std::vector{model::Objective::memory});
    EXPECT_EQ(t.request.goal.maxLatency, base::fromMilliseconds(20));
    EXPECT_EQ(t.request.goal.maxMemory, base::Bytes{4LL << 30});
    EXPECT_DOUBLE_EQ(t.request.goal.minQuality, 0.999);
    EXPECT_EQ(t.request.budget, base::fromSeconds(30));
    EXPECT_DOUBLE_EQ(t.request.target, 0.02);
    EXPECT_TRUE(t.dryRun && t.common.json && t.common.quiet);
    EXPECT_EQ(t.common.store, "w.apertune");
}

TEST(CommandLine, aLatencyBoundMayBeOfAPercentile)
{
    const model::Goal both = tune("m --max-latency 20ms,p99=25ms").request.goal;
    EXPECT_EQ(both.maxLatency, base::fromMilliseconds(20));
    EXPECT_EQ(both.maxPercentiles, (std::map<int, base::Nanoseconds>{{99, base::fromMilliseconds(25)}}));
    const Tune loaded = tune("m --max-latency p95=25ms --scenario server");
    EXPECT_FALSE(loaded.request.goal.maxLatency);
    EXPECT_DOUBLE_EQ(loaded.scenarios.at(0).percentile, 0.95);
    EXPECT_EQ(loaded.scenarios.at(0).bound, base::fromMilliseconds(25));
    EXPECT_NE(errorOf("tune m --max-latency p98=20ms").find("Write p50, p90, p95 or p99"), std::string::npos);
    EXPECT_NE(errorOf("tune m --max-latency p99=0").find("nothing keeps a bound of 0"), std::string::npos);
    EXPECT_NE(errorOf("tune m --max-latency p99=").find("is not a duration"), std::string::npos);
}

TEST(CommandLine, optionsMayStandBeforeTheModel)
{
    const Tune t = tune("--switch freeze=on,off --batches auto resnet50");
    EXPECT_EQ(t.model, "resnet50");
    EXPECT_EQ(t.request.space.batches, (std::vector{model::SearchSpace::kAutoBatch}));
}

TEST(CommandLine, resumeTakesAStudyOrNone)
{
    EXPECT_TRUE(tune("--resume").resume);
    EXPECT_EQ(tune("--resume").resumeStudy, "");
    EXPECT_EQ(tune("--resume s3").resumeStudy, "s3");
    EXPECT_EQ(tune("--resume last").resumeStudy, "");
    EXPECT_EQ(tune("resnet50 --resume").model, "resnet50");
    EXPECT_EQ(tune("--resume --json").resumeStudy, "");
    EXPECT_FALSE(tune("resnet50").resume);
}

TEST(CommandLine, aWrongWordGetsTheNearestRightOne)
{
    EXPECT_EQ(errorOf("tnue x"), "Unexpected verb \"tnue\". Did you mean tune? See `apertune --help`.");
    EXPECT_EQ(errorOf("tune x --batchs 1"),
              "Unexpected option \"--batchs\". Did you mean --batches? See `apertune tune --help`.");
    EXPECT_EQ(errorOf("tune x --batchs=1"),
              "Unexpected option \"--batchs=1\". Did you mean --batches? See `apertune tune --help`.");
    EXPECT_EQ(errorOf("model shwo x"), "Unexpected verb \"shwo\". Did you mean show? See `apertune model --help`.");
    EXPECT_NE(errorOf("tune x --precisions fp3").find("Did you mean fp32?"), std::string::npos);
    EXPECT_NE(errorOf("tune x --goal througput").find("Did you mean throughput?"), std::string::npos);
}

TEST(CommandLine, anEmptyValueIsNotTheDefault)
{
    for (const char* option : {"--levels", "--precisions", "--batches", "--image-sizes", "--devices", "--threads",
                               "--backends", "--goal", "--max-latency", "--max-memory", "--min-quality", "--budget",
                               "--target", "--scenario", "--switch", "--store"}) {
        const auto parsed = parseCommandLine({"tune", "x", option, ""});
        ASSERT_FALSE(parsed) << option;
        EXPECT_EQ(parsed.error().message, std::string(option) + " is given without a value.");
        EXPECT_FALSE(parseCommandLine({"tune", "x", std::string(option) + "="})) << option;
    }
    EXPECT_FALSE(parseCommandLine({"tune", ""}));
    EXPECT_FALSE(parseCommandLine({"show", ""}));
}

TEST(CommandLine, timesAndSizesNameTheirUnitAndBoundsAreAboveZero)
{
    for (const char* line : {"--max-latency 20", "--max-memory 4", "--budget 90", "--max-latency 0",
                             "--max-latency 0ms", "--max-memory 0", "--max-memory 0GiB", "--target 0", "--target 0%"})
        EXPECT_FALSE(errorOf(std::string("tune x ") + line).empty()) << line;
    EXPECT_NE(errorOf("tune x --max-latency 20").find("20ms"), std::string::npos) << errorOf("tune x --max-latency 20");
    EXPECT_EQ(tune("x --budget 0").request.budget.count, 0);
}

TEST(CommandLine, aWrongValueSaysWhatWouldBeRight)
{
    for (const char* line : {"tune x --batches 0",
                             "tune x --batches 1,a",
                             "tune x --batches ,",
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
                             "mix t1 --min-quality 0",
                             "scenario t1 --scenario server --rate 5 --percentile high",
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
        EXPECT_TRUE(invocation.error().message.ends_with('.')) << invocation.error().message;
        EXPECT_FALSE(invocation.error().hint.empty()) << line;
    }
}

TEST(CommandLine, whatIsMissingIsNamed)
{
    EXPECT_NE(errorOf("").find("A verb is missing"), std::string::npos);
    EXPECT_NE(errorOf("model").find("import, list, zoo, show, delete"), std::string::npos);
    EXPECT_NE(errorOf("tune").find("MODEL is missing"), std::string::npos);
    EXPECT_NE(errorOf("show").find("WHAT is required"), std::string::npos);
    EXPECT_NE(errorOf("compare s1").find("B is required"), std::string::npos);
    EXPECT_NE(errorOf("export t1 --out d").find("--target is required"), std::string::npos);
    EXPECT_NE(errorOf("tune a b").find("Unexpected argument \"b\""), std::string::npos);
}

TEST(CommandLine, anOptionGivenTwiceIsRefused)
{
    EXPECT_EQ(errorOf("tune m --budget 1s --budget 2s"),
              "--budget was given more than once. See `apertune tune --help`.");
}

TEST(CommandLine, otherVerbsTakeTheirOptions)
{
    const auto compare = std::get<Compare>(parse("compare s3 b.apertune --gate 3%").value());
    EXPECT_EQ(compare.a, "s3");
    EXPECT_EQ(compare.b, "b.apertune");
    EXPECT_DOUBLE_EQ(compare.gate.value(), 0.03);
    const auto out = std::get<Export>(parse("export best --target cpp --out d --force").value());
    EXPECT_EQ(out.target, report::ExportTarget::cpp);
    EXPECT_TRUE(out.force);
    EXPECT_EQ(std::get<Report>(parse("report last --out x.csv").value()).format, Report::Format::csv);
    EXPECT_EQ(std::get<Report>(parse("report last").value()).format, Report::Format::html);
    EXPECT_EQ(std::get<Report>(parse("report last --out x.html --format json").value()).format, Report::Format::json);
    const auto imported = std::get<ModelImport>(
        parse("model import m.pt --name n --input-shape a:float32:1x3 --input-shape b:int64:1x4").value());
    EXPECT_EQ(imported.request.source, "m.pt");
    EXPECT_EQ(imported.request.inputShapes.size(), 2u);
    EXPECT_EQ(std::get<Delete>(parse("delete s1 s2 --yes").value()).studies.size(), 2u);
    const auto told = std::get<TraceReport>(parse("trace-report tr3 --section idle,kernels --section verdict").value());
    EXPECT_EQ(told.trace, "tr3");
    EXPECT_EQ(told.sections, (std::vector<std::string>{"idle", "kernels", "verdict"}));
    EXPECT_NE(errorOf("trace-report tr3 --section kernel").find("Did you mean kernels?"), std::string::npos);
    EXPECT_EQ(std::get<Gui>(parse("gui -- --page compare").value()).arguments,
              (std::vector<std::string>{"--page", "compare"}));
}

TEST(CommandLine, versionNamesTheProgram)
{
    EXPECT_TRUE(std::get<Print>(parse("--version").value()).text.starts_with("apertune 0."));
}

TEST(RepeatableLine, leavesOutWhatOnlyShapesTheOutputAndQuotesForAShell)
{
    EXPECT_EQ(repeatableLine({"tune", "my model.pt", "--json", "--store", "w.apertune", "-q", "--batches", "1,4",
                              "--store=x", "--resume"}),
              "apertune tune 'my model.pt' --batches 1,4");
    EXPECT_EQ(repeatableLine({"tune", "it's"}), "apertune tune 'it'\\''s'");
    EXPECT_EQ(repeatableLine({"tune", ""}), "apertune tune ''");
}

} // namespace
} // namespace apertune::cli
