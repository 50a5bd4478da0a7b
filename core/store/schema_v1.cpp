// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

namespace apertune::store {

// Explained table by table in schema.md. Ids are AUTOINCREMENT so that one that scripts have seen is never given to
// another row. Enums have no CHECK: a later version may add values without rebuilding a table.
const std::string_view kSchemaVersion1 = R"sql(
CREATE TABLE model (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    identity     TEXT NOT NULL UNIQUE,
    listed       INTEGER NOT NULL,
    name         TEXT NOT NULL,
    artifact     TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    document     TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX model_listed ON model (name) WHERE listed = 1;

CREATE TABLE environment (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    hash     TEXT NOT NULL UNIQUE,
    host     TEXT NOT NULL,
    os       TEXT NOT NULL,
    kernel   TEXT NOT NULL,
    apertune TEXT NOT NULL,
    engines  TEXT NOT NULL,
    settings TEXT NOT NULL
) STRICT;

CREATE TABLE device (
    environment_id INTEGER NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
    ordinal        INTEGER NOT NULL,
    id             TEXT NOT NULL,
    kind           INTEGER NOT NULL,
    name           TEXT NOT NULL,
    uuid           TEXT NOT NULL,
    memory         INTEGER NOT NULL,
    cores          INTEGER NOT NULL,
    threads        INTEGER NOT NULL,
    isa            TEXT NOT NULL,
    compute_major  INTEGER NOT NULL,
    compute_minor  INTEGER NOT NULL,
    driver         TEXT NOT NULL,
    max_clock_mhz  INTEGER NOT NULL,
    PRIMARY KEY (environment_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE study (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid           TEXT NOT NULL UNIQUE,
    name           TEXT NOT NULL,
    model_id       INTEGER NOT NULL REFERENCES model (id),
    environment_id INTEGER NOT NULL REFERENCES environment (id),
    load_average   REAL,
    clocks_mhz     TEXT NOT NULL,
    goal           TEXT NOT NULL,
    space          TEXT NOT NULL,
    budget_ns      INTEGER NOT NULL,
    state          INTEGER NOT NULL,
    created_utc    TEXT NOT NULL,
    finished_utc   TEXT NOT NULL,
    command_line   TEXT NOT NULL
) STRICT;
CREATE INDEX study_model ON study (model_id);
CREATE INDEX study_environment ON study (environment_id);

CREATE TABLE trial (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    study_id      INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    ordinal       INTEGER NOT NULL,
    device        TEXT NOT NULL,
    config        TEXT NOT NULL,
    config_hash   TEXT NOT NULL,
    state         INTEGER NOT NULL,
    attempt       INTEGER NOT NULL,
    reason_kind   TEXT NOT NULL,
    reason_text   TEXT NOT NULL,
    reason_detail TEXT NOT NULL,
    started_utc   TEXT NOT NULL,
    finished_utc  TEXT NOT NULL,
    UNIQUE (study_id, config_hash),
    UNIQUE (study_id, ordinal)
) STRICT;

CREATE TABLE measurement (
    trial_id              INTEGER PRIMARY KEY REFERENCES trial (id) ON DELETE CASCADE,
    latency_ns            REAL,
    latency_lo_ns         REAL,
    latency_hi_ns         REAL,
    latency_confidence    REAL,
    throughput            REAL,
    throughput_lo         REAL,
    throughput_hi         REAL,
    throughput_confidence REAL,
    p50_ns                REAL,
    p90_ns                REAL,
    p95_ns                REAL,
    p99_ns                REAL,
    device_ns             REAL,
    load_ns               INTEGER NOT NULL,
    first_ns              INTEGER NOT NULL,
    warmup_ns             INTEGER NOT NULL,
    warmup_iterations     INTEGER NOT NULL,
    compile_ns            INTEGER,
    process_peak          INTEGER,
    allocator_peak        INTEGER,
    device_peak           INTEGER,
    applied               TEXT NOT NULL,
    flags                 TEXT NOT NULL
) STRICT;

CREATE TABLE quality (
    trial_id       INTEGER PRIMARY KEY REFERENCES trial (id) ON DELETE CASCADE,
    cosine         REAL,
    max_abs        REAL,
    max_rel        REAL,
    nan_count      INTEGER NOT NULL,
    top1_agreement REAL,
    top5_agreement REAL,
    samples        INTEGER NOT NULL
) STRICT;

CREATE TABLE block (
    trial_id             INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
    ordinal              INTEGER NOT NULL,
    iterations           INTEGER NOT NULL,
    wall_ns              INTEGER NOT NULL,
    device_ns            INTEGER NOT NULL,
    cpu_ns               INTEGER NOT NULL,
    involuntary_switches INTEGER NOT NULL,
    PRIMARY KEY (trial_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE iteration (
    trial_id INTEGER PRIMARY KEY REFERENCES trial (id) ON DELETE CASCADE,
    count    INTEGER NOT NULL,
    times    BLOB NOT NULL
) STRICT;

CREATE TABLE baseline (
    trial_id    INTEGER PRIMARY KEY REFERENCES trial (id) ON DELETE CASCADE,
    starred_utc TEXT NOT NULL
) STRICT;

CREATE TABLE artifact (
    key         TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    path        TEXT NOT NULL,
    compile_ns  INTEGER NOT NULL,
    size        INTEGER NOT NULL,
    error       TEXT NOT NULL,
    created_utc TEXT NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

} // namespace apertune::store
