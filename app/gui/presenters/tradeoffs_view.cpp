// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/tradeoffs_view.h"

#include "app/gui/presenters/command_lines.h"
#include "core/metrics/metrics.h"
#include "core/report/recommendation.h"
#include "core/search/recommend.h"
#include "core/text/format.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace apertune::gui {
namespace {

using controls::Figure;
using controls::Tone;

QString sampleText(const model::Interval& interval, double scale, const QString& unit, std::size_t n)
{
    // Another tool may tell a value alone.
    if (n == 0)
        return QObject::tr("no interval");
    const QString blocks = theme::counted(static_cast<qint64>(n), QObject::tr("block"), QObject::tr("blocks"));
    return interval.confidence > 0
               ? QObject::tr("%1 % interval %2 %3 · n = %4")
                     .arg(theme::number(interval.confidence * 100, 2), theme::bounds(interval, scale), unit, blocks)
               : QObject::tr("n = %1, too few for an interval").arg(blocks);
}

Figure throughputFigure(const model::StudySnapshot& snapshot, const model::Trial& trial,
                        const model::Recommendation* leading)
{
    const QString unit = theme::throughputUnit(snapshot.study.model);
    const model::Measurement& m = trial.measurement;
    Figure figure;
    const QString name = configurationName(snapshot, trial);
    const bool recommended = leading && snapshot.recommended;
    const base::Message unconfirmed = recommended ? report::unconfirmedMessage(snapshot, *leading) : base::Message();
    const bool asLoaded = recommended && report::answerOf(snapshot) == report::Answer::asLoaded;
    figure.caption = !leading              ? QObject::tr("Throughput of %1").arg(name)
                     : !recommended        ? QObject::tr("Not confirmed: %1").arg(name)
                     : asLoaded            ? QObject::tr("Nothing better than %1 yet").arg(name)
                     : unconfirmed.empty() ? QObject::tr("Recommended: %1").arg(name)
                                           : QObject::tr("Unconfirmed: %1").arg(name);
    figure.value = theme::number(m.throughput.value);
    figure.unit = unit;
    figure.detail = theme::certainty(m.throughput, 1, unit);
    // A speed-up is shown only where it was measured against the baseline; otherwise the interval is.
    if (leading && leading->against && report::unknownGainMessage(snapshot, *leading).empty()) {
        const model::Recommendation& best = *leading;
        const model::Trial* against = snapshot.find(best.against);
        figure.detail = QObject::tr("%1 against %2")
                            .arg(theme::toQt(text::formatRatio(best.speedup)),
                                 against ? configurationName(snapshot, *against) : QObject::tr("baseline"));
        figure.detailTone = best.verdict == model::Verdict::faster   ? Tone::good
                            : best.verdict == model::Verdict::slower ? Tone::bad
                                                                     : Tone::secondary;
    }
    figure.definition = QObject::tr("Samples a second: batch divided by the median time of one forward pass.");
    if (recommended)
        for (const base::Message& message :
             {report::unknownGainMessage(snapshot, *leading), report::runnerUpMessage(snapshot), unconfirmed,
              report::underLoadMessage(snapshot, *leading)})
            if (!message.empty())
                figure.definition += QStringLiteral(" ") + theme::fromCore(message);
    if (leading && !recommended)
        figure.definition += QLatin1Char(' ') + theme::fromCore(report::noRecommendationMessage(snapshot));
    if (asLoaded)
        figure.definition +=
            QLatin1Char(' ') + QObject::tr("This is %1.").arg(theme::fromCore(report::asLoadedMessage(snapshot)));
    figure.sample = sampleText(m.throughput, 1, unit, m.blocks.size());
    return figure;
}

Figure latencyFigure(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const model::Measurement& m = trial.measurement;
    Figure figure;
    figure.caption =
        QObject::tr("Median latency, pass of %1").arg(theme::samples(snapshot.study.model, trial.config.batch));
    figure.value = theme::number(m.latencyNs.value * 1e-6);
    figure.unit = QObject::tr("ms");
    figure.detail = theme::certainty(m.latencyNs, 1e-6, figure.unit);
    figure.detail += m.p99Ns   ? QObject::tr(" · p99 %1 ms").arg(theme::number(*m.p99Ns * 1e-6))
                     : m.p90Ns ? QObject::tr(" · p90 %1 ms").arg(theme::number(*m.p90Ns * 1e-6))
                     : m.iterations.empty()
                         ? QString()
                         : QStringLiteral(" · ") + theme::counted(static_cast<qint64>(m.iterations.size()),
                                                                  QObject::tr("pass"), QObject::tr("passes"));
    figure.definition =
        QObject::tr("Wall time of one forward pass of the whole batch; the median of timing blocks of at "
                    "least 20 ms. p99 needs 299 passes, p90 29.");
    figure.sample = sampleText(m.latencyNs, 1e-6, QObject::tr("ms"), m.blocks.size());
    return figure;
}

Figure qualityFigure(const model::Trial& trial, const model::Goal& goal)
{
    Figure figure;
    figure.caption = QObject::tr("Agreement with O0 fp32");
    figure.definition =
        QObject::tr("Smallest cosine similarity between this configuration's outputs and those of O0 fp32 "
                    "on the same inputs. 1 is equal.");
    const auto& quality = trial.measurement.quality;
    if (!quality) {
        figure.value = QStringLiteral("–");
        figure.detail = QObject::tr("nothing to compare with");
        return figure;
    }
    figure.value = theme::toQt(metrics::similarityText(metrics::find("cosine").read(trial.measurement, {})));
    // A cosine over outputs with NaN says nothing, so their number comes first.
    if (quality->nanCount > 0) {
        figure.detail = QObject::tr("%1 NaN or Inf values").arg(theme::count(quality->nanCount));
        figure.detailTone = Tone::bad;
        return figure;
    }
    figure.unit = QObject::tr("cosine");
    const bool within = model::keepsQuality(goal, *quality);
    QStringList parts;
    // Written so that a cosine that is no number counts as below.
    if (!(quality->cosine >= goal.minQuality))
        parts << QObject::tr("below the goal's %1").arg(theme::number(goal.minQuality));
    else if (!within)
        parts << QObject::tr("beyond the goal's error bound");
    if (quality->top1Agreement) {
        parts << QObject::tr("top-1 agrees in %1 samples")
                     .arg(theme::fromCore(text::agreementMessage(*quality->top1Agreement, quality->samples)));
    } else {
        parts << QObject::tr("largest difference %1").arg(theme::number(quality->maxAbs, 2))
              << QObject::tr("%1 samples").arg(quality->samples);
    }
    figure.detail = parts.join(QStringLiteral(" · "));
    figure.detailTone = within ? Tone::secondary : Tone::bad;
    figure.sample = QObject::tr("Largest absolute difference %1, relative %2, over %3 samples.")
                        .arg(theme::number(quality->maxAbs, 3), theme::number(quality->maxRel, 3))
                        .arg(quality->samples);
    return figure;
}

Figure memoryFigure(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const model::DeviceType device = deviceTypeOf(snapshot, trial);
    const auto peak = metrics::memoryPeak(trial.measurement.memory, device);
    Figure figure;
    figure.caption = QObject::tr("Peak memory");
    figure.definition =
        device.hasOwnMemory()
            ? QObject::tr("Largest device memory of the whole worker process while this configuration ran.")
            : QObject::tr("Largest resident memory of the worker process while this configuration ran, LibTorch "
                          "included.");
    if (!peak) {
        figure.value = QStringLiteral("–");
        figure.detail = QObject::tr("not measured");
        return figure;
    }
    figure.value = theme::mebibytes(*peak);
    figure.unit = QObject::tr("MiB");
    const model::Recommendation* leading = snapshot.leading();
    const model::Trial* against = leading ? snapshot.find(leading->against) : nullptr;
    const auto other = against ? metrics::memoryPeak(against->measurement.memory, device) : std::nullopt;
    if (other && other->count > 0 && against->id != trial.id) {
        const double change = static_cast<double>(peak->count) / static_cast<double>(other->count) - 1;
        // Less than the last digit that is shown.
        figure.detail = std::abs(change) < 0.0005
                            ? QObject::tr("as much as %1").arg(configurationName(snapshot, *against))
                            : QObject::tr("%1%2 against %3")
                                  .arg(change >= 0 ? QStringLiteral("+") : QString(), theme::percent(change, 2),
                                       configurationName(snapshot, *against));
    } else if (trial.measurement.memory.allocatorPeak) {
        figure.detail = QObject::tr("tensors %1").arg(theme::bytes(*trial.measurement.memory.allocatorPeak));
    } else {
        figure.detail =
            device.hasOwnMemory() ? QObject::tr("memory of the device") : QObject::tr("memory of the process");
    }
    figure.sample = QObject::tr("One reading: the peak of the run.");
    return figure;
}

double mebibytes(base::Bytes bytes)
{
    return static_cast<double>(bytes.count) / (1 << 20);
}

QString bestIn(model::Objective objective)
{
    switch (objective) {
    case model::Objective::throughput:
        return QObject::tr("Highest throughput");
    case model::Objective::latency:
        return QObject::tr("Lowest latency");
    case model::Objective::energy:
        return QObject::tr("Lowest energy");
    case model::Objective::memory:
        break;
    }
    return QObject::tr("Smallest memory");
}

/// The group of each trial on the front, and the number of trials in it.
using Groups = std::map<std::int64_t, std::pair<int, std::size_t>>;

plots::TradeoffData makePlot(const model::StudySnapshot& snapshot, const Groups& groups)
{
    plots::TradeoffData data;
    data.throughputUnit = theme::throughputUnit(snapshot.study.model);
    const model::Goal& goal = snapshot.study.goal;
    const model::TradeoffAxis axis = model::tradeoffAxis(goal);
    data.overMemory = axis.objective == model::Objective::memory;
    data.line = axis.line;
    // The axis that the goal limits gets its bound.
    if (data.overMemory && goal.maxMemory)
        data.most = mebibytes(*goal.maxMemory);
    else if (!data.overMemory && goal.maxLatency)
        data.most = goal.maxLatency->milliseconds();
    const text::ConfigurationNames names(snapshot);
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.state != model::TrialState::ok)
            continue;
        const model::Interval& ns = trial.measurement.latencyNs;
        const auto peak = metrics::memoryPeak(trial.measurement.memory, deviceTypeOf(snapshot, trial));
        if (data.overMemory && !peak)
            continue;
        plots::TradeoffPoint point;
        point.trial = trial.id;
        point.precision = trial.config.precision;
        point.engine = trial.config.backend;
        // A peak is one reading, so it has no interval.
        point.across = {ns.value * 1e-6, ns.lo * 1e-6, ns.hi * 1e-6, ns.confidence};
        if (data.overMemory) {
            const double mib = mebibytes(*peak);
            point.across = {mib, mib, mib, 0};
        }
        point.throughput = trial.measurement.throughput;
        const auto group = groups.find(trial.id.value);
        point.onFront = group != groups.end();
        point.group = point.onFront ? group->second.first : -1;
        point.eligible = search::isEligible(trial, snapshot.study.goal);
        point.recommended = snapshot.recommended && snapshot.recommended->trial == trial.id;
        point.label = theme::toQt(names.shortName(trial));
        point.toolTip = tables::trialToolTip(trial, point.label, deviceTypeOf(snapshot, trial), data.throughputUnit);
        for (const model::FurtherBest& further : snapshot.also)
            if (further.recommended && further.recommended->trial == trial.id)
                point.toolTip += QLatin1Char('\n') + bestIn(further.objective);
        if (!point.eligible)
            point.toolTip += QLatin1Char('\n') + QObject::tr("outside the goal");
        if (point.onFront && group->second.second > 1) {
            point.toolTip += QLatin1Char('\n') + QObject::tr("One of %1 best trade-offs without a difference found: "
                                                             "their intervals overlap.")
                                                     .arg(group->second.second);
        }
        data.points.push_back(std::move(point));
    }
    return data;
}

