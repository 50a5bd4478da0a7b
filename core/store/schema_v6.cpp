// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

namespace apertune::store {

// What a trial's answers are worth. Explained in schema.md.
const std::string_view kSchemaVersion6 = R"sql(
CREATE TABLE judgement (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trial_id    INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
    kind        TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    document    TEXT NOT NULL
) STRICT;
CREATE INDEX judgement_trial ON judgement (trial_id);
)sql";

} // namespace apertune::store
