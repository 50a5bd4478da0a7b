// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include <array>

namespace apertune::store {

namespace {

// schema.md explains the tables. Ids are AUTOINCREMENT, so that an id that scripts have seen is never given to another
// row. Enums have no CHECK, so that a later version may add values without rebuilding a table.
constexpr std::string_view kVersion1 = R"sql(
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
    target         REAL NOT NULL,
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
    reason_message TEXT NOT NULL DEFAULT '',
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
    confirmation          INTEGER NOT NULL,
    applied               TEXT NOT NULL,
    flags                 TEXT NOT NULL,
    conditions            TEXT NOT NULL
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
    waited_ns            INTEGER NOT NULL,
    clock                REAL NOT NULL,
    process              INTEGER NOT NULL,
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

CREATE TABLE noise (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    machine       TEXT NOT NULL,
    protocol      TEXT NOT NULL,
    configuration TEXT NOT NULL,
    ratio         REAL NOT NULL,
    measured_utc  TEXT NOT NULL
) STRICT;
CREATE INDEX noise_machine ON noise (machine, protocol, id);

CREATE TABLE scenario (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trial_id    INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
    kind        TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    document    TEXT NOT NULL
) STRICT;
CREATE INDEX scenario_trial ON scenario (trial_id);

CREATE TABLE pipeline (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trial_id    INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
    created_utc TEXT NOT NULL,
    document    TEXT NOT NULL
) STRICT;
CREATE INDEX pipeline_trial ON pipeline (trial_id);

CREATE TABLE evaluation (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trial_id    INTEGER NOT NULL REFERENCES trial (id) ON DELETE CASCADE,
    kind        TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    document    TEXT NOT NULL
) STRICT;
CREATE INDEX evaluation_trial ON evaluation (trial_id);

-- Traces. The rows of a trace carry its id first in their key, so that they lie together. The tables of texts and
-- details hold once what the chunks refer to millions of times.
CREATE TABLE trace (
    id                  INTEGER PRIMARY KEY AUTOINCREMENT,
    trial_id            INTEGER REFERENCES trial (id) ON DELETE CASCADE,
    name                TEXT NOT NULL,
    source              TEXT NOT NULL,
    recorder_version    TEXT NOT NULL,
    origin_monotonic_ns INTEGER NOT NULL,
    origin_epoch_ns     INTEGER NOT NULL,
    state               INTEGER NOT NULL,
    created_utc         TEXT NOT NULL,
    events              INTEGER NOT NULL,
    begin_ns            INTEGER NOT NULL,
    end_ns              INTEGER NOT NULL
) STRICT;
CREATE INDEX trace_trial ON trace (trial_id);

CREATE TABLE track (
    trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    id       INTEGER NOT NULL,
    type     INTEGER NOT NULL,
    process  INTEGER NOT NULL,
    thread   INTEGER NOT NULL,
    device   INTEGER NOT NULL,
    context  INTEGER NOT NULL,
    stream   INTEGER NOT NULL,
    label    TEXT NOT NULL,
    unit     TEXT NOT NULL,
    PRIMARY KEY (trace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE string (
    trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    id       INTEGER NOT NULL,
    value    TEXT NOT NULL,
    PRIMARY KEY (trace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE kernel_detail (
    trace_id           INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    id                 INTEGER NOT NULL,
    grid_x             INTEGER NOT NULL,
    grid_y             INTEGER NOT NULL,
    grid_z             INTEGER NOT NULL,
    block_x            INTEGER NOT NULL,
    block_y            INTEGER NOT NULL,
    block_z            INTEGER NOT NULL,
    cluster_x          INTEGER NOT NULL,
    cluster_y          INTEGER NOT NULL,
    cluster_z          INTEGER NOT NULL,
    registers          INTEGER NOT NULL,
    static_shared      INTEGER NOT NULL,
    dynamic_shared     INTEGER NOT NULL,
    local_bytes        INTEGER NOT NULL,
    graph              INTEGER NOT NULL,
    graph_node         INTEGER NOT NULL,
    recorded_occupancy REAL,
    PRIMARY KEY (trace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE copy_detail (
    trace_id      INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    id            INTEGER NOT NULL,
    direction     INTEGER NOT NULL,
    source        INTEGER NOT NULL,
    target        INTEGER NOT NULL,
    asynchronous  INTEGER NOT NULL,
    source_device INTEGER NOT NULL,
    target_device INTEGER NOT NULL,
    graph         INTEGER NOT NULL,
    graph_node    INTEGER NOT NULL,
    PRIMARY KEY (trace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE synchronization_detail (
    trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    id       INTEGER NOT NULL,
    type     INTEGER NOT NULL,
    event    INTEGER NOT NULL,
    stream   INTEGER NOT NULL,
    PRIMARY KEY (trace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_detail (
    trace_id     INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    id           INTEGER NOT NULL,
    input_shapes INTEGER NOT NULL,
    input_types  INTEGER NOT NULL,
    module       INTEGER NOT NULL,
    sequence     INTEGER NOT NULL,
    PRIMARY KEY (trace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_detail (
    trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    id       INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    device   INTEGER NOT NULL,
    owner    INTEGER NOT NULL,
    PRIMARY KEY (trace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE note_detail (
    trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    id       INTEGER NOT NULL,
    note     INTEGER NOT NULL,
    PRIMARY KEY (trace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_device (
    trace_id                     INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    ordinal                      INTEGER NOT NULL,
    id                           INTEGER NOT NULL,
    name                         TEXT NOT NULL,
    compute_major                INTEGER NOT NULL,
    compute_minor                INTEGER NOT NULL,
    multiprocessors              INTEGER NOT NULL,
    warp_size                    INTEGER NOT NULL,
    max_threads_block            INTEGER NOT NULL,
    max_threads_multiprocessor   INTEGER NOT NULL,
    registers_multiprocessor     INTEGER NOT NULL,
    shared_bytes_block           INTEGER NOT NULL,
    shared_bytes_multiprocessor  INTEGER NOT NULL,
    total_memory                 INTEGER NOT NULL,
    memory_bandwidth             INTEGER NOT NULL,
    link_bandwidth               INTEGER NOT NULL,
    PRIMARY KEY (trace_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE loss (
    trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    ordinal  INTEGER NOT NULL,
    time_ns  INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    severity INTEGER NOT NULL,
    reason   TEXT NOT NULL,
    PRIMARY KEY (trace_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_cost (
    trace_id          INTEGER PRIMARY KEY REFERENCES trace (id) ON DELETE CASCADE,
    bare_ns           REAL NOT NULL,
    bare_lo_ns        REAL NOT NULL,
    bare_hi_ns        REAL NOT NULL,
    bare_confidence   REAL NOT NULL,
    traced_ns         REAL NOT NULL,
    traced_lo_ns      REAL NOT NULL,
    traced_hi_ns      REAL NOT NULL,
    traced_confidence REAL NOT NULL,
    ratio             REAL NOT NULL,
    ratio_lo          REAL NOT NULL,
    ratio_hi          REAL NOT NULL,
    ratio_confidence  REAL NOT NULL,
    bare_iterations   INTEGER NOT NULL,
    traced_iterations INTEGER NOT NULL
) STRICT;

CREATE TABLE chunk (
    id       INTEGER PRIMARY KEY,
    trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    track_id INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    events   INTEGER NOT NULL,
    begin_ns INTEGER NOT NULL,
    end_ns   INTEGER NOT NULL,
    data     BLOB NOT NULL
) STRICT;
CREATE INDEX chunk_series ON chunk (trace_id, track_id, kind, begin_ns, end_ns);

CREATE TABLE trace_mip (
    trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
    track_id INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    data     BLOB NOT NULL,
    PRIMARY KEY (trace_id, track_id, kind)
) STRICT;
)sql";

/// Blocks know how fast the study's reference configuration was beside them, budgets may bound the time that passes
/// (before, all of them bounded measuring time), and losses keep their reason without its words.
constexpr std::string_view kVersion2 = R"sql(
ALTER TABLE block ADD COLUMN reference_ns REAL NOT NULL DEFAULT 0;
ALTER TABLE study ADD COLUMN budget_kind INTEGER NOT NULL DEFAULT 1;
ALTER TABLE loss ADD COLUMN reason_message TEXT NOT NULL DEFAULT '';
)sql";

/// Studies know whether their devices slow each other down.
constexpr std::string_view kVersion3 = R"sql(
ALTER TABLE study ADD COLUMN interference TEXT NOT NULL DEFAULT '';
)sql";

/// Traces of a distributed job know their rank.
constexpr std::string_view kVersion4 = R"sql(
ALTER TABLE trace ADD COLUMN rank INTEGER NOT NULL DEFAULT -1;
ALTER TABLE trace ADD COLUMN world_size INTEGER NOT NULL DEFAULT 0;
)sql";

/// Operators know the strides of their inputs and, where they are a collective, what it moves.
constexpr std::string_view kVersion5 = R"sql(
ALTER TABLE operator_detail ADD COLUMN input_strides INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operator_detail ADD COLUMN collective INTEGER NOT NULL DEFAULT 0;
)sql";

/// Studies know why they were measured: before, only verifications left a trace of that, their command line. What was
/// predicted of a change stays beside what its verification measured; it outlives its study, so it has no key of it.
constexpr std::string_view kVersion6 = R"sql(
ALTER TABLE study ADD COLUMN purpose INTEGER NOT NULL DEFAULT 0;
UPDATE study SET purpose = 1 WHERE command_line LIKE 'apertune trace verify %'
    OR command_line LIKE 'apertune trace prove %'; -- the verb of older versions

CREATE TABLE experiment (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    study_uuid       TEXT NOT NULL UNIQUE,
    subject          TEXT NOT NULL,
    change           TEXT NOT NULL,
    machine          TEXT NOT NULL,
    task_type        TEXT NOT NULL,
    engine           TEXT NOT NULL,
    model            TEXT NOT NULL,
    others_load      REAL NOT NULL,
    predicted_lo     REAL NOT NULL,
    predicted_hi     REAL NOT NULL,
    saved            REAL NOT NULL,
    saved_lo         REAL NOT NULL,
    saved_hi         REAL NOT NULL,
    saved_confidence REAL NOT NULL,
    outcome          TEXT NOT NULL,
    created_utc      TEXT NOT NULL
) STRICT;
CREATE INDEX experiment_subject ON experiment (subject);
)sql";

/// Starred trials may have a name.
constexpr std::string_view kVersion7 = R"sql(
ALTER TABLE baseline ADD COLUMN name TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX baseline_name ON baseline (name) WHERE name <> '';
)sql";

} // namespace

std::span<const Migration> schemaMigrations()
{
    static constexpr std::array migrations{Migration{1, kVersion1}, Migration{2, kVersion2}, Migration{3, kVersion3},
                                           Migration{4, kVersion4}, Migration{5, kVersion5}, Migration{6, kVersion6},
                                           Migration{7, kVersion7}};
    return migrations;
}

} // namespace apertune::store
