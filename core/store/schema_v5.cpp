// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

namespace apertune::store {

// Trials from image to answer. Explained in schema.md.
const std::string_view kSchemaVersion5 = R"sql(
CREATE TABLE pipeline (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trial_id    INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
    created_utc TEXT NOT NULL,
    document    TEXT NOT NULL
) STRICT;
CREATE INDEX pipeline_trial ON pipeline (trial_id);
)sql";

} // namespace apertune::store
