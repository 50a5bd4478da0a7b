// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/foreign_results.h"
#include "core/sentences/sentences.h"
#include "tests/support/kit_document.h"

#include <gtest/gtest.h>

#include <functional>

namespace apertune::interchange {
namespace {

using Json = nlohmann::json;

ForeignResults read(const Json& document)
{
    auto results = parseForeignResults(document.dump());
    EXPECT_TRUE(results) << (results ? "" : sentences::describe(results.error()));
    return results ? std::move(*results) : ForeignResults{};
}

TEST(KitTrials, HoldWhatTheKitMeasured)
{
    const ForeignResults results = read(test::kitDocument());
    EXPECT_EQ(results.tool, "pytorch");
    EXPECT_EQ(results.version, "2.8.0+rocm6.2");
    ASSERT_TRUE(results.kit);
    const KitRun& kit = *results.kit;
    EXPECT_EQ(kit.platform, "rocm");
    EXPECT_FALSE(kit.standIn);
    EXPECT_EQ(kit.model.source, "torchvision:resnet50");
    EXPECT_EQ(kit.model.rateUnit(), base::RateUnit::images);
    ASSERT_EQ(kit.environment.devices.size(), 1u);
    EXPECT_EQ(kit.environment.devices[0].name, "AMD Instinct MI300X");
    EXPECT_EQ(kit.environment.devices[0].type.vendor, model::Vendor::amd);
    ASSERT_EQ(kit.trials.size(), 2u);
    const model::Measurement& m = kit.trials[0].measurement;
    EXPECT_EQ(m.blocks.size(), 8u);
    EXPECT_DOUBLE_EQ(m.latencyNs.value, 5e6);
    EXPECT_EQ(m.latencyNs.confidence, 0.95) << "of eight blocks, the smallest and the largest";
    EXPECT_DOUBLE_EQ(m.latencyNs.lo, 20'000'000 / 4.0 - 3500 / 4.0);
    EXPECT_DOUBLE_EQ(m.throughput.value, 1600);
    EXPECT_DOUBLE_EQ(m.deviceNs.value(), 4.75e6);
    EXPECT_EQ(m.quality.value().top1Agreement, 1.0);
    EXPECT_EQ(m.memory.allocatorPeak.value().count, 1 << 28);
    EXPECT_FALSE(m.memory.devicePeak);
    EXPECT_EQ(kit.trials[1].state, model::TrialState::failed);
    EXPECT_EQ(sentences::sentence(kit.trials[1].reason.message), "RuntimeError: out of memory");
}

/// The refusal of a document after a change.
std::string refusalAfter(const std::function<void(Json&)>& change)
{
    Json document = test::kitDocument();
    change(document);
    const auto parsed = parseForeignResults(document.dump());
    EXPECT_FALSE(parsed) << document.dump();
    return parsed ? std::string() : sentences::describe(parsed.error());
}

TEST(KitTrials, AreRefusedWithTheMemberThatIsDamaged)
{
    const std::vector<std::pair<const char*, std::function<void(Json&)>>> changes{
        {"platform", [](Json& d) { d["kit"]["platform"] = "../etc"; }},
        {"platform", [](Json& d) { d["kit"]["platform"] = std::string(61, 'a'); }},
        {"engine", [](Json& d) { d["kit"].erase("engine"); }},
        {"manifest_sha256", [](Json& d) { d["kit"]["manifest_sha256"] = std::string(64, 'x'); }},
        {"stand_in", [](Json& d) { d["kit"]["stand_in"] = "no"; }},
        {"name", [](Json& d) { d["model"]["name"] = ""; }},
        {"name", [](Json& d) { d["model"]["name"] = std::string(301, 'a'); }},
        {"shape", [](Json& d) { d["model"]["inputs"][0]["shape"][1] = -1; }},
        {"devices/id", [](Json& d) { d["environment"]["devices"][0]["id"] = "toaster:0"; }},
        {"devices", [](Json& d) { d["environment"]["devices"].push_back(d["environment"]["devices"][0]); }},
        {"device", [](Json& d) { d["trials"][0]["device"] = "cpu"; }},
        {"config", [](Json& d) { d["trials"][0]["config"]["backend"] = "libtorch"; }},
        {"config", [](Json& d) { d["trials"][0]["config"]["batch"] = 0; }},
        {"config", [](Json& d) { d["trials"][0]["config"]["precision"] = "fp33"; }},
        {"trials", [](Json& d) { d["trials"][1]["config"] = d["trials"][0]["config"]; }},
        {"trials", [](Json& d) { d["trials"] = Json::array(); }},
        {"state", [](Json& d) { d["trials"][0]["state"] = "queued"; }},
        {"blocks", [](Json& d) { d["trials"][0]["blocks"] = Json::array(); }},
        {"iterations", [](Json& d) { d["trials"][0]["blocks"][0]["iterations"] = 0; }},
        {"wall_ns", [](Json& d) { d["trials"][0]["blocks"][0]["wall_ns"] = -5; }},
        {"wall_ns", [](Json& d) { d["trials"][0]["blocks"][0]["wall_ns"] = 18446744073709551615u; }},
        {"wall_ns", [](Json& d) { d["trials"][0]["blocks"][0]["wall_ns"] = 1.5; }},
        {"iterations_ns", [](Json& d) { d["trials"][0]["iterations_ns"][0] = 0; }},
        {"cosine", [](Json& d) { d["trials"][0]["quality"]["cosine"] = 1.5; }},
        {"first", [](Json& d) { d["trials"][0]["latency_ms"]["first"] = nullptr; }},
        {"process_peak", [](Json& d) { d["trials"][0]["memory_bytes"]["process_peak"] = -1; }},
        {"evidence", [](Json& d) { d["trials"][0]["applied"][0]["evidence"] = 3; }},
        {"python", [](Json& d) { d["environment"]["settings"].erase("python"); }}};
    for (const auto& [member, change] : changes) {
        const std::string refusal = refusalAfter(change);
        EXPECT_NE(refusal.find(std::string("Its member ") + member + " is missing or damaged."), std::string::npos)
            << member << ": " << refusal;
        EXPECT_NE(refusal.find("kit.py"), std::string::npos) << refusal;
    }
}

TEST(KitTrials, AreRefusedWhereTheirMedianIsNotThatOfTheBlocks)
{
    const std::string refusal = refusalAfter([](Json& d) { d["trials"][0]["latency_ms"]["median"] = 4.0; });
    EXPECT_NE(refusal.find("Trial t1 states a median of 4.000 ms, and that of its blocks is 5.000 ms."),
              std::string::npos)
        << refusal;
}

TEST(KitTrials, OfAWorkspaceAreRefused)
{
    const std::string refusal = refusalAfter([](Json& d) { d.erase("kit"); });
    EXPECT_NE(refusal.find("No measuring kit wrote them"), std::string::npos) << refusal;
}

TEST(KitTrials, OfACutFileAreRefused)
{
    const std::string whole = test::kitDocument().dump();
    for (std::size_t length = 0; length < whole.size(); length += 7) {
        const auto parsed = parseForeignResults(std::string_view(whole).substr(0, length));
        ASSERT_FALSE(parsed) << length;
        EXPECT_EQ(parsed.error().code, base::ErrorCode::corrupt);
        EXPECT_FALSE(sentences::sentence(parsed.error().message).empty());
    }
}

TEST(KitTrials, TakeNoSettingThatTheImportMakes)
{
    Json document = test::kitDocument();
    document["environment"]["settings"]["imported from"] = "elsewhere";
    document["environment"]["settings"]["platform"] = "cuda";
    const ForeignResults results = read(document);
    ASSERT_TRUE(results.kit);
    for (const auto& [name, value] : results.kit->environment.settings)
        EXPECT_TRUE(name == "python" || name == "machine" || name == "processors") << name << " = " << value;
}

} // namespace
} // namespace apertune::interchange