plots::HeatCell makeCell(const std::vector<const model::Trial*>& trials, const model::StudySnapshot& snapshot,
                         const model::ConfigurationNames& names)
{
    plots::HeatCell cell;
    const model::Trial* best = nullptr;
    const model::Trial* failed = nullptr;
    const model::Trial* waiting = nullptr;
    // A cell of the map stands for all switches of its level, precision and batch: the fastest is shown, else why there
    // is none.
    for (const model::Trial* trial : trials)
        if (trial->state == model::TrialState::ok)
            best = !best || trial->measurement.throughput.value > best->measurement.throughput.value ? trial : best;
        else if (trial->state == model::TrialState::failed)
            failed = trial;
        else if (!model::isFinal(trial->state))
            waiting = trial;
    const model::Trial* shown = best             ? best
                                : failed         ? failed
                                : waiting        ? waiting
                                : trials.empty() ? nullptr
                                                 : trials[0];
    if (!shown)
        return cell;
    cell.trial = shown->id;
    cell.toolTip = tables::trialToolTip(*shown, theme::toQt(names.of(*shown)), deviceTypeOf(snapshot, *shown),
                                        theme::throughputUnit(snapshot.study.model));
    if (best) {
        cell.state = plots::HeatCell::State::value;
        cell.value = best->measurement.throughput.value;
        // Four digits from 1000 on, so that no digit before the point is rounded away.
        cell.text = theme::number(cell.value, cell.value >= 1000 ? 4 : 3);
    } else if (failed) {
        cell.state = plots::HeatCell::State::failed;
        cell.text = failed->reason.kind == model::ReasonKind::outOfMemory ? QObject::tr("OOM") : QObject::tr("failed");
    } else if (waiting) {
        cell.state = plots::HeatCell::State::pending;
        cell.text = waiting->state == model::TrialState::queued ? QStringLiteral("·") : QStringLiteral("…");
    } else {
        cell.text = QStringLiteral("–");
    }
    return cell;
}

