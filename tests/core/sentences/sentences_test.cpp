// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/reasons.h"
#include "core/model/switch_conflict.h"
#include "core/runs/reasons.h"
#include "core/search/reasons.h"
#include "core/sentences/sentences.h"
#include "core/study/reasons.h"
#include "core/worker/reasons.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace apertune::sentences {
namespace {

std::vector<base::MessageKind> allKinds()
{
    std::vector<base::MessageKind> kinds{base::kForeignText};
    const auto add = [&](const auto& of) { kinds.insert(kinds.end(), of.begin(), of.end()); };
    add(model::reasons::kAll);
    add(search::reasons::kAll);
    add(advice::reasons::kAll);
    add(runs::reasons::kAll);
    add(study::reasons::kAll);
    add(worker::reasons::kAll);
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

TEST(Sentences, ParametersAreShownWithTheirUnits)
{
    EXPECT_EQ(sentence(base::message<search::reasons::kBeyondMemory>(base::Bytes{3 << 20}, base::Bytes{2 << 20})),
              "It would take about 3.00 MiB of 2.00 MiB, by the peaks of smaller batches.");
    EXPECT_EQ(sentence(base::message<search::reasons::kCeiling>(base::SamplesPerSecond{17.5}, 21.0)),
              "It cannot exceed 17.50 samples/s; the leader makes 21.00.");
    EXPECT_EQ(sentence(base::message<search::reasons::kTwoBatchesFailed>(base::foreignText("It fell over {reason}."))),
              "Two batches of it could not be measured: It fell over {reason}.");
}

TEST(Sentences, AreTranslatedByTemplate)
{
    const auto swapped = [](const char*) { return std::string("<{memory}/{needed}>"); };
    EXPECT_EQ(sentence(base::message<search::reasons::kBeyondMemory>(base::Bytes{1024}, base::Bytes{2048}), swapped),
              "<2.00 KiB/1.00 KiB>");
}

TEST(Sentences, OfANewerVersionFallBackToTheStoredText)
{
    model::Reason reason{model::ReasonKind::dominated, "What a newer version wrote.", {}, {"search.quantum", {}}};
    EXPECT_EQ(sentence(reason), "What a newer version wrote.");
    reason.message = base::message<search::reasons::kBudgetSpent>();
    EXPECT_EQ(sentence(reason), "The budget was spent before its turn.");
}

TEST(Messages, AreReadBackFromJson)
{
    using namespace search::reasons;
    for (const base::Message& message :
         {base::message<kBudgetSpent>(), base::message<kCeiling>(base::SamplesPerSecond{17}, 21.0),
          base::message<kCompileGain>(base::Share{0.25}), base::message<kLatencyBound>(base::Nanoseconds{1'500'000}),
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
