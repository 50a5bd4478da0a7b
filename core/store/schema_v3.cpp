// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

namespace apertune::store {

// What devices were measured to reach, and trials under load. Explained in schema.md.
const std::string_view kSchemaVersion3 = R"sql(
CREATE TABLE ceiling (
    device       TEXT NOT NULL,
    ordinal      INTEGER NOT NULL,
    quantity     TEXT NOT NULL,
    rate         REAL NOT NULL,
    rate_lo      REAL NOT NULL,
    rate_hi      REAL NOT NULL,
    confidence   REAL NOT NULL,
    samples      INTEGER NOT NULL,
    how          TEXT NOT NULL,
    backend      TEXT NOT NULL,
    measured_utc TEXT NOT NULL,
    PRIMARY KEY (device, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE scenario (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trial_id    INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
    kind        TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    document    TEXT NOT NULL
) STRICT;
CREATE INDEX scenario_trial ON scenario (trial_id);
)sql";

} // namespace apertune::store
