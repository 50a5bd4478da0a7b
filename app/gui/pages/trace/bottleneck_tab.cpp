// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/bottleneck_tab.h"

#include "app/gui/pages/trace/verification_parts.h"
#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/selection_view.h"
#include "app/gui/presenters/trace_report.h"
#include "widgets/controls/badge.h"
#include "widgets/controls/card_layout.h"
#include "widgets/controls/kpi_card.h"
#include "widgets/controls/panel.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/share_bar.h"
#include "widgets/trace_views/trace_labels.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStringList>

#include <algorithm>
#include <functional>

namespace apertune::gui {

using advice::Finding;
using controls::Label;

using controls::Tone;

namespace {

Label* wrapped(const QString& text, theme::Type type, Tone tone, QWidget* parent)
{
    auto* label = new Label(text, type, tone, parent);
    label->setWordWrap(true);
    return label;
}

/// A button that shows or hides the content below it.
QPushButton* makeFold(const QString& toolTip, QWidget* parent)
{
    auto* fold = new QPushButton(parent);
    fold->setCheckable(true);
    fold->setToolTip(toolTip);
    theme::setButtonKind(fold, theme::ButtonKind::quiet);
    return fold;
}

void showFold(QPushButton* fold, const QString& text)
{
    fold->setText(text);
    fold->setIcon(theme::icon(fold->isChecked() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    fold->setAccessibleDescription(fold->isChecked() ? BottleneckTab::tr("Unfolded") : BottleneckTab::tr("Folded"));
}

/// The sentence without the word that is shown above it: "Launch-bound: of …" becomes "Of …".
QString withoutWord(const QString& sentence, const QString& word)
{
    if (!sentence.startsWith(word + QStringLiteral(": "), Qt::CaseInsensitive))
        return sentence;
    const QString rest = sentence.mid(word.size() + 2);
    return rest.left(1).toUpper() + rest.mid(1);
}

/// The share of a part of the bar. A part that is too small to see needs no digits.
QString shareWord(double share)
{
    return share > 0 && share < 0.001 ? BottleneckTab::tr("< 0.1 %") : theme::percent(share, share < 0.1 ? 2 : 3);
}

} // namespace

BottleneckTab::BottleneckTab(AppContext& context, QWidget* parent) : controls::ScrollPage(parent), m_context(context)
{
    body()->setContentsMargins(0, 4, 4, 4);
    auto* verdict = new controls::Panel({}, this);
    m_word = new Label({}, theme::Type::figure, Tone::text, verdict);
    m_sentence = wrapped({}, theme::Type::heading, Tone::text, verdict);
    m_advice = wrapped({}, theme::Type::body, Tone::secondary, verdict);
    verdict->body()->setSpacing(4);
    verdict->body()->addWidget(m_word);
    verdict->body()->addWidget(m_sentence);
    verdict->body()->addWidget(m_advice);
    body()->addWidget(verdict);

    m_barPanel = new controls::Panel(tr("Where the time goes"), this);
    m_barPanel->addHeaderWidget(new Label(tr("click a part to see its largest case in the timeline"),
                                          theme::Type::caption, Tone::secondary, m_barPanel));
    m_bar = new trace_views::ShareBar(m_barPanel);
    m_bar->setAccessibleName(tr("Where the time goes"));
    m_barPanel->body()->addWidget(m_bar);
    body()->addWidget(m_barPanel);

    auto* cards = new controls::CardLayout(12);
    // The number of cards is fixed; those without a figure are hidden.
    for (controls::KpiCard*& card : m_cards) {
        card = new controls::KpiCard(this);
        cards->addWidget(card);
    }
    body()->addLayout(cards);

    // The findings follow the verdict, which is their summary.
    m_findingsTitle = new Label({}, theme::Type::heading, Tone::text, this);
    body()->addWidget(m_findingsTitle);
    m_findings = new QWidget(this);
    m_findingsLayout = new QVBoxLayout(m_findings);
    m_findingsLayout->setContentsMargins(0, 0, 0, 0);
    m_findingsLayout->setSpacing(12);
    body()->addWidget(m_findings);
    m_fold = makeFold(tr("Rules without data, and how to record it"), this);
    m_unevaluated = new QWidget(this);
    m_unevaluatedLayout = new QVBoxLayout(m_unevaluated);
    m_unevaluatedLayout->setContentsMargins(0, 0, 0, 0);
    m_unevaluatedLayout->setSpacing(8);
    connect(m_fold, &QPushButton::toggled, this, &BottleneckTab::showUnevaluated);
    body()->addWidget(m_fold, 0, Qt::AlignLeft);
    body()->addWidget(m_unevaluated);
    m_noticesFold = makeFold(tr("Notices that do not affect the numbers"), this);
    m_notices = wrapped({}, theme::Type::body, Tone::secondary, this);
    connect(m_noticesFold, &QPushButton::toggled, this, &BottleneckTab::showNotices);
    body()->addWidget(m_noticesFold, 0, Qt::AlignLeft);
    body()->addWidget(m_notices);
    body()->addStretch(1);

    connect(m_bar, &trace_views::ShareBar::chosen, this, [this](int part) {
        const TraceReportPtr report = m_context.traces.report();
        if (!report || part >= static_cast<int>(report->findingReport.verdict.parts.size()))
            return;
        // A part without an example leads nowhere.
        const auto& range = report->findingReport.verdict.parts[static_cast<std::size_t>(part)].evidence.range;
        if (range.length() > 0)
            Q_EMIT rangeChosen(range);
    });
    connect(&context.traces, &TraceSession::reportChanged, this, &BottleneckTab::refresh);
    connect(&context.traces, &TraceSession::changed, this, &BottleneckTab::refresh);
    // Colours are read when the page is filled.
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &BottleneckTab::refresh);
    connect(&context.traces, &TraceSession::verificationChanged, this, &BottleneckTab::showFindings);
    refresh();
}

void BottleneckTab::refresh()
{
    const TraceReportPtr report = m_context.traces.report();
    for (controls::KpiCard* card : m_cards)
        card->setVisible(report != nullptr);
    m_barPanel->setVisible(report && !report->findingReport.verdict.parts.empty());
    m_advice->setVisible(report != nullptr);
    showFindings();
    showUnevaluated();
    showNotices();
    // The analysis runs on another thread.
    if (!report) {
        m_word->setText(tr("Looking …"));
        m_sentence->setText(tr("The trace is being analysed."));
        return;
    }
    m_barPanel->setTitle(tr("Where the time of %1 goes").arg(wholeWord(report->facts)));
    const advice::Verdict& verdict = report->findingReport.verdict;
    m_word->setText(verdictWord(verdict.kind));
    // A verdict that needs no change is good, one that abstained is neutral.
    m_word->setTone(verdict.kind == advice::VerdictKind::abstained ? Tone::secondary
                    : verdict.kind == advice::VerdictKind::balanced || verdict.kind == advice::VerdictKind::computeBound
                        ? Tone::good
                        : Tone::warn);
    const QString sentence = theme::fromCore(verdict.sentence);
    // The word stands above the sentence and is not repeated in it.
    m_sentence->setText(withoutWord(sentence, verdictWord(verdict.kind)));
    QStringList advice;
    for (const advice::Knob& knob : verdict.knobs)
        advice << tr("Try: %1").arg(theme::fromCore(knob.text));
    for (const base::Message& message : verdict.needs)
        if (const QString need = theme::fromCore(message); !sentence.contains(need)) // it may ask for it already
            advice << (verdict.kind == advice::VerdictKind::abstained ? tr("Needed: %1") : tr("Note: %1")).arg(need);
    m_advice->setText(advice.join(QLatin1Char('\n')));
    m_advice->setVisible(!advice.isEmpty());

    std::vector<trace_views::ShareBar::Share> parts;
    for (const advice::CauseShare& part : verdict.parts) {
        parts.push_back({causeWord(part.cause), shareWord(part.share), part.share, causeColor(part.cause),
                         tr("%1: %2 of %3\n%4")
                             .arg(causeWord(part.cause), trace_views::timeWord(part.time),
                                  trace_views::timeWord(report->facts.window.length()), causeDefinition(part.cause))});
    }
    m_bar->setParts(std::move(parts));
    const std::vector<controls::Figure> figures = reportFigures(*report);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i]->setVisible(i < figures.size());
        if (i < figures.size())
            m_cards[i]->setFigure(figures[i]);
    }
}

