// SPDX-License-Identifier: GPL-3.0-or-later
// A workspace that cannot be written for some time pauses a study and ends nothing.
#include "core/sentences/sentences.h"
#include "core/study/reasons.h"
#include "tests/core/study/study_fixture.h"

#include <sqlite3.h>

namespace apertune::study {
namespace {

using base::Outcome;
using model::StudyState;
using model::TrialState;

/// Another program that holds the workspace for writing.
class OtherWriter
{
public:
    explicit OtherWriter(const std::filesystem::path& file)
    {
        if (sqlite3_open(file.c_str(), &m_database) == SQLITE_OK)
            sqlite3_busy_timeout(m_database, 10000);
    }
    ~OtherWriter() { sqlite3_close(m_database); }
    OtherWriter(const OtherWriter&) = delete;
    OtherWriter& operator=(const OtherWriter&) = delete;
    bool take() { return sqlite3_exec(m_database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK; }
    bool release() { return sqlite3_exec(m_database, "ROLLBACK", nullptr, nullptr, nullptr) == SQLITE_OK; }

private:
    sqlite3* m_database = nullptr;
};

struct StudyPause : testing::StudyFixture
{
    /// Whether an event is the message of that kind.
    static bool is(const StudyEvent& event, const base::MessageKind& kind)
    {
        return event.kind == StudyEvent::Kind::message && event.message.id == kind.id;
    }
    std::ptrdiff_t told(const base::MessageKind& kind) const
    {
        return std::count_if(events.begin(), events.end(), [&](const StudyEvent& event) { return is(event, kind); });
    }
};

TEST_F(StudyPause, AWorkspaceThatIsHeldPausesTheStudyWhichGoesOnByItself)
{
    OtherWriter other(store.file());
    bool taken = false;
    bool released = false;
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialFinished && !taken)
            taken = other.take();
        if (is(event, reasons::kStoreWaits))
            released = other.release();
    };
    ASSERT_EQ(run({{"latency_ms", 2}}), Outcome::done) << sentences::sentence(lastError.message);
    EXPECT_TRUE(taken);
    EXPECT_TRUE(released);
    EXPECT_EQ(told(reasons::kStoreWaits), 1);
    EXPECT_EQ(told(reasons::kStoreGoesOn), 1);
    const auto snapshot = study();
    EXPECT_EQ(snapshot.study.state, StudyState::finished);
    EXPECT_EQ(count(snapshot, TrialState::ok), static_cast<int>(snapshot.trials.size()));
}

TEST_F(StudyPause, AStopEndsTheWaitAndKeepsWhatWasStored)
{
    OtherWriter other(store.file());
    onEvent = [&](const StudyEvent& event) {
        if (event.kind == StudyEvent::Kind::trialFinished) {
            ASSERT_TRUE(other.take());
        }
        if (is(event, reasons::kStoreWaits))
            stop.request_stop();
    };
    ASSERT_EQ(run({{"latency_ms", 2}}), Outcome::failed);
    ASSERT_TRUE(other.release());
    onEvent = {};
    EXPECT_EQ(told(reasons::kStoreGoesOn), 0);
    EXPECT_EQ(count(study(), TrialState::ok), 1);
    // It can be resumed.
    stop = {};
    EXPECT_EQ(resume(), Outcome::done) << sentences::sentence(lastError.message);
    EXPECT_EQ(count(study(), TrialState::ok), static_cast<int>(study().trials.size()));
}

} // namespace
} // namespace apertune::study
