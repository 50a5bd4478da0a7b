// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/export_verdict.h"

#include "core/model/export_tolerance.h"
#include "core/models/errors.h"
#include "core/models/reasons.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace apertune::models {

using base::Json;
using probe::MachineLoad;

namespace {

base::Message busyMessage(const MachineLoad& load)
{
    // Stolen time is named from half a per cent on, because ending other programs does not help against it.
    return load.steal > 0.005
               ? base::message<reasons::kMachineStolen>(base::Share{load.others}, base::Share{load.steal})
               : base::message<reasons::kMachineBusy>(base::Share{load.others});
}

double median(const Json& interval)
{
    return interval.at("median").get<double>();
}

/// An end of an interval, or the median if there were too few blocks for an interval.
double endOf(const Json& interval, const char* end)
{
    const Json& value = interval.at(end);
    return value.is_number() ? value.get<double>() : median(interval);
}

/// The change since the export, by the drift reading that was measured in turns with the model both times.
struct DriftChange
{
    double machine = 1;    ///< time of the drift reading now over then
    bool slower = false;   ///< the drift reading's intervals say that it is slower now
    double leastRatio = 1; ///< lower end of (model / driftReading now) / (model / driftReading then)
};

std::optional<DriftChange> driftChange(const Json& document, const Json& check)
{
    const auto reading = [](const Json& of, const char* name) {
        // A document from an exported program may lack members.
        return of.is_object() ? of.value(name, Json()) : Json();
    };
    const Json now = reading(document, "sentinel_ms");
    const Json then = reading(check, "sentinel_ms");
    if (!now.is_object() || !then.is_object())
        return std::nullopt;
    // The machine counts as slower only when the intervals do not overlap.
    return DriftChange{median(now) / median(then), endOf(now, "lo") > endOf(then, "hi"),
                       // The least ratio is formed of the far ends.
                       endOf(document.at("to_sentinel"), "lo") / endOf(check.at("to_sentinel"), "hi")};
}

} // namespace

bool hasOtherOutputs(const Json& document)
{
    const Json quality = document.is_object() ? document.value("quality", Json()) : Json();
    const auto number = [&](const char* name) {
        const auto found = quality.find(name);
        return found != quality.end() && found->is_number() ? found->get<double>()
                                                            : std::numeric_limits<double>::quiet_NaN();
    };
    // A NaN compares false, so it counts as another output.
    return number("nan_count") > 0 || !(number("cosine") >= number("at_least"));
}

std::string_view toString(ProgramVerdict verdict)
{
    switch (verdict) {
    case ProgramVerdict::inside:
        return "inside";
    case ProgramVerdict::outside:
        return "outside";
    case ProgramVerdict::cannotTell:
        break;
    }
    return "cannot_tell";
}

ProgramVerdict verdictOf(const Json& document)
{
    const auto word = document.find("verdict");
    for (const ProgramVerdict verdict : {ProgramVerdict::inside, ProgramVerdict::outside})
        if (word != document.end() && *word == Json(toString(verdict)))
            return verdict;
    return ProgramVerdict::cannotTell;
}

namespace {

void revise(Json& document, const MachineLoad& load, const Json& check)
{
    const Json measured = document.at("measured_ms");
    const Json expected = document.at("expected_ms");
    // An export cannot allow itself any tolerance.
    const double tolerance = std::min(document.at("tolerance").get<double>(), model::kMostTolerance);
    // A difference below the noise floor proves nothing, whatever the tolerance.
    const double beyondNoise = std::max(tolerance, document.value("noise_floor", 0.0));
    const double now = median(measured);
    const double then = median(expected);
    const double high = then * (1 + tolerance);
    ProgramVerdict verdict = verdictOf(document);
    Json notes = document.value("notes", Json::array());
    // The program compares its own measurement. Here its verdict "inside" is checked against the tolerance.
    if (verdict == ProgramVerdict::inside && !(now >= then * (1 - tolerance) && now <= high)) {
        const bool beyond = endOf(measured, "hi") < std::min(then * (1 - beyondNoise), endOf(expected, "lo")) ||
                            endOf(measured, "lo") > std::max(then * (1 + beyondNoise), endOf(expected, "hi"));
        verdict = beyond ? ProgramVerdict::outside : ProgramVerdict::cannotTell;
    }
    const auto change = driftChange(document, check);
    const bool open =
        verdict == ProgramVerdict::cannotTell && notes.empty(); // with notes the program itself gave the reason
    // Only a slower result can be excused by the machine. Other outputs cannot be, and neither can a faster result.
    if (now > high && (open || (verdict == ProgramVerdict::outside && !hasOtherOutputs(document)))) {
        base::Message why;
        if (load.isContended())
            why = busyMessage(load);
        else if (change && change->slower && !(change->leastRatio > 1 + beyondNoise))
            why = base::message<reasons::kDriftReadingSlower>(change->machine);
        if (!why.empty()) {
            verdict = ProgramVerdict::cannotTell;
            notes.push_back(sentences::sentence(why));
        }
    }
    document["verdict"] = toString(verdict);
    document["tolerance"] = tolerance;
    // null: the export has no reference to compare with.
    document["machine"] = change ? Json(change->machine) : Json(nullptr);
    document["notes"] = std::move(notes);
    document["load"] = {{"others", load.others},
                        {"stolen", load.steal},
                        {"waited", load.waited},
                        {"windows", load.windows},
                        {"contended", load.contended}};
}

} // namespace

base::Status reviseVerdict(Json& document, const MachineLoad& load, const Json& check)
{
    try {
        revise(document, load, check);
    } catch (const Json::exception& e) {
        return base::Error{base::ErrorCode::corrupt,
                           base::message<errors::kProgramAnswerDamaged>(std::string(e.what())),
                           {},
                           base::message<errors::kRunByHand>()};
    }
    return {};
}

} // namespace apertune::models