/// Shows the rules that had not enough evidence, folded at first, in the words of the command line.
void BottleneckTab::showUnevaluated()
{
    // The cards are made again, as the report may have others.
    while (QLayoutItem* item = m_unevaluatedLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const TraceReportPtr report = m_context.traces.report();
    const std::vector<advice::UnevaluatedRules> all =
        report ? advice::unevaluatedRules(report->findingReport) : std::vector<advice::UnevaluatedRules>{};
    std::size_t rules = 0;
    for (const advice::UnevaluatedRules& unevaluated : all)
        rules += unevaluated.rules.size();
    m_fold->setVisible(rules > 0);
    m_unevaluated->setVisible(rules > 0 && m_fold->isChecked());
    showFold(m_fold,
             tr("%1 could not be evaluated").arg(theme::counted(static_cast<qint64>(rules), tr("rule"), tr("rules"))));
    if (!m_fold->isChecked())
        return;
    for (const advice::UnevaluatedRules& unevaluated : all) {
        auto* card = new controls::Panel({}, m_unevaluated);
        card->body()->setSpacing(4);
        card->body()->addWidget(wrapped(theme::fromCore(unevaluated.need), theme::Type::body, Tone::text, card));
        QStringList names;
        for (const advice::RuleResult* rule : unevaluated.rules)
            names << theme::fromCore(rule->title);
        card->body()->addWidget(wrapped(names.join(QStringLiteral("; ")), theme::Type::caption, Tone::secondary, card));
        m_unevaluatedLayout->addWidget(card);
    }
}

/// Shows notices, folded. Losses are shown above all tabs instead, because they change numbers.
void BottleneckTab::showNotices()
{
    const TraceReportPtr report = m_context.traces.report();
    const QStringList notices = report ? noticesOf(*report->trace) : QStringList();
    m_noticesFold->setVisible(!notices.isEmpty());
    m_notices->setVisible(!notices.isEmpty() && m_noticesFold->isChecked());
    m_notices->setText(notices.join(QLatin1Char('\n')));
    showFold(m_noticesFold, tr("%1 on the recording").arg(theme::counted(notices.size(), tr("note"), tr("notes"))));
}

/// Shows the query for the rows behind a finding: as a command if the trace is stored, else as SQL.
QWidget* BottleneckTab::makeQuery(const Finding& finding, QWidget* card)
{
    const std::filesystem::path& workspace = m_context.traces.workspace();
    const QString text =
        // Without a workspace there is no file to query, so the plain query is copied.
        workspace.empty() ? theme::toQt(finding.evidence.query) : queryCommand(finding.evidence.query, workspace);
    auto* button = new QPushButton(theme::icon(QStringLiteral("copy")), tr("Copy query"), card);
    button->setAccessibleName(tr("Copy the query: %1").arg(theme::fromCore(finding.title)));
    button->setToolTip((workspace.empty()
                            ? tr("The query that gives the %1 behind this, as SQL. Import the trace into a "
                                 "workspace to ask it: apertune trace import, apertune workspace query.")
                            : tr("The query that gives the %1 behind this, as SQL, in a command for a "
                                 "terminal."))
                           .arg(theme::counted(finding.evidence.events, tr("row"), tr("rows"))));
    theme::setButtonKind(button, theme::ButtonKind::quiet);
    connect(button, &QPushButton::clicked, this, [text] { QApplication::clipboard()->setText(text); });
    return button;
}

/// Makes the cards again. The keyboard focus stays on the button that had it.
void BottleneckTab::showFindings()
{
    const QWidget* focused =
        m_findings->isAncestorOf(QApplication::focusWidget()) ? QApplication::focusWidget() : nullptr;
    const QString name = focused ? focused->objectName() : QString();
    makeFindings();
    if (QWidget* again = name.isEmpty() ? nullptr : m_findings->findChild<QWidget*>(name))
        again->setFocus();
}

void BottleneckTab::makeFindings()
{
    while (QLayoutItem* item = m_findingsLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const TraceReportPtr report = m_context.traces.report();
    m_findingsTitle->setVisible(report != nullptr);
    if (!report)
        return;
    const std::vector<Finding>& findings = report->findingReport.findings;
    const bool hasVerdict = report->findingReport.verdict.kind != advice::VerdictKind::abstained;
    m_findingsTitle->setText(findings.empty()
                                 ? (hasVerdict ? tr("No rule found anything worth more than the noise")
                                               : tr("No findings: too little was recorded for a verdict"))
                                 : theme::counted(std::ranges::count_if(findings, std::not_fn(&Finding::isPart)),
                                                  tr("finding"), tr("findings")));
    for (const Finding& finding : findings) {
        // Findings of the same cause stand in the card of the main one.
        if (finding.isPart())
            continue;
        auto* card = new controls::Panel(theme::fromCore(finding.title), m_findings);
        card->addHeaderWidget(new Label(concernText(finding, report->facts), theme::Type::body, Tone::secondary, card));
        const SeverityStyle style = severityStyle(advice::severityOf(finding));
        auto* badge = new controls::Badge(style.shape, style.word, style.tone, card);
        badge->setAccessibleName(tr("%1 severity: %2").arg(style.word, theme::fromCore(finding.title)));
        badge->setToolTip(severityDefinition());
        card->addHeaderWidget(badge);
        card->body()->setSpacing(6);
        card->body()->addWidget(wrapped(theme::fromCore(finding.text), theme::Type::body, Tone::text, card));
        for (const Finding& same : findings)
            if (same.partOf == finding.rule)
                card->body()->addWidget(
                    wrapped(tr("Same cause: %1. %2").arg(theme::fromCore(same.title), theme::fromCore(same.text)) +
                                (advice::isFurtherChange(same, findings)
                                     // A part may advise another change than the main finding.
                                     ? QLatin1Char(' ') + tr("Or try: %1").arg(theme::fromCore(same.knob.text))
                                     : QString()),
                            theme::Type::body, Tone::secondary, card));
        if (!finding.knob.text.empty()) {
            const QString gain = gainText(finding, report->facts);
            const QString text = gain.isEmpty() ? tr("Try: %1").arg(theme::fromCore(finding.knob.text))
                                                : tr("Try: %1 That %2.").arg(theme::fromCore(finding.knob.text), gain);
            card->body()->addWidget(wrapped(text, theme::Type::body, Tone::accent, card));
        }
        if (finding.correction)
            card->body()->addWidget(wrapped(tr("%1 Expect %2 to %3 %.")
                                                .arg(theme::fromCore(advice::trackMessage(*finding.correction)),
                                                     theme::number(finding.correction->gain.lo * 100, 2),
                                                     theme::number(finding.correction->gain.hi * 100, 2)),
                                            theme::Type::body, Tone::secondary, card));
        auto* row = new QHBoxLayout;
        row->setSpacing(12);
        const trace::TimeRange range = finding.evidence.range;
        if (!range.empty()) {
            auto* show = new QPushButton(tr("Show"), card);
            show->setObjectName(QStringLiteral("show ") + theme::toQt(finding.rule));
            show->setAccessibleName(tr("Show: %1").arg(theme::fromCore(finding.title)));
            show->setToolTip(tr("The case that is worth most, in the timeline"));
            connect(show, &QPushButton::clicked, this, [this, range] { Q_EMIT rangeChosen(range); });
            row->addWidget(show);
        }
        const VerificationRun* run = m_context.traces.run(finding.rule);
        if (m_context.traces.canVerify(finding))
            row->addWidget(
                makeVerifyButton(m_context, {finding.rule, finding, {}, theme::fromCore(finding.title)}, card));
        if (!finding.evidence.query.empty())
            row->addWidget(makeQuery(finding, card));
        QStringList small{theme::toQt(finding.rule), confidenceText(finding.confidence)};
        if (finding.evidence.events > 0)
            small << theme::counted(finding.evidence.events, tr("event"), tr("events"));
        auto* caption = new Label(small.join(QStringLiteral(" · ")), theme::Type::caption, Tone::secondary, card);
        caption->setToolTip(theme::fromCore(finding.verification));
        row->addWidget(caption, 1);
        card->body()->addLayout(row);
        if (run)
            card->body()->addWidget(makeVerdict(m_context, *run, card));
        m_findingsLayout->addWidget(card);
    }
}

} // namespace apertune::gui
