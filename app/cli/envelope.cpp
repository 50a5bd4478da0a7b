// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/envelope.h"

#include "core/base/text.h"
#include "core/report/export_config.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace apertune::cli {

using base::Json;

namespace {

std::string percent(double share)
{
    return base::formatSignificant(share * 100, 2) + " %";
}

std::string busyText(const MachineLoad& load)
{
    std::string text =
        "the machine was busy while it was measured: other programs had " + percent(load.others) + " of its processors";
    if (load.steal > 0.005)
        text += ", other virtual machines " + percent(load.steal);
    return text + "; measure again when it is quiet";
}

bool otherOutputs(const Json& quality)
{
    return quality.value("nan_count", 0) > 0 ||
           !(quality.at("cosine").get<double>() >= quality.at("at_least").get<double>());
}

/// An end of an interval, or the median if there were too few blocks for an interval.
double endOf(const Json& interval, const char* end)
{
    const Json& value = interval.at(end);
    return value.is_number() ? value.get<double>() : interval.at("median").get<double>();
}

} // namespace

void judgeEnvelope(Json& document, const MachineLoad& load)
{
    const Json measured = document.at("measured_ms");
    const Json expected = document.at("expected_ms");
    const double tolerance = std::min(document.at("tolerance").get<double>(), report::kMostTolerance);
    const double now = measured.at("median").get<double>();
    const double then = expected.at("median").get<double>();
    const double low = then * (1 - tolerance);
    const double high = then * (1 + tolerance);
    std::string verdict = document.at("verdict").get<std::string>();
    Json notes = document.value("notes", Json::array());
    if (verdict == "inside" && !(now >= low && now <= high)) {
        const bool beyond = endOf(measured, "hi") < std::min(low, endOf(expected, "lo")) ||
                            endOf(measured, "lo") > std::max(high, endOf(expected, "hi"));
        verdict = beyond ? "outside" : "cannot_tell";
    }
    const bool open = verdict == "cannot_tell" && notes.empty(); // with notes the program itself gave the reason
    if (now > high && load.isContended() && (open || (verdict == "outside" && !otherOutputs(document.at("quality"))))) {
        verdict = "cannot_tell";
        notes.push_back(busyText(load));
    }
    document["verdict"] = verdict;
    document["tolerance"] = tolerance;
    document["notes"] = std::move(notes);
    document["load"] = {{"others", load.others},
                        {"stolen", load.steal},
                        {"waited", load.waited},
                        {"windows", load.windows},
                        {"contended", load.contended}};
}

} // namespace apertune::cli