/// Why nothing is recommended, and the candidates on a line each.
QString shortlistText(const model::StudySnapshot& snapshot)
{
    const std::vector<base::Message> messages = report::shortlistMessages(snapshot);
    if (messages.empty())
        return {};
    QStringList lines{theme::fromCore(report::noRecommendationMessage(snapshot))};
    for (std::size_t i = 0; i < messages.size(); ++i)
        lines << QObject::tr("t%1 · %2").arg(snapshot.shortlist[i].trial.value).arg(theme::fromCore(messages[i]));
    return lines.join(QLatin1Char('\n'));
}

/// The device of the heat map when a study ran on several: that of the recommendation or the shortlist.
std::string mainDevice(const model::StudySnapshot& snapshot)
{
    const model::Trial* best = snapshot.leadingTrial();
    return best ? best->device : snapshot.trials.empty() ? std::string() : snapshot.trials.front().device;
}

plots::HeatMapData makeHeatMap(const model::StudySnapshot& snapshot, const std::string& device)
{
    using MapRow = std::tuple<std::string, model::OptLevel, model::Precision>;
    std::set<std::string> engines;
    std::map<MapRow, std::map<int, std::vector<const model::Trial*>>> cells;
    std::set<MapRow> possible;
    std::set<int> batches;
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.device == device) {
            const MapRow row{trial.config.backend, trial.config.level, trial.config.precision};
            engines.insert(trial.config.backend);
            cells[row][trial.config.batch].push_back(&trial);
            batches.insert(trial.config.batch);
            // A level that this machine cannot run at all would be a row without a value.
            if (trial.reason.kind != model::ReasonKind::impossible)
                possible.insert(row);
        }
    }
    const model::ConfigurationNames names(snapshot.trials);
    plots::HeatMapData data;
    data.columnTitle = QObject::tr("batch");
    data.rowTitle =
        engines.size() > 1 ? QObject::tr("engine, level and precision") : QObject::tr("level and precision");
    data.valueTitle = QObject::tr("throughput (%1)").arg(theme::throughputUnit(snapshot.study.model));
    for (const int batch : batches)
        data.columns << QString::number(batch);
    for (auto& [row, columns] : cells) {
        if (possible.count(row) == 0)
            continue;
        const auto& [engine, level, precision] = row;
        data.rows << theme::toQt((engines.size() > 1 ? engine + " " : std::string()) +
                                 std::string(model::toString(level)) + " " + std::string(model::toString(precision)));
        for (const int batch : batches)
            data.cells.push_back(makeCell(columns[batch], snapshot, names));
    }
    return data;
}

} // namespace

