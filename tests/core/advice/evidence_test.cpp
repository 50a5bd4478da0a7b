// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/event_query.h"
#include "core/advice/verdict.h"
#include "core/base/temporary_dir.h"
#include "core/interchange/chrome/kineto_import.h"
#include "core/query/query.h"
#include "core/sentences/sentences.h"
#include "core/store/store.h"
#include "planted_traces.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace apertune::advice {
namespace {

using sentences::sentence;
using testing::Plant;
using testing::Planted;

constexpr std::uint64_t kEvidenceSeed = 4'711;

/// A workspace with several traces, whose evidence is asked for.
class EvidenceTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        auto folder = base::TemporaryDir::create("evidence");
        ASSERT_TRUE(folder.ok());
        m_folder.emplace(std::move(folder).value());
    }

    /// Judges a stored trace and runs the query of everything that is said of it.
    FindingReport check(const trace::Trace& trace, Context context, const std::string& name)
    {
        {
            auto store = store::Store::open(file(), store::OpenMode::readWrite);
            EXPECT_TRUE(store.ok());
            context.traceId = store->addTrace(trace)->value;
        }
        const Facts facts(trace, std::move(context));
        FindingReport j = reportFindings(facts);
        for (const RuleResult& rule : j.rules)
            for (const Finding& f : rule.findings) {
                check(f.evidence, name + ", " + f.rule + ": " + sentence(f.text));
                EXPECT_GT(f.evidence.events, 0) << name << ", " << f.rule << ": " << f.evidence.query;
                EXPECT_GT(f.evidence.range.length(), 0) << name << ", " << f.rule;
                m_rules.insert(f.rule);
            }
        for (const CauseShare& part : j.verdict.parts) {
            check(part.evidence, name + ", " + std::string(toString(part.cause)));
            if (part.share < 0.05)
                continue;
            EXPECT_GT(part.evidence.events, 0) << name << ", " << toString(part.cause) << ": " << part.evidence.query;
            EXPECT_GT(part.evidence.range.length(), 0) << name << ", " << toString(part.cause);
        }
        return j;
    }

    std::filesystem::path file() const { return m_folder->path() / "runs.apertune"; }
    std::set<std::string> m_rules; ///< rules that fired

private:
    void check(const Evidence& evidence, const std::string& what)
    {
        const auto rows = query::query(file(), evidence.query);
        ASSERT_TRUE(rows.ok()) << what << "\n" << evidence.query << "\n" << sentences::describe(rows.error());
        EXPECT_EQ(static_cast<std::int64_t>(rows->rows.size()), evidence.events) << what << "\n" << evidence.query;
    }

    std::optional<base::TemporaryDir> m_folder;
};

TEST_F(EvidenceTest, EveryQueryGivesAsManyRowsAsItClaims)
{
    for (const Plant plant : testing::allPlants()) {
        const Planted planted = testing::plantedTrace(plant, kEvidenceSeed);
        check(planted.trace, planted.context, planted.name);
    }
    EXPECT_GE(m_rules.size(), 18u) << "hardly any rule fired: the test looks at little";
}

TEST_F(EvidenceTest, TheQueryOfAnEventFindsItAmongSeveralTraces)
{
    std::set<trace::EventKind> seen;
    for (const Plant plant : testing::allPlants()) {
        const Planted planted = testing::plantedTrace(plant, kEvidenceSeed);
        std::int64_t id = 0;
        {
            auto store = store::Store::open(file(), store::OpenMode::readWrite);
            ASSERT_TRUE(store.ok());
            id = store->addTrace(planted.trace)->value;
        }
        for (const trace::Series& series : planted.trace.series) {
            if (!seen.insert(series.kind).second)
                continue;
            const std::size_t last = series.events.size() - 1;
            const std::string name(planted.trace.text({series.events.name[last]}));
            const std::string sql = eventQuery(series.kind, series.track, series.events.start[last], name, id);
            const auto rows = query::query(file(), sql);
            ASSERT_TRUE(rows.ok()) << sql << "\n" << sentences::describe(rows.error());
            EXPECT_GE(rows->rows.size(), 1u) << sql;
            EXPECT_TRUE(sql.find("trace_id = " + std::to_string(id)) != std::string::npos) << sql;
        }
    }
    EXPECT_GE(seen.size(), 5u);
}

TEST_F(EvidenceTest, OfARecordingTooGivesAsManyRowsAsItClaims)
{
    const char* const folder = std::getenv("APERTUNE_TRACES");
    if (!folder)
        GTEST_SKIP() << "APERTUNE_TRACES names no folder with traces";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.path().string().ends_with(".json.gz"))
            continue;
        const auto trace = interchange::importKineto(entry.path());
        ASSERT_TRUE(trace.ok()) << sentences::describe(trace.error());
        check(*trace, {}, entry.path().filename().string());
    }
}

} // namespace
} // namespace apertune::advice
