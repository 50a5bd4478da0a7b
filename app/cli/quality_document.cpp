// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/quality_document.h"

#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

Json qualityDocument(const char* schema, const FoundTrial& found, const Json& result)
{
    Json document{{"schema", schema}, {"trial", text::toText(found.id)}};
    document.update(result);
    return document;
}

} // namespace apertune::cli
