// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/metrics/metrics.h"
#include "tests/support/section.h"

#include <gtest/gtest.h>

#include <set>

namespace apertune::metrics {
namespace {

TEST(Metrics, HaveKeysMembersAndColumnsOfTheirOwn)
{
    std::set<std::string_view> keys;
    std::set<std::string_view> members;
    std::set<std::string_view> names;
    std::set<std::string> columns;
    for (const Metric& metric : all()) {
        EXPECT_TRUE(keys.insert(metric.key).second) << metric.key;
        EXPECT_FALSE(metric.definition.empty()) << metric.key;
        EXPECT_NE(metric.read, nullptr) << metric.key;
        EXPECT_EQ(metric.column != Column::none, !metric.title.empty()) << metric.key;
        EXPECT_EQ(metric.group != FactGroup::none, !metric.name.empty() || !metric.phrase.empty()) << metric.key;
        EXPECT_TRUE(metric.name.empty() || names.insert(metric.name).second) << metric.name;
        EXPECT_EQ(&find(metric.key), &metric);
        EXPECT_TRUE(metric.json.empty() || members.insert(metric.json).second) << metric.json;
        for (const std::string& column : base::splitList(metric.csv))
            EXPECT_TRUE(columns.insert(column).second) << column;
    }
}

TEST(Metrics, AreAbsentFromAnEmptyMeasurementWhereNothingWasMeasured)
{
    const model::Measurement nothing;
    for (const char* key : {"p99", "compile", "device_time", "device_blocks", "memory_peak", "cosine", "nan_count"})
        EXPECT_FALSE(find(key).read(nothing, model::DeviceType::cpu()).value) << key;
}

TEST(Metrics, AreReadInTheirUnit)
{
    model::Measurement m;
    m.latencyNs = {2e6, 1e6, 3e6, 0.95};
    m.blocks.resize(3);
    const Reading latency = find("latency").read(m, model::DeviceType::cpu());
    EXPECT_DOUBLE_EQ(*latency.value, 2);
    EXPECT_DOUBLE_EQ(latency.interval->hi, 3);
    EXPECT_EQ(latency.samples, 3U);
    EXPECT_EQ(heading(find("latency"), {}), "Latency ms");
    EXPECT_EQ(heading(find("throughput"), base::RateUnit::images), "Throughput img/s");
    EXPECT_EQ(heading(find("throughput"), base::RateUnit::samples), "Throughput samples/s");
}

TEST(Metrics, TakeThePeakThatCountsForTheDevice)
{
    model::Measurement m;
    m.memory = {base::Bytes{1}, base::Bytes{2}, base::Bytes{3}};
    EXPECT_EQ(find("memory_peak").read(m, model::DeviceType::cpu()).value, 1);
    EXPECT_EQ(find("memory_peak").read(m, model::DeviceType::nvidiaGpu()).value, 3);
    m.memory.devicePeak.reset();
    EXPECT_EQ(find("memory_peak").read(m, model::DeviceType::nvidiaGpu()).value, 2);
}

TEST(Metrics, ShowNaNInsteadOfTheCosineOfTheOtherOutputs)
{
    model::Measurement m;
    m.quality = model::Quality{};
    m.quality->cosine = 0.9999871;
    EXPECT_EQ(similarityText(find("cosine").read(m, model::DeviceType::cpu())), "0.999987");
    m.quality->nanCount = 17;
    EXPECT_EQ(similarityText(find("cosine").read(m, model::DeviceType::cpu())), "17 NaN");
}

/// The section of schema.md about metrics, as the table gives it.
std::string schemaSection()
{
    const auto names = [](std::string_view list, std::string_view none) {
        const auto parts = base::splitList(list);
        return parts.empty() ? std::string(none) : "`" + base::join(parts, "`, `") + "`";
    };
    std::string text = "| JSON | CSV | meaning |\n|---|---|---|\n";
    for (const Metric& metric : all()) {
        if (metric.json.empty() && metric.csv.empty())
            continue;
        std::string json(metric.json);
        if (const auto slash = json.find('/'); slash != std::string::npos)
            json[slash] = '.';
        text +=
            "| " + names(json, "–") + " | " + names(metric.csv, "–") + " | " + std::string(metric.definition) + " |\n";
    }
    return text;
}

TEST(Metrics, StandInTheDescriptionOfDocuments)
{
    test::expectSection(APERTUNE_SCHEMA, "metrics", schemaSection());
}

/// The table of the manual. It has every metric, also those that only tables show.
std::string manualSection()
{
    std::string text = "| metric | column | JSON | CSV | meaning |\n|---|---|---|---|---|\n";
    const auto code = [](std::string_view name) { return name.empty() ? "–" : "`" + std::string(name) + "`"; };
    for (const Metric& metric : all()) {
        const std::vector<std::string> columns = base::splitList(metric.csv);
        text += "| `" + std::string(metric.key) + "` | " +
                (metric.title.empty() ? "–" : heading(metric, base::RateUnit::samples)) + " | " + code(metric.json) +
                " | " + code(columns.empty() ? std::string() : base::join(columns, "`, `")) + " | " +
                std::string(metric.definition) + " |\n";
    }
    return text;
}

TEST(Metrics, StandInTheManual)
{
    test::expectSection(APERTUNE_MANUAL "/reference/metrics.md", "metrics", manualSection());
}

} // namespace
} // namespace apertune::metrics
