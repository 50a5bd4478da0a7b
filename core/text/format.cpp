// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/format.h"

#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/model/imported.h"
#include "core/model/usable_interval.h"
#include "core/sentences/sentences.h"
#include "core/stats/detect.h"
#include "core/stats/summarize.h"
#include "core/text/reasons.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace apertune::text {

namespace {

constexpr std::string_view kThousands = "\u00A0";

std::string fixed(double value, int decimals)
{
    std::array<char, 400> buffer{}; // a double in fixed notation has up to 309 digits before the point
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
    return {buffer.data(), end};
}

} // namespace

std::string formatGrouped(double value, int decimals)
{
    if (!std::isfinite(value))
        return base::formatSignificant(value);
    std::string text = fixed(value, decimals);
    const std::size_t first = text.front() == '-' ? 1 : 0;
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t at = point; at > first + 3;) {
        at -= 3;
        text.insert(at, kThousands);
    }
    return text;
}

int decimalsFor(double value, double halfWidth)
{
    const auto decimalsOf = [](double shown, int most) {
        if (!(shown > 0) || !std::isfinite(shown))
            return 0;
        return std::clamp(3 - static_cast<int>(std::floor(std::log10(shown))), 0, most);
    };
    constexpr int kMost = 3;
    constexpr int kMostOfSmall = 9;
    if (!(halfWidth > 0))
        return decimalsOf(std::abs(value), kMost);
    return decimalsOf(halfWidth * 100, std::max(kMost, decimalsOf(std::abs(value), kMostOfSmall)));
}

std::string formatPlusMinus(const model::Interval& interval, double scale)
{
    const double value = interval.value * scale;
    const double half = (interval.hi - interval.lo) / 2 * scale;
    if (interval.confidence <= 0 || model::isTooWide(interval))
        return formatGrouped(value, decimalsFor(value, 0)) + " ± ?";
    const int decimals = decimalsFor(value, half);
    const std::string text = formatGrouped(value, decimals);
    if (interval.isWide())
        return text + " [" + formatGrouped(interval.lo * scale, decimals) + ", " +
               formatGrouped(interval.hi * scale, decimals) + "]";
    return half > 0 ? text + " ± " + formatGrouped(half, decimals) : text;
}