model::DeviceType deviceTypeOf(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    return text::deviceType(snapshot, trial);
}

QString configurationName(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    return theme::toQt(text::ConfigurationNames(snapshot).shortName(trial));
}

std::array<Figure, 4> trialFigures(const model::StudySnapshot& snapshot, const model::Trial& trial,
                                   const model::Recommendation* leading, const std::filesystem::path& file)
{
    std::array<Figure, 4> figures{throughputFigure(snapshot, trial, leading), latencyFigure(snapshot, trial),
                                  qualityFigure(trial, snapshot.study.goal), memoryFigure(snapshot, trial)};
    for (Figure& figure : figures)
        figure.command = measureCommand(snapshot.study, trial, file);
    return figures;
}

TradeoffsView makeTradeoffsView(const std::shared_ptr<const model::StudySnapshot>& snapshot,
                                const std::filesystem::path& file)
{
    TradeoffsView view;
    const std::vector<model::TrialId> front = search::paretoFront(snapshot->trials, snapshot->study.goal);
    Groups groups;
    int next = 0;
    for (const auto& group : search::paretoGroups(snapshot->trials, snapshot->study.goal)) {
        for (const model::TrialId id : group)
            groups[id.value] = {next, group.size()};
        ++next;
    }
    view.plot = makePlot(*snapshot, groups);
    view.plotTitle = view.plot.overMemory ? QObject::tr("Throughput against peak memory")
                                          : QObject::tr("Throughput against latency");
    const std::string device = mainDevice(*snapshot);
    view.heat = makeHeatMap(*snapshot, device);
    const bool several = text::ConfigurationNames(*snapshot).severalDevices();
    const QString unit = theme::throughputUnit(snapshot->study.model);
    view.heatTitle = several ? QObject::tr("Throughput on %1 (%2)").arg(theme::toQt(device), unit)
                             : QObject::tr("Throughput by level and batch (%1)").arg(unit);
    view.extras.front = front;
    view.extras.command = [snapshot, file](const model::Trial& trial) {
        return measureCommand(snapshot->study, trial, file);
    };
    view.plot.command = [snapshot, file](model::TrialId id) {
        const model::Trial* trial = snapshot->find(id);
        return trial ? measureCommand(snapshot->study, *trial, file) : QString();
    };
    view.heat.command = view.plot.command;
    view.shortlist = shortlistText(*snapshot);
    if (const model::Trial* best = snapshot->leadingTrial()) {
        view.figures = trialFigures(*snapshot, *best, snapshot->leading(), file);
    } else {
        const bool running = snapshot->study.state == model::StudyState::running;
        const QString captions[] = {QObject::tr("No recommendation yet"), QObject::tr("Latency of one pass, median"),
                                    QObject::tr("Agreement with O0 fp32"), QObject::tr("Peak memory")};
        for (std::size_t i = 0; i < 4; ++i) {
            view.figures[i].caption = captions[i];
            view.figures[i].value = QStringLiteral("–");
        }
        const bool measured =
            std::any_of(snapshot->trials.begin(), snapshot->trials.end(),
                        [](const model::Trial& trial) { return trial.state == model::TrialState::ok; });
        view.figures[0].detail = running                             ? QObject::tr("still measuring")
                                 : report::lacksIntervals(*snapshot) ? QObject::tr("too few samples: measure longer")
                                 : measured                          ? QObject::tr("no measured trial may be used")
                                                                     : QObject::tr("no trial was measured");
        view.figures[0].detailTone = running ? Tone::secondary : Tone::warn;
        view.figures[0].definition = running ? QString() : theme::fromCore(report::noRecommendationMessage(*snapshot));
    }
    return view;
}

