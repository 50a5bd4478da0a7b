// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

namespace apertune::store {

// Which process a block is of, and which trials took turns. Explained in schema.md.
const std::string_view kSchemaVersion7 = R"sql(
ALTER TABLE block ADD COLUMN process INTEGER NOT NULL DEFAULT 0;
ALTER TABLE measurement ADD COLUMN confirmation INTEGER NOT NULL DEFAULT 0;
)sql";

} // namespace apertune::store