std::string plainNumber(double value)
{
    std::string text = base::formatSignificant(value, 4);
    if (text.find('.') != std::string::npos)
        text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

std::string percentileName(double share)
{
    return "p" + plainNumber(share * 100);
}

std::string formatRatio(const model::Interval& ratio)
{
    if (ratio.confidence <= 0 || model::isTooWide(ratio))
        return "cannot tell";
    // One significant digit of the half-width is enough: the interval knows the ratio no better.
    const int decimals = decimalsFor(ratio.value, (ratio.hi - ratio.lo) / 2 * 10);
    return formatGrouped(ratio.value, decimals) + "× [" + formatGrouped(ratio.lo, decimals) + ", " +
           formatGrouped(ratio.hi, decimals) + "]";
}

std::string formatSlowdown(double ratio, const std::string& other)
{
    const std::string factor = base::formatSignificant(ratio < 1 ? 1 / ratio : ratio, 3);
    if (!(ratio > 0) || factor == base::formatSignificant(1, 3))
        return "as fast as " + other;
    return factor + (ratio < 1 ? " times faster than " : " times slower than ") + other;
}

base::Message boundsMessage(const model::Goal& goal)
{
    base::Message bounds = base::message<reasons::kBoundQuality>(goal.minQuality);
    if (goal.maxRelError)
        bounds =
            base::message<base::kList>(std::move(bounds), base::message<reasons::kBoundRelError>(*goal.maxRelError));
    if (goal.maxAbsError)
        bounds =
            base::message<base::kList>(std::move(bounds), base::message<reasons::kBoundAbsError>(*goal.maxAbsError));
    const auto before = [&bounds](base::Message bound) {
        bounds = base::message<base::kList>(std::move(bound), std::move(bounds));
    };
    if (goal.maxFirst)
        before(base::message<reasons::kBoundFirst>(*goal.maxFirst));
    if (goal.maxEnergy)
        before(base::message<reasons::kBoundEnergy>(*goal.maxEnergy * kMillijoulesPerJoule));
    if (goal.maxMemory)
        before(base::message<reasons::kBoundMemory>(*goal.maxMemory));
    for (auto bound = goal.maxPercentiles.rbegin(); bound != goal.maxPercentiles.rend(); ++bound)
        before(base::message<reasons::kBoundPercentile>(bound->first, bound->second));
    if (goal.maxLatency)
        before(base::message<reasons::kBoundLatency>(*goal.maxLatency));
    return bounds;
}

std::string storeOption(const std::filesystem::path& workspace)
{
    return workspace.empty() || workspace == base::defaultWorkspace()
               ? std::string()
               : " --store " + base::shellQuoted(workspace.string());
}

base::Message listMessage(std::vector<base::Message> values)
{
    base::Message list;
    for (auto value = values.rbegin(); value != values.rend(); ++value)
        list = list.empty() ? std::move(*value) : base::message<base::kList>(std::move(*value), std::move(list));
    return list;
}

std::string boundsText(const model::Goal& goal)
{
    return sentences::sentence(boundsMessage(goal));
}

std::string formatCertainty(const model::Interval& interval, std::size_t samples)
{
    const std::string n = "n = " + std::to_string(samples);
    // Another tool may tell a value alone.
    if (samples == 0)
        return "(no interval)";
    if (interval.confidence <= 0)
        return "(" + n + ", no interval)";
    if (model::isTooWide(interval))
        return "(" + n + ", too noisy for an interval)";
    if (interval.isWide()) {
        const auto off = [&](double end) { return formatGrouped((end / interval.value - 1) * 100, 0); };
        return "[" + off(interval.lo) + " %, +" + off(interval.hi) + " %] (" + n + ")";
    }
    const double percent = interval.relativeHalfWidth() * 100;
    return "± " + formatGrouped(percent, percent >= 10 ? 0 : percent >= 0.095 ? 1 : 2) + " % (" + n + ")";
}

base::Message agreementMessage(double share, std::int64_t samples)
{
    return base::message<reasons::kAgreement>(std::llround(share * static_cast<double>(samples)), samples);
}

base::Message modesMessage(const model::Measurement& measurement)
{
    const auto& flags = measurement.flags;
    if (std::find(flags.begin(), flags.end(), model::TrialFlag::bimodal) == flags.end())
        return {};
    const stats::Modes two = stats::modesOf(measurement);
    return base::message<reasons::kModes>(base::formatSignificant(two.low * base::kMsPerNs), base::Share{two.lowShare},
                                          base::formatSignificant(two.high * base::kMsPerNs));
}

std::string metricText(const metrics::Metric& metric, const metrics::Reading& reading)
{
    if (!reading.value)
        return "–";
    const double value = *reading.value;
    switch (metric.style) {
    case metrics::Style::significant:
        return base::formatSignificant(value);
    case metrics::Style::brief:
        return base::formatSignificant(value, 3);
    case metrics::Style::interval:
        return formatPlusMinus(*reading.interval);
    case metrics::Style::duration:
        return base::formatDuration(base::fromMilliseconds(value));
    case metrics::Style::bytes:
        return base::formatBytes(base::Bytes{static_cast<std::int64_t>(value)});
    case metrics::Style::similarity:
        return metrics::similarityText(reading);
    case metrics::Style::agreement:
        return sentences::sentence(agreementMessage(value, static_cast<std::int64_t>(reading.samples)));
    }
    return {};
}

model::DeviceType deviceType(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    if (const model::Device* device = snapshot.device(trial.device))
        return device->type;
    return model::typeOfDevice(trial.device);
}

ConfigurationNames::ConfigurationNames(const model::StudySnapshot& snapshot)
    : m_snapshot(snapshot), m_names(snapshot.trials)
{
    std::set<std::string> devices;
    std::set<std::string> engines;
    for (const model::Trial& trial : snapshot.trials) {
        devices.insert(trial.device);
        engines.insert(trial.config.backend);
    }
    m_severalDevices = devices.size() > 1;
    m_severalEngines = engines.size() > 1;
}

std::string ConfigurationNames::shortName(const model::Trial& trial) const
{
    const std::string name = m_names.of(trial, deviceType(m_snapshot, trial));
    return m_severalDevices ? trial.device + " " + name : name;
}

std::string ConfigurationNames::besideEngine(const model::Trial& trial) const
{
    std::string name = shortName(trial);
    const std::string engine = trial.config.backend + " ";
    if (const auto at = name.find(engine); m_severalEngines && at != std::string::npos)
        name.erase(at, engine.size());
    return name;
}

std::string ConfigurationNames::longName(const model::Trial& trial) const
{
    return sentences::sentence(longMessage(trial));
}

base::Message ConfigurationNames::longMessage(const model::Trial& trial) const
{
    const std::string name = shortName(trial);
    const std::string brief = " b" + std::to_string(trial.config.batch);
    const std::size_t at = name.find(brief);
    if (at == std::string::npos)
        return base::foreignText(name);
    const std::string before = name.substr(0, at);
    const std::size_t more = name.find_first_not_of(' ', at + brief.size());
    return more == std::string::npos
               ? base::message<reasons::kConfiguration>(before, trial.config.batch)
               : base::message<reasons::kConfigurationWith>(before, trial.config.batch, name.substr(more));
}

std::string originText(const model::Study& study)
{
    if (!model::isImported(study))
        return {};
    std::string tool, file, platform, standInFor;
    std::string standIns = "O0, fp32 and b1"; // where the import did not keep which values stand in
    for (const auto& [name, version] : study.environment.engines)
        tool = name + (version.empty() ? "" : " " + version);
    for (const auto& [name, value] : study.environment.settings)
        if (name == model::kImportedFrom)
            file = value;
        else if (name == model::kStandIns)
            standIns = value;
        else if (name == model::kPlatform)
            platform = value;
        else if (name == model::kStandInFor)
            standInFor = value;
    if (!platform.empty())
        return "Imported: a measuring kit for " + base::printableLine(platform) + " measured it with " + tool + " (" +
               base::printableLine(file) + "). It is ranked with no trial of this machine." +
               (standInFor.empty() ? "" : " A processor ran in place of " + base::printableLine(standInFor) + ".");
    return "Imported: " + tool + " measured it (" + base::printableLine(file) +
           "), not Apertune. It is ranked with no trial of this machine. " + standIns +
           (standIns == "O0" ? " stands" : " stand") + " for what the file does not state.";
}

std::string toText(model::TrialId id)
{
    return "t" + std::to_string(id.value);
}

std::string toText(model::StudyId id)
{
    return "s" + std::to_string(id.value);
}

std::string reasonText(const model::Trial& trial)
{
    return sentences::sentence(reasonMessage(trial));
}

base::Message reasonMessage(const model::Trial& trial)
{
    if (!model::isFinal(trial.state))
        return base::message<reasons::kNotRun>(toText(trial.study));
    const base::Message& why = trial.reason.message;
    if (trial.reason.empty())
        return why;
    const std::string kind(model::toString(trial.reason.kind));
    return why.empty() ? base::foreignText(kind) : base::message<reasons::kReasonOfKind>(kind, why);
}

base::Message remedyMessage(model::ReasonKind kind)
{
    switch (kind) {
    case model::ReasonKind::budget:
        return base::message(reasons::kGiveMoreBudget);
    case model::ReasonKind::tooSlow:
        return base::message(reasons::kMeasureWithoutBudget);
    case model::ReasonKind::notANumber:
        return base::message(reasons::kUseWiderPrecision);
    default:
        return {};
    }
}

} // namespace apertune::text
