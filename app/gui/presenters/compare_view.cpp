// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/compare_view.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/tradeoffs_view.h"
#include "core/comparison/compare.h"
#include "core/text/format.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QObject>

#include <algorithm>

namespace apertune::gui {
namespace {

using controls::Tone;
using stats::Verdict;
using Snapshot = std::shared_ptr<const model::StudySnapshot>;
using Row = tables::TextTableModel::Row;
using Cell = tables::TextTableModel::Cell;

const model::Trial* sameConfiguration(const model::StudySnapshot& study, const model::Trial& wanted)
{
    const auto found = std::find_if(study.trials.begin(), study.trials.end(), [&wanted](const model::Trial& trial) {
        return trial.state == model::TrialState::ok && trial.device == wanted.device && trial.config == wanted.config;
    });
    return found == study.trials.end() ? nullptr : &*found;
}

/// The trial of a side; nullptr for a whole study.
base::Result<const model::Trial*> trialOf(const ComparisonSide& side, const model::StudySnapshot& study,
                                          const ComparisonSide& other, const model::StudySnapshot& otherStudy)
{
    if (side.trial) {
        const model::Trial* trial = study.find(side.trial);
        if (!trial || trial->state != model::TrialState::ok) {
            return base::plainError(
                base::ErrorCode::notFound,
                theme::toStd(QObject::tr("The trial was not measured, or is not in the study any more.")), {},
                theme::toStd(QObject::tr("Choose another configuration, or the whole study.")));
        }
        // Without a chosen trial on either side, whole studies are compared.
        return trial;
    }
    const model::Trial* partner = other.trial ? otherStudy.find(other.trial) : nullptr;
    if (!partner)
        return static_cast<const model::Trial*>(nullptr);
    // The same configuration on the other side is the fairest partner.
    if (const model::Trial* same = sameConfiguration(study, *partner))
        return same;
    // Without it, the other side's best configuration is compared.
    if (const model::Trial* best = study.leadingTrial())
        return best;
    return base::plainError(
        base::ErrorCode::notFound,
        theme::toStd(QObject::tr("This study has no configuration to compare with a single trial.")), {},
        theme::toStd(QObject::tr("Choose a configuration on both sides, or the whole study on both sides.")));
}

/// "77.34 ms per pass of 4 images"
QString passText(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    return QObject::tr("%1 ms per pass of %2")
        .arg(theme::number(trial.measurement.latencyNs.value * 1e-6),
             theme::samples(snapshot.study.model, trial.config.batch));
}

QString sideFacts(const model::StudySnapshot& snapshot, const model::Trial* trial)
{
    QStringList parts;
    if (trial) {
        const model::Measurement& m = trial->measurement;
        parts << passText(snapshot, *trial) << theme::certainty(m.latencyNs, 1e-6, QObject::tr("ms"))
              << theme::counted(static_cast<qint64>(m.blocks.size()), QObject::tr("block"), QObject::tr("blocks"));
    } else {
        const auto ok = std::count_if(snapshot.trials.begin(), snapshot.trials.end(),
                                      [](const auto& t) { return t.state == model::TrialState::ok; });
        parts << QObject::tr("%1 of %2 measured")
                     .arg(ok)
                     .arg(theme::counted(static_cast<qint64>(snapshot.trials.size()), QObject::tr("configuration"),
                                         QObject::tr("configurations")));
    }
    for (const model::Device& device : snapshot.study.environment.devices) {
        // Devices that no trial used would only distract.
        const bool used = std::any_of(snapshot.trials.begin(), snapshot.trials.end(),
                                      [&device](const auto& t) { return t.device == device.id; });
        if (used && !device.name.empty())
            parts << theme::toQt(device.name);
    }
    const QDateTime at = theme::parseUtc(snapshot.study.createdUtc).toLocalTime();
    if (at.isValid())
        parts << at.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    return parts.join(QStringLiteral(" · "));
}

CompareView::Side makeSide(const ComparisonSide& side, const Snapshot& snapshot, const model::Trial* trial)
{
    CompareView::Side result{side, snapshot, theme::toQt(snapshot->study.name), sideFacts(*snapshot, trial)};
    result.side.study = snapshot->study.id;
    result.side.trial = trial ? trial->id : model::TrialId{};
    if (trial)
        result.name = QObject::tr("%1 of %2").arg(configurationName(*snapshot, *trial), result.name);
    return result;
}

QString configurationToolTip(const comparison::MatchedConfiguration& matched, const comparison::Comparison& comparison,
                             const model::StudySnapshot& study)
{
    const auto line = [&study](const QString& side, const model::Trial& trial) {
        const model::Interval& ns = trial.measurement.latencyNs;
        return QObject::tr("%1: %2, %3, n = %4")
            .arg(side, passText(study, trial),
                 ns.confidence > 0 ? QObject::tr("95 % interval %1 ms").arg(theme::bounds(ns, 1e-6))
                                   : QObject::tr("no interval"))
            .arg(theme::counted(static_cast<qint64>(trial.measurement.blocks.size()), QObject::tr("block"),
                                QObject::tr("blocks")));
    };
    QStringList lines{matched.label.empty() ? QString() : theme::toQt(matched.label),
                      line(QStringLiteral("A"), *matched.a), line(QStringLiteral("B"), *matched.b)};
    lines << QObject::tr("Speed-up: time per %1 on A over that on B.").arg(theme::sampleWord(study.study.model));
    // 1 means that no drift was taken out.
    if (matched.machine != 1) {
        lines << QObject::tr(
                     "By what ran beside both, the machine itself was %1 times %2 for B: the speed-up is without that.")
                     .arg(theme::number(std::max(matched.machine, 1 / matched.machine), 3),
                          matched.machine > 1 ? QObject::tr("slower") : QObject::tr("faster"));
    }
    if (matched.byValue) {
        lines << QObject::tr("Another tool tells these times without an interval, so only their values are compared.");
    } else if (matched.ratio.confidence <= 0) {
        lines << QObject::tr("Too few blocks for an interval: measure longer.");
    } else if (matched.verdict == Verdict::cannotTell) {
        // The border is the noise between the two runs where that is larger than 1 %.
        const double border = std::max(stats::CompareOptions{}.indifference, comparison.noise.effect);
        // A small p that is not small enough for that many configurations is told apart from a wide interval.
        lines << (matched.p < 0.05
                      ? QObject::tr("Alone this would be a difference. Of %1 configurations, chance makes one look "
                                    "like it: measure longer, or compare fewer.")
                            .arg(comparison.configurations.size())
                      : QObject::tr("The interval reaches across a border of ±%1 %: measure longer to tell.")
                            .arg(theme::number(border * 100, 2)));
    }
    return lines.join(QLatin1Char('\n'));
}

/// Appends figure spaces to the numbers of a column, so that their decimal points are aligned.
void alignPoints(std::vector<Row>& rows, std::size_t column)
{
    int longest = 0;
    for (const Row& row : rows)
        longest = std::max(longest, theme::decimalsOf(row.cells[column].text));
    for (Row& row : rows) {
        QString& text = row.cells[column].text;
        const int own = theme::decimalsOf(text);
        if (own < longest)
            text += (own == 0 ? QString(QChar(0x2008)) : QString()) + QString(longest - own, QChar(0x2007));
    }
}

/// Appends a text to a number after its point was aligned.
void appendSpread(Row& row, std::size_t column, const model::Interval& ns)
{
    row.cells[column].text +=
        QLatin1Char(' ') + (ns.confidence > 0 ? theme::certainty(ns, 1e-6) : QStringLiteral("± ?"));
}

/// A number for CSV, with its interval if it has one.
Cell milliseconds(const model::Interval& ns)
{
    const auto known = [&ns](double end) { return ns.confidence > 0 ? QVariant(end * 1e-6) : QVariant(); };
    Cell cell{theme::number(ns.value * 1e-6), QVariantList{ns.value * 1e-6, known(ns.lo), known(ns.hi)}};
    cell.order = ns.value;
    return cell;
}

QString ratioText(double ratio)
{
    return QString::number(ratio, 'f', ratio >= 10 ? 2 : 3);
}

Cell ratioInterval(const comparison::MatchedConfiguration& matched)
{
    const model::Interval& ratio = matched.ratio;
    if (matched.byValue)
        return {QObject::tr("values alone"), QVariantList(), Tone::secondary};
    if (ratio.confidence <= 0)
        return {QObject::tr("too few blocks"), QVariantList(), Tone::secondary};
    Cell cell{QStringLiteral("[%1, %2]").arg(ratioText(ratio.lo), ratioText(ratio.hi)),
              QVariantList{ratio.lo, ratio.hi}, Tone::secondary};
    cell.order = ratio.hi - ratio.lo;
    return cell;
}

Row configurationRow(const comparison::MatchedConfiguration& matched, const comparison::Comparison& comparison,
                     const model::StudySnapshot& study, qint64 key)
{
    const bool perSample = comparison::showsTimePerSample(comparison);
    Row row;
    row.key = key;
    row.cells = {
        {theme::toQt(matched.label), {}},
        milliseconds(comparison::shownTime(*matched.a, perSample)),
        milliseconds(comparison::shownTime(*matched.b, perSample)),
        {ratioText(matched.ratio.value) + QStringLiteral("×"), matched.ratio.value},
        ratioInterval(matched),
        {verdictWord(matched.verdict), {}, verdictTone(matched.verdict), verdictIcon(matched.verdict)},
    };
    row.toolTip = configurationToolTip(matched, comparison, study);
    return row;
}

void appendDifferences(CompareView& view, const std::vector<comparison::Difference>& differences, const QString& kind)
{
    const auto side = [](const base::Message& value) {
        const QString text = theme::fromCore(value);
        return Cell{text.isEmpty() ? QObject::tr("none") : text, {}, text.isEmpty() ? Tone::tertiary : Tone::text};
    };
    for (const comparison::Difference& d : differences) {
        Row row;
        row.cells = {{theme::fromCore(d.title), {}}, side(d.a), side(d.b), {kind, {}, Tone::secondary}};
        view.differences.push_back(std::move(row));
    }
}

void appendOneSided(CompareView& view, const std::vector<comparison::UnmatchedConfiguration>& unmatched,
                    const QString& side)
{
    for (const comparison::UnmatchedConfiguration& one : unmatched) {
        Row row;
        row.cells = {{theme::toQt(one.label), {}}, {QObject::tr("only in %1").arg(side), {}, Tone::secondary}};
        row.toolTip = theme::fromCore(one.reason);
        view.oneSided.push_back(std::move(row));
    }
}

/// The name of a side on the command line, which has ids for one workspace and knows another one by its file alone.
QString commandName(const ComparisonSide& side)
{
    return side.trial ? QStringLiteral("t%1").arg(side.trial.value) : QStringLiteral("s%1").arg(side.study.value);
}

} // namespace

QString verdictWord(Verdict verdict)
{
    switch (verdict) {
    case Verdict::faster:
        return QObject::tr("faster");
    case Verdict::slower:
        return QObject::tr("slower");
    case Verdict::same:
        return QObject::tr("same");
    case Verdict::cannotTell:
        break;
    }
    return QObject::tr("cannot tell");
}

QString verdictIcon(Verdict verdict)
{
    switch (verdict) {
    case Verdict::faster:
        return QStringLiteral("faster");
    case Verdict::slower:
        return QStringLiteral("slower");
    case Verdict::same:
        return QStringLiteral("same");
    case Verdict::cannotTell:
        break;
    }
    return QStringLiteral("unsure");
}

Tone verdictTone(Verdict verdict)
{
    switch (verdict) {
    case Verdict::faster:
        return Tone::good;
    case Verdict::slower:
        return Tone::bad;
    case Verdict::same:
        return Tone::secondary;
    case Verdict::cannotTell:
        break;
    }
    return Tone::warn;
}

std::vector<tables::TextTableModel::Column> comparisonColumns(const QString& timeUnit)
{
    const auto time = [&timeUnit](const QString& side) {
        const QString title = QStringLiteral("%1 %2").arg(side, timeUnit);
        return tables::TextTableModel::Column{
            title,
            true,
            QObject::tr("Median wall time on side %1 with its 95 % interval: of one forward pass, or of one sample of "
                        "it where A and B have different batches")
                .arg(side),
            false,
            {title, QObject::tr("%1, low").arg(title), QObject::tr("%1, high").arg(title)}};
    };
    return {
        {QObject::tr("Configuration"), false, QObject::tr("Level, precision, batch and switches"), true},
        time(QStringLiteral("A")),
        time(QStringLiteral("B")),
        {QObject::tr("Speed-up"), true, QObject::tr("Time a sample takes on A over that on B: above 1, B is faster")},
        {QObject::tr("95 % interval"),
         true,
         QObject::tr("Where the speed-up lies with 95 % confidence; free of assumptions about the distribution"),
         false,
         {QObject::tr("Speed-up, low"), QObject::tr("Speed-up, high")}},
        {QObject::tr("B is"), false,
         QObject::tr("faster, slower: the whole interval lies beyond ±1 %. same: inside ±1 %. cannot tell: "
                     "neither; longer measuring narrows the interval.")}};
}

base::Result<std::shared_ptr<const CompareView>> makeCompareView(const ComparisonSide& a, Snapshot studyA,
                                                                 const ComparisonSide& b, Snapshot studyB)
{
    const auto trialA = trialOf(a, *studyA, b, *studyB);
    const auto trialB = trialOf(b, *studyB, a, *studyA);
    if (!trialA || !trialB)
        return trialA ? trialB.error() : trialA.error();
    auto view = std::make_shared<CompareView>();
    view->a = makeSide(a, studyA, *trialA);
    view->b = makeSide(b, studyB, *trialB);
    const comparison::Comparison comparison = *trialA ? comparison::compareTrials(*studyA, **trialA, *studyB, **trialB)
                                                      : comparison::compareStudies(*studyA, *studyB);
    view->noiseFloor = comparison.noise.effect;
    const bool perSample = comparison::showsTimePerSample(comparison);
    view->timeUnit =
        perSample ? QObject::tr("ms/%1").arg(theme::sampleWord(studyA->study.model)) : QObject::tr("ms/pass");
    view->machine = theme::fromCore(comparison::machineMessage(comparison));
    if (studyA->study.model.contentHash != studyB->study.model.contentHash) {
        const QString nameA = theme::toQt(studyA->study.model.name), nameB = theme::toQt(studyB->study.model.name);
        view->warning =
            nameA == nameB
                ? QObject::tr("A and B are two versions of %1: the speed-ups hold what changed in the model, too.")
                      .arg(nameA)
                : QObject::tr("A and B are different models, %1 and %2: the speed-ups tell the models apart, not "
                              "their configurations. Choose two studies of one model to compare those.")
                      .arg(nameA, nameB);
    }
    qint64 key = 0;
    for (const comparison::MatchedConfiguration& matched : comparison.configurations) {
        ++key;
        ++view->counts[matched.verdict];
        view->configurations.push_back(configurationRow(matched, comparison, *studyA, key));
        view->trials.emplace_back(matched.a->id, matched.b->id);
        view->forest.push_back(
            {key, theme::toQt(matched.label), matched.ratio, matched.verdict, view->configurations.back().toolTip});
    }
    // The points are aligned before the spread is appended, because they belong to the value.
    for (const std::size_t column : {1U, 2U})
        alignPoints(view->configurations, column);
    // The rows were made in the order of the configurations.
    for (std::size_t i = 0; i < view->configurations.size(); ++i) {
        appendSpread(view->configurations[i], 1, comparison::shownTime(*comparison.configurations[i].a, perSample));
        appendSpread(view->configurations[i], 2, comparison::shownTime(*comparison.configurations[i].b, perSample));
    }
    appendDifferences(*view, comparison.configuration, QObject::tr("configuration"));
    appendDifferences(*view, comparison.studies, QObject::tr("search space or goal"));
    appendDifferences(*view, comparison.environment, QObject::tr("environment"));
    appendOneSided(*view, comparison.onlyInA, QStringLiteral("A"));
    appendOneSided(*view, comparison.onlyInB, QStringLiteral("B"));
    // The command line takes two names of one workspace.
    if (a.file == b.file) {
        view->command = compareCommand({commandName(view->a.side), commandName(view->b.side)}, a.file);
        for (Row& row : view->configurations)
            row.command = view->command;
    }
    return std::shared_ptr<const CompareView>(std::move(view));
}

std::optional<std::pair<ComparisonSide, ComparisonSide>>
defaultComparison(const std::filesystem::path& file, const std::vector<store::StudySummary>& studies,
                  const Snapshot& shown)
{
    std::vector<const store::StudySummary*> measured; // newest first, as in the store
    for (const store::StudySummary& study : studies)
        if (study.ok > 0 && study.purpose == model::StudyPurpose::tuning)
            measured.push_back(&study);
    const auto sides = [&file](const store::StudySummary& a, const store::StudySummary& b) {
        return std::pair{ComparisonSide{file, a.id, {}}, ComparisonSide{file, b.id, {}}};
    };
    auto chosen = std::find_if(measured.begin(), measured.end(),
                               [&shown](const auto* study) { return shown && study->id == shown->study.id; });
    if (chosen == measured.end())
        chosen = measured.begin();
    if (chosen != measured.end()) {
        const auto ofItsModel = [&chosen](const auto* study) { return study->modelName == (*chosen)->modelName; };
        // The list is sorted newest first, so the next one is the older: A is the state before, B the one after.
        const auto before = std::find_if(chosen + 1, measured.end(), ofItsModel);
        if (before != measured.end())
            return sides(**before, **chosen);
        const auto after = std::find_if(measured.begin(), chosen, ofItsModel);
        if (after != chosen)
            return sides(**chosen, **after);
    }
    const model::Recommendation* leading = shown ? shown->leading() : nullptr;
    if (leading && leading->against && leading->against != leading->trial)
        return std::pair{ComparisonSide{file, shown->study.id, leading->against},
                         ComparisonSide{file, shown->study.id, leading->trial}};
    // Different models are better than nothing to compare.
    if (measured.size() >= 2)
        return sides(*measured[1], *measured[0]);
    return std::nullopt;
}

} // namespace apertune::gui