QString studyFacts(const model::StudySnapshot& snapshot)
{
    int ok = 0;
    int failed = 0;
    int skipped = 0;
    int waiting = 0;
    for (const model::Trial& trial : snapshot.trials) {
        ok += trial.state == model::TrialState::ok ? 1 : 0;
        failed += trial.state == model::TrialState::failed ? 1 : 0;
        skipped += trial.state == model::TrialState::pruned || trial.state == model::TrialState::cancelled ? 1 : 0;
        waiting += model::isFinal(trial.state) ? 0 : 1;
    }
    QStringList parts{
        theme::counted(static_cast<qint64>(snapshot.trials.size()), QObject::tr("trial"), QObject::tr("trials")),
        QObject::tr("%1 ok").arg(ok)};
    if (failed > 0)
        parts << QObject::tr("%1 failed").arg(failed);
    if (skipped > 0)
        parts << QObject::tr("%1 skipped").arg(skipped);
    if (waiting > 0)
        parts << QObject::tr("%1 to go").arg(waiting);
    for (const model::Device& device : snapshot.study.environment.devices) {
        const bool used = std::any_of(snapshot.trials.begin(), snapshot.trials.end(),
                                      [&](const model::Trial& trial) { return trial.device == device.id; });
        if (used && !device.name.empty())
            parts << theme::toQt(device.name);
    }
    switch (snapshot.study.state) {
    case model::StudyState::running:
        parts << QObject::tr("running");
        break;
    case model::StudyState::interrupted:
        parts << QObject::tr("interrupted");
        break;
    case model::StudyState::finished: {
        const QDateTime at = theme::parseUtc(snapshot.study.finishedUtc).toLocalTime();
        parts << (at.isValid() ? QObject::tr("finished %1").arg(at.toString(QStringLiteral("yyyy-MM-dd HH:mm")))
                               : QObject::tr("finished"));
        break;
    }
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace apertune::gui
