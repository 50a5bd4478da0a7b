// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/program_errors.h"
#include "core/advice/errors.h"
#include "core/advice/reasons.h"
#include "core/analysis/errors.h"
#include "core/base/errors.h"
#include "core/claims/reasons.h"
#include "core/comparison/errors.h"
#include "core/comparison/reasons.h"
#include "core/engine/errors.h"
#include "core/exports/errors.h"
#include "core/interchange/chrome/errors.h"
#include "core/interchange/chrome/reasons.h"
#include "core/interchange/errors.h"
#include "core/interchange/files/errors.h"
#include "core/interchange/nsys/errors.h"
#include "core/interchange/nsys/reasons.h"
#include "core/interchange/perfetto/errors.h"
#include "core/interchange/perfetto/reasons.h"
#include "core/interchange/results/errors.h"
#include "core/interchange/results/reasons.h"
#include "core/interchange/rocprof/errors.h"
#include "core/interchange/rocprof/reasons.h"
#include "core/interchange/sqlite/errors.h"
#include "core/model/errors.h"
#include "core/model/gpu_obstacles.h"
#include "core/model/switch_reasons.h"
#include "core/models/errors.h"
#include "core/models/reasons.h"
#include "core/probe/errors.h"
#include "core/probe/reasons.h"
#include "core/query/errors.h"
#include "core/report/reasons.h"
#include "core/runs/errors.h"
#include "core/runs/reasons.h"
#include "core/sandbox/errors.h"
#include "core/sandbox/reasons.h"
#include "core/search/errors.h"
#include "core/search/reasons.h"
#include "core/sentences/sentences.h"
#include "core/sentences/templates.h"
#include "core/shards/errors.h"
#include "core/store/errors.h"
#include "core/store/reasons.h"
#include "core/study/errors.h"
#include "core/study/reasons.h"
#include "core/sweeps/errors.h"
#include "core/text/reasons.h"
#include "core/trace/errors.h"
#include "core/trace/reasons.h"
#include "core/worker/errors.h"
#include "core/worker/reasons.h"
#include "core/workload/images/errors.h"
#include "core/workload/load/errors.h"
#include "core/workload/stages/errors.h"
#include "profilers/cupti/errors.h"
#include "profilers/cupti/reasons.h"
#include "profilers/host/reasons.h"
#include "profilers/nvml/errors.h"
#include "profilers/nvml/reasons.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace apertune::sentences {
namespace {

std::vector<base::MessageKind> allKinds()
{
    std::vector<base::MessageKind> kinds{base::kForeignText, base::kSentences, base::kList};
    const auto add = [&](const auto& of) { kinds.insert(kinds.end(), of.begin(), of.end()); };
    add(model::reasons::kAll);
    add(search::reasons::kAll);
    add(advice::reasons::kAll);
    add(runs::reasons::kAll);
    add(study::reasons::kAll);
    add(sandbox::reasons::kAll);
    add(worker::reasons::kAll);
    add(worker::program_errors::kAll);
    add(trace::reasons::kAll);
    add(interchange::perfetto::reasons::kAll);
    add(interchange::results::reasons::kAll);
    add(interchange::rocprof::reasons::kAll);
    add(store::reasons::kAll);
    add(models::reasons::kAll);
    add(text::reasons::kAll);
    add(comparison::reasons::kAll);
    add(claims::reasons::kAll);
    add(report::reasons::kAll);
    add(interchange::chrome::reasons::kAll);
    add(interchange::nsys::reasons::kAll);
    add(probe::reasons::kAll);
    add(profilers::cupti::reasons::kAll);
    add(profilers::host::reasons::kAll);
    add(profilers::nvml::reasons::kAll);
    add(base::errors::kAll);
    add(model::errors::kAll);
    add(model::gpu_obstacles::kAll);
    add(workload::image_errors::kAll);
    add(trace::errors::kAll);
    add(search::errors::kAll);
    add(sweeps::errors::kAll);
    add(workload::stage_errors::kAll);
    add(workload::load_errors::kAll);
    add(store::errors::kAll);
    add(interchange::errors::kAll);
    add(interchange::chrome::errors::kAll);
    add(interchange::files::errors::kAll);
    add(interchange::perfetto::errors::kAll);
    add(interchange::rocprof::errors::kAll);
    add(interchange::results::errors::kAll);
    add(interchange::nsys::errors::kAll);
    add(interchange::sqlite::errors::kAll);
    add(advice::errors::kAll);
    add(analysis::errors::kAll);
    add(query::errors::kAll);
    add(comparison::errors::kAll);
    add(exports::errors::kAll);
    add(sandbox::errors::kAll);
    add(worker::errors::kAll);
    add(probe::errors::kAll);
    add(models::errors::kAll);
    add(study::errors::kAll);
    add(runs::errors::kAll);
    add(engine::errors::kAll);
    add(shards::errors::kAll);
    add(profilers::cupti::errors::kAll);
    add(profilers::nvml::errors::kAll);
    return kinds;
}

std::set<std::string> placeholders(std::string_view text)
{
    std::set<std::string> names;
    for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1))
        names.emplace(text.substr(open + 1, text.find('}', open) - open - 1));
    return names;
}

