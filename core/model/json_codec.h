// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/study.h"

namespace apertune::model {

/// JSON of the values, used by the store's JSON columns and by the worker protocol. The public
/// documents that scripts rely on (schema "apertune.study/1") are made from these by core/report.
/// Lossless but for one thing: JSON has no NaN or infinity, both are written as null and read as NaN (Quality).
/// The from-functions ignore unknown members; a missing or mistyped one is ErrorCode::corrupt.
base::Json toJson(const Config& config);
base::Json toJson(const Device& device);
base::Json toJson(const Environment& environment);
base::Json toJson(const ModelRef& model);
base::Json toJson(const Goal& goal);
base::Json toJson(const SearchSpace& space);
base::Json toJson(const Quality& quality);
base::Json toJson(const Applied& applied);
base::Json toJson(const MemoryUse& memory);
base::Json toJson(const Block& block);
base::Json toJson(const Conditions& conditions);
base::Json toJson(const Interference& interference);

/// The members of "apertune.model-summary/1" besides its `schema`: toJson() without layers and file names, and with
/// `can_compile` for `has_exported_program`.
base::Json summaryJson(const ModelRef& model);

base::Result<Config> configFromJson(const base::Json& json);
base::Result<Device> deviceFromJson(const base::Json& json);
base::Result<ModelRef> modelFromJson(const base::Json& json);
base::Result<Goal> goalFromJson(const base::Json& json);
base::Result<SearchSpace> searchSpaceFromJson(const base::Json& json);
base::Result<Quality> qualityFromJson(const base::Json& json);
base::Result<Applied> appliedFromJson(const base::Json& json);
base::Result<MemoryUse> memoryFromJson(const base::Json& json);
base::Result<Block> blockFromJson(const base::Json& json);
base::Result<Conditions> conditionsFromJson(const base::Json& json); ///< every member may be missing

base::Result<Interference> interferenceFromJson(const base::Json& json);

/// Parses text without throwing. Failures: corrupt with the position.
base::Result<base::Json> parseJson(std::string_view text);

} // namespace apertune::model
