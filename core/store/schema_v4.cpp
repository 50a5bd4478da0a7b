// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

namespace apertune::store {

// What the machine did while it measured, and what it shows where there is nothing to see. Explained in schema.md.
const std::string_view kSchemaVersion4 = R"sql(
ALTER TABLE block ADD COLUMN waited_ns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE block ADD COLUMN clock REAL NOT NULL DEFAULT 0;
ALTER TABLE measurement ADD COLUMN conditions TEXT NOT NULL DEFAULT '{}';

CREATE TABLE noise (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    machine      TEXT NOT NULL,
    protocol     TEXT NOT NULL,
    cell         TEXT NOT NULL,
    ratio        REAL NOT NULL,
    measured_utc TEXT NOT NULL
) STRICT;
CREATE INDEX noise_machine ON noise (machine, protocol, id);
)sql";

} // namespace apertune::store