TEST(Sentences, EveryMessageHasOneTemplateWithItsParameters)
{
    std::set<std::string_view> ids;
    for (const base::MessageKind& kind : allKinds()) {
        EXPECT_TRUE(ids.insert(kind.id).second) << kind.id;
        const auto entry = std::find_if(templates().begin(), templates().end(),
                                        [&](const Template& candidate) { return candidate.id == kind.id; });
        ASSERT_NE(entry, templates().end()) << kind.id;
        std::set<std::string> parameters(kind.parameters.begin(), kind.parameters.begin() + kind.count());
        EXPECT_EQ(placeholders(entry->english), parameters) << kind.id;
    }
    EXPECT_EQ(ids.size(), templates().size()) << "a template that no module uses";
}

TEST(Sentences, NoTwoTemplatesHaveOneText)
{
    std::set<std::string_view> texts;
    for (const Template& entry : templates())
        // A rule needs copies and a recorder records them. Workspaces hold the ids of both.
        if (std::string_view(entry.english) != "copies") {
            EXPECT_TRUE(texts.insert(entry.english).second) << entry.id << ": " << entry.english;
        }
}

/// True for a text that only makes sense behind another one: it begins with a connecting word or with a punctuation
/// mark, or it has a placeholder for such a text.
bool isFragment(std::string_view text)
{
    static const std::set<std::string_view> kConnecting{
        "about",   "after", "against", "and",   "as",   "at",    "because", "before",  "behind", "beside", "between",
        "but",     "by",    "during",  "for",   "from", "if",    "in",      "into",    "of",     "or",     "out",
        "outside", "over",  "since",   "so",    "than", "that",  "to",      "through", "under",  "unless", "until",
        "when",    "where", "which",   "while", "who",  "whose", "with",    "within",  "without"};
    if (text.empty() || std::string_view(" ,;.:)").find(text.front()) != std::string_view::npos)
        return true;
    if (kConnecting.contains(text.substr(0, text.find(' '))) && text.find(' ') != std::string_view::npos)
        return true;
    for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
        const char before = open > 0 ? text[open - 1] : ' ';
        // A letter alone is the prefix of a number: "t{trial}", "p{percentile}".
        const bool isWord = std::isalpha(static_cast<unsigned char>(before)) && open > 1 && text[open - 2] != ' ';
        if (isWord || before == ')' || before == '}')
            return true;
    }
    return false;
}

TEST(Sentences, NoTemplateIsAFragment)
{
    for (const Template& entry : templates())
        EXPECT_FALSE(isFragment(entry.english)) << entry.id << ": " << entry.english;
    for (const char* const text : {"of {memory}", ", mostly from {name}", "{share} of it{rest}.", "({often}){more}"})
        EXPECT_TRUE(isFragment(text)) << text;
    for (const char* const text : {"{share} of the iteration", "p{percentile} at most {latency}", "In all of it."})
        EXPECT_FALSE(isFragment(text)) << text;
}

