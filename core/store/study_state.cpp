// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/study_state.h"

#include "core/base/clock.h"
#include "core/store/errors.h"
#include "core/store/failure.h"

#include <string>

namespace apertune::store {

using base::ErrorCode;

void requireStudy(const Database& db, model::StudyId id)
{
    if (!db.query("SELECT 1 FROM study WHERE id = ?1", id.value).step())
        fail({ErrorCode::notFound,
              base::message<errors::kNoStudy>(id.value),
              {},
              base::message<errors::kListStudies>()});
}

void updateStudyState(const Database& db, model::StudyId id, model::StudyState state)
{
    requireStudy(db, id);
    db.run("UPDATE study SET state = ?2, finished_utc = ?3 WHERE id = ?1", id.value, static_cast<int>(state),
           state == model::StudyState::running ? std::string() : base::utcNow());
}

} // namespace apertune::store
