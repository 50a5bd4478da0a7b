// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_matrix.h"

#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace apertune::report {

namespace {

struct Colour
{
    double r = 0, g = 0, b = 0;
};

/// The colour map Viridis at nine even positions (van der Walt and Smith, CC0).
constexpr std::array<Colour, 9> kViridis{{{68, 1, 84},
                                          {71, 44, 122},
                                          {59, 81, 139},
                                          {44, 113, 142},
                                          {33, 144, 141},
                                          {39, 173, 129},
                                          {92, 200, 99},
                                          {170, 220, 50},
                                          {253, 231, 37}}};

Colour viridis(double part)
{
    const double at = std::clamp(part, 0.0, 1.0) * (kViridis.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), kViridis.size() - 2);
    const double share = at - static_cast<double>(low);
    const auto mixedPrecision = [share](double a, double b) { return a + (b - a) * share; };
    const Colour& a = kViridis[low];
    const Colour& b = kViridis[low + 1];
    return {mixedPrecision(a.r, b.r), mixedPrecision(a.g, b.g), mixedPrecision(a.b, b.b)};
}

/// The relative luminance of WCAG. It decides whether text on a colour is dark or light.
double luminance(const Colour& c)
{
    const auto linear = [](double value) {
        value /= 255;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

/// The name of a row, which is a configuration group: everything in a configuration except its batch.
std::string rowName(const text::ConfigurationNames& names, const model::Trial& trial)
{
    std::string name = names.shortName(trial);
    const std::string batch = " b" + std::to_string(trial.config.batch);
    if (const auto at = name.find(batch); at != std::string::npos)
        name.erase(at, batch.size());
    return name;
}

struct Matrix
{
    std::vector<std::string> rows;
    std::set<int> batches;
    std::map<std::pair<std::string, int>, const model::Trial*> cells;
    double highest = 0;
};

Matrix matrixOf(const model::StudySnapshot& snapshot, const text::ConfigurationNames& names, const std::string& device)
{
    Matrix matrix;
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.device != device || trial.reason.kind == model::ReasonKind::impossible)
            continue;
        const std::string row = rowName(names, trial);
        if (std::find(matrix.rows.begin(), matrix.rows.end(), row) == matrix.rows.end())
            matrix.rows.push_back(row);
        matrix.batches.insert(trial.config.batch);
        matrix.cells[{row, trial.config.batch}] = &trial;
        if (trial.state == model::TrialState::ok)
            matrix.highest = std::max(matrix.highest, trial.measurement.throughput.value);
    }
    return matrix;
}

base::Json numberValues(const model::Trial& trial, double highest, bool best, base::RateUnit rate)
{
    const model::Interval& t = trial.measurement.throughput;
    const Colour c = viridis(highest > 0 ? t.value / highest : 0);
    const auto channel = [](double value) { return std::to_string(std::lround(value)); };
    return {
        {"best", best},
        {"background", "rgb(" + channel(c.r) + "," + channel(c.g) + "," + channel(c.b) + ")"},
        {"color", luminance(c) > 0.18 ? "#000" : "#fff"},
        {"details", text::toText(trial.id) + ": " + text::formatPlusMinus(t) + " " + std::string(base::toString(rate))},
        {"text", text::formatGrouped(t.value, text::decimalsFor(t.value, 0))}};
}

/// One of the three sorts of cells: without a trial, without a number, with a number.
base::Json cellValues(const model::Trial* trial, double highest, bool best, base::RateUnit rate)
{
    base::Json cell{{"none", trial == nullptr}, {"missing", nullptr}, {"number", nullptr}};
    if (trial && trial->state == model::TrialState::ok)
        cell["number"] = numberValues(*trial, highest, best, rate);
    else if (trial)
        cell["missing"] = {
            {"why", text::reasonText(*trial)},
            {"word", trial->reason.empty() ? "waiting" : std::string(model::toString(trial->reason.kind))}};
    return cell;
}

} // namespace

base::Json matrixValues(const model::StudySnapshot& snapshot)
{
    const text::ConfigurationNames names(snapshot);
    const base::RateUnit rate = snapshot.study.model.rateUnit();
    std::vector<std::string> ids;
    for (const model::Trial& trial : snapshot.trials)
        if (std::find(ids.begin(), ids.end(), trial.device) == ids.end())
            ids.push_back(trial.device);
    base::Json devices = base::Json::array();
    for (const std::string& id : ids) {
        const Matrix matrix = matrixOf(snapshot, names, id);
        base::Json rows = base::Json::array();
        for (const std::string& row : matrix.rows) {
            base::Json cells = base::Json::array();
            for (const int batch : matrix.batches) {
                const auto found = matrix.cells.find({row, batch});
                const model::Trial* trial = found == matrix.cells.end() ? nullptr : found->second;
                cells.push_back(cellValues(trial, matrix.highest,
                                           trial && snapshot.recommended && snapshot.recommended->trial == trial->id,
                                           rate));
            }
            rows.push_back({{"name", row}, {"cells", std::move(cells)}});
        }
        if (!rows.empty())
            devices.push_back({{"batches", matrix.batches}, {"rows", std::move(rows)}});
    }
    return devices.empty() ? base::Json() : base::Json{{"unit", base::toString(rate)}, {"devices", std::move(devices)}};
}

} // namespace apertune::report
