// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/memory_sheet.h"

#include "core/base/json_optional.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace apertune::cli {

using base::Json;
using search::MemoryBasis;
using study::MemoryForecast;

namespace {

std::string_view nameOf(MemoryBasis basis)
{
    switch (basis) {
    case MemoryBasis::layers:
        return "layers";
    case MemoryBasis::engine:
        return "engine";
    case MemoryBasis::probe:
        return "probe";
    case MemoryBasis::probes:
        return "probes";
    }
    return "layers";
}

std::string titleOf(const MemoryForecast& forecast)
{
    std::string title =
        forecast.backend + " " + std::string(model::toString(forecast.precision)) + " on " + forecast.device;
    if (forecast.imageSize > 0)
        title += " at " + std::to_string(forecast.imageSize) + " × " + std::to_string(forecast.imageSize) + " pixels";
    return title;
}

} // namespace

std::string memorySheet(const std::vector<MemoryForecast>& forecasts, int width)
{
    using Align = text::TextTable::Align;
    std::string text;
    for (const MemoryForecast& forecast : forecasts) {
        text += (text.empty() ? "" : "\n") + titleOf(forecast) + "\n";
        text::TextTable table({{"Batch", Align::right},
                               {"Parameters", Align::right},
                               {"Activations", Align::right},
                               {"Engine and workspace", Align::right},
                               {"Total", Align::right},
                               {"Range", Align::right},
                               {"Measured", Align::right},
                               {"Error", Align::right}});
        for (const MemoryForecast::Point& point : forecast.points) {
            const search::MemoryEstimate& e = point.estimate;
            std::string error;
            // An estimate that goes through a peak says nothing about its error there.
            if (point.measured && *point.measured != e.total) {
                const double off = static_cast<double>(e.total.count) / static_cast<double>(point.measured->count) - 1;
                error = (off < 0 ? "−" : "+") + base::formatPercent(std::abs(off));
            }
            table.addRow({std::to_string(point.batch), base::formatBytes(e.parameters),
                          base::formatBytes(e.activations), base::formatBytes(e.rest),
                          (forecast.limit && e.total > *forecast.limit ? "> " : "") + base::formatBytes(e.total),
                          base::formatBytes(e.low) + " – " + base::formatBytes(e.high),
                          point.measured ? base::formatBytes(*point.measured) : std::string("–"),
                          error.empty() ? std::string("–") : error});
        }
        text += table.render(width);
        for (const base::Message& remark : study::remarksOf(forecast))
            text += text::wrap(sentences::sentence(remark), width, 0) + "\n";
    }
    return text;
}

Json memoryDocument(const std::vector<MemoryForecast>& forecasts)
{
    Json list = Json::array();
    for (const MemoryForecast& forecast : forecasts) {
        Json batches = Json::array();
        for (const MemoryForecast::Point& point : forecast.points)
            batches.push_back({{"batch", point.batch},
                               {"parameters_bytes", point.estimate.parameters.count},
                               {"activations_bytes", point.estimate.activations.count},
                               {"rest_bytes", point.estimate.rest.count},
                               {"total_bytes", point.estimate.total.count},
                               {"low_bytes", point.estimate.low.count},
                               {"high_bytes", point.estimate.high.count},
                               {"measured_bytes", base::orNull(point.measured)}});
        list.push_back({{"device", forecast.device},
                        {"backend", forecast.backend},
                        {"precision", model::toString(forecast.precision)},
                        {"image_size", forecast.imageSize > 0 ? Json(forecast.imageSize) : Json(nullptr)},
                        {"basis", nameOf(forecast.basis)},
                        {"measured_as", forecast.measuredAs.empty() ? Json(nullptr) : Json(forecast.measuredAs)},
                        {"limit_bytes", base::orNull(forecast.limit)},
                        {"largest_batch", base::orNull(forecast.largestBatch)},
                        {"surely_fits", base::orNull(forecast.surelyFits)},
                        {"median_error", base::orNull(forecast.medianError)},
                        {"largest_error", base::orNull(forecast.largestError)},
                        {"compared_batches", forecast.comparedBatches},
                        {"batches", std::move(batches)}});
    }
    return list;
}

} // namespace apertune::cli
