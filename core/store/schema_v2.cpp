// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

namespace apertune::store {

// Traces. Explained table by table in schema.md. What hangs on a trace carries its id first in the key, so that it lies
// together; the tables of texts and details hold what a trace says once, the chunks what it says millions of times.
const std::string_view kSchemaVersion2 = R"sql(
ALTER TABLE study ADD COLUMN target REAL NOT NULL DEFAULT 0.01;

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

} // namespace apertune::store
