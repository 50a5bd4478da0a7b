// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/evaluation_report.h"

#include "core/base/text.h"
#include "core/report/reasons.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace apertune::report {

using sentences::sentence;

namespace {

constexpr double kRounding = 1e-9; ///< rounding error of a cosine of float outputs

std::string percentage(double share)
{
    return base::formatSignificant(share * 100, 3);
}

} // namespace

base::Message metricMessage(const std::string& name)
{
    // Metrics of the field have one name in every language.
    static constexpr std::array<std::pair<const char*, const char*>, 4> kTitles{
        {{"top1", "top-1"}, {"top5", "top-5"}, {"miou", "mIoU"}, {"map", "mAP"}}};
    if (name == "map50")
        return base::message(reasons::kMetricMapAt);
    for (const auto& [known, title] : kTitles)
        if (name == known)
            return base::foreignText(title);
    return base::foreignText(name);
}

base::Message shareMessage(const model::Interval& share)
{
    return share.confidence > 0 ? base::message<reasons::kShareWithInterval>(percentage(share.value),
                                                                             percentage(share.lo), percentage(share.hi))
                                : base::message<reasons::kShareWithoutInterval>(percentage(share.value));
}

base::Message imagesMessage(const model::Accuracy& accuracy)
{
    const std::filesystem::path place(accuracy.images);
    const std::string folder = (place.has_filename() ? place : place.parent_path()).filename().string();
    if (accuracy.samples == 1)
        return accuracy.skipped > 0 ? base::message<reasons::kOneLabelledImageSkipped>(folder, accuracy.skipped)
                                    : base::message<reasons::kOneLabelledImage>(folder);
    return accuracy.skipped > 0
               ? base::message<reasons::kLabelledImagesSkipped>(accuracy.samples, folder, accuracy.skipped)
               : base::message<reasons::kLabelledImages>(accuracy.samples, folder);
}

std::string lossText(double cosine)
{
    const double loss = 1 - cosine;
    return loss < kRounding ? "0" : base::formatSignificant(loss, 2);
}

std::string accuracyText(const model::Accuracy& accuracy, int width)
{
    text::TextTable table({{"Metric"}, {"This trial"}, {"As imported"}, {"Change", text::Align::left, true}});
    for (const model::Accuracy::Metric& metric : accuracy.metrics)
        table.addRow({sentence(metricMessage(metric.name)), sentence(shareMessage(metric.measured)),
                      sentence(shareMessage(metric.imported)), sentence(shareMessage(metric.change))});
    return sentence(imagesMessage(accuracy)) + "\n\n" + table.render(width);
}

std::string sensitivityText(const model::Sensitivity& sensitivity, std::size_t rows, int width)
{
    const std::size_t all = sensitivity.layers.size();
    const std::size_t shown = rows > 0 ? std::min(rows, all) : all;
    text::TextTable table({{"#", text::Align::right},
                           {"Layer", text::Align::left, true},
                           {"Kind"},
                           {"Lost by it alone", text::Align::right},
                           {"Lost by all others", text::Align::right}});
    for (std::size_t i = 0; i < shown; ++i) {
        const model::Sensitivity::Layer& layer = sensitivity.layers[i];
        table.addRow({std::to_string(i + 1), layer.name, layer.kind, lossText(layer.only), lossText(layer.without)});
    }
    std::string text = "int8 everywhere loses " + lossText(sensitivity.all) + " of the cosine to the float model (" +
                       base::counted(sensitivity.samples, "sample") + "; calibrated with " + sensitivity.calibration +
                       ")\n\n" + table.render(width);
    if (shown < all)
        text += "… and " + std::to_string(all - shown) + " more that cost less\n";
    return text;
}

} // namespace apertune::report