TEST(Sentences, ParametersAreShownWithTheirUnits)
{
    EXPECT_EQ(sentence(base::message<search::reasons::kBeyondMemory>(base::Bytes{3 << 20}, base::Bytes{2 << 20})),
              "It would need about 3.00 MiB of 2.00 MiB, estimated from the peaks of smaller batches.");
    EXPECT_EQ(sentence(base::message<search::reasons::kCeiling>(base::SamplesPerSecond{17.5}, 21.0)),
              "It cannot exceed 17.50 samples/s; the leader reaches 21.00.");
    EXPECT_EQ(sentence(base::message<search::reasons::kTwoBatchesFailed>(base::foreignText("It fell over {reason}."))),
              "Two of its batches could not be measured: It fell over {reason}.");
}

TEST(Sentences, CountImagesWhereTheSamplesAreImages)
{
    const base::Message ceiling = base::message<search::reasons::kCeiling>(base::SamplesPerSecond{17.5}, 21.0);
    EXPECT_EQ(sentence(base::withRateUnit(ceiling, base::RateUnit::images)),
              "It cannot exceed 17.50 img/s; the leader reaches 21.00.");
    // A message within a message has rates of its own.
    const base::Message outer = base::message<search::reasons::kTwoBatchesFailed>(ceiling);
    EXPECT_NE(sentence(base::withRateUnit(outer, base::RateUnit::images)).find("17.50 img/s"), std::string::npos);
}

TEST(Sentences, AreTranslatedByTemplate)
{
    const auto swapped = [](const char*) { return std::string("<{memory}/{needed}>"); };
    EXPECT_EQ(sentence(base::message<search::reasons::kBeyondMemory>(base::Bytes{1024}, base::Bytes{2048}), swapped),
              "<2.00 KiB/1.00 KiB>");
}

TEST(Sentences, OfANewerVersionAreEmpty)
{
    EXPECT_EQ(sentence(base::Message{"search.quantum"}), "");
    EXPECT_EQ(sentence(base::message<search::reasons::kBudgetSpent>()), "The budget left no time for it.");
}

TEST(Messages, AreReadBackFromJson)
{
    using namespace search::reasons;
    for (const base::Message& message :
         {base::message<kBudgetSpent>(), base::message<kCeiling>(base::SamplesPerSecond{17}, 21.0),
          base::message<kCompileGain>(base::Share{0.25}, 3), base::message<kLatencyBound>(base::Nanoseconds{1'500'000}),
          base::message<kBatchBeyondMemory>(8, base::Bytes{4096}, base::Bytes{1024}),
          base::message<kTwoBatchesFailed>(base::message<kNotOffered>("openvino", "tf32"))}) {
        const base::Json json = base::Json::parse(base::toJson(message).dump());
        EXPECT_EQ(base::messageFromJson(json), message) << json;
    }
}

TEST(Messages, ThatAreDamagedAreEmpty)
{
    for (const char* text : {"null", "[]", "{}", R"({"id": 1, "parameters": {}})", R"({"id": "a"})",
                             R"({"id": "a", "parameters": {"b": {"miles": 1}}})", R"({"id": "a", "parameters": 3})"})
        EXPECT_TRUE(base::messageFromJson(base::Json::parse(text)).empty()) << text;
    std::string deep = R"("end")";
    for (int i = 0; i < 100; ++i)
        deep = R"([{"id": "a", "parameters": {"b": )" + deep + "}}]";
    const base::Message nested =
        base::messageFromJson(base::Json::parse(R"({"id": "a", "parameters": {"b": )" + deep + "}}"));
    EXPECT_EQ(nested.id, "a");
}

} // namespace
} // namespace apertune::sentences
