// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/what_if_tab.h"

#include "app/gui/pages/trace/verification_parts.h"
#include "app/gui/presenters/command_lines.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/label.h"
#include "widgets/controls/panel.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace apertune::gui {

using advice::ChangeKind;
using controls::Label;
using controls::Tone;

namespace {

const QString kPredict = QStringLiteral("what-if");
const QString kNames = QStringLiteral("what-if-names");
constexpr int kMostRows = 320; // px of the table before it scrolls

bool takesFactor(ChangeKind kind)
{
    return kind == ChangeKind::kernels || kind == ChangeKind::operators || kind == ChangeKind::layers ||
           kind == ChangeKind::host;
}

bool takesName(ChangeKind kind)
{
    return takesFactor(kind) && kind != ChangeKind::host;
}

bool takesCount(ChangeKind kind)
{
    return kind == ChangeKind::streams || kind == ChangeKind::threads;
}

/// A combo box whose width does not follow its longest entry.
QComboBox* makeBox(const QString& name, int characters, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(characters);
    return box;
}

} // namespace

WhatIfTab::WhatIfTab(AppContext& context, QWidget* parent) : controls::ScrollPage(parent), m_context(context)
{
    body()->setContentsMargins(0, 4, 4, 4);
    body()->addWidget(makeEditor(this));
    body()->addWidget(makePrediction(this));
    m_command = new controls::CommandLine(tr("Command line of this what-if"), this);
    body()->addWidget(m_command);
    body()->addStretch(1);
    connect(&context.traces, &TraceSession::reportChanged, this, &WhatIfTab::readTrace);
    connect(&context.traces, &TraceSession::verificationChanged, this, &WhatIfTab::showChosen);
    showKind();
    show(nullptr);
}

QWidget* WhatIfTab::makeEditor(QWidget* parent)
{
    auto* panel = new controls::Panel(tr("A change"), parent);
    auto* line = new QWidget(panel);
    auto* flow = new controls::FlowLayout(line, 8);
    m_kind = new QComboBox(line);
    m_kind->setAccessibleName(tr("What changes"));
    for (const auto& [kind, text] :
         {std::pair(ChangeKind::kernels, tr("Kernel")), std::pair(ChangeKind::operators, tr("Operator")),
          std::pair(ChangeKind::layers, tr("Layer or range")), std::pair(ChangeKind::copies, tr("Copies")),
          std::pair(ChangeKind::graph, tr("Launches as a graph")), std::pair(ChangeKind::streams, tr("Streams")),
          std::pair(ChangeKind::host, tr("Host")), std::pair(ChangeKind::threads, tr("Threads")),
          std::pair(ChangeKind::setting, tr("Switch"))})
        m_kind->addItem(text, static_cast<int>(kind));
    m_name = makeBox(tr("Name of what changes"), 34, line);
    m_name->setEditable(true);
    m_name->setInsertPolicy(QComboBox::NoInsert);
    m_name->lineEdit()->setAccessibleName(tr("Name of what changes"));
    m_setting = makeBox(tr("Switch and its value"), 22, line);
    m_copies = new QComboBox(line);
    m_copies->setAccessibleName(tr("What happens to copies"));
    m_copies->addItem(tr("removed"), QStringLiteral("remove"));
    m_copies->addItem(tr("from pinned memory"), QStringLiteral("pin"));
    m_copies->addItem(tr("overlapped with other work"), QStringLiteral("overlap"));
    m_factor = new QDoubleSpinBox(line);
    m_factor->setRange(0, 100'000); // the largest factor that a change takes is 1000
    m_factor->setDecimals(1);
    m_factor->setSingleStep(10);
    m_factor->setSuffix(tr(" % of its time"));
    m_factor->setSpecialValueText(tr("removed"));
    m_factor->setValue(50);
    m_factor->setAccessibleName(tr("Time after the change, in per cent of the recorded time"));
    m_factor->setToolTip(tr("0 removes it, 50 halves its time, 200 doubles it"));
    m_count = new QSpinBox(line);
    m_count->setRange(1, 1024);
    m_count->setValue(2);
    m_count->setAccessibleName(tr("Number after the change"));
    m_predict = new QPushButton(tr("Predict"), line);
    theme::setButtonKind(m_predict, theme::ButtonKind::primary);
    m_predict->setToolTip(tr("Simulates the recorded iterations with this change, and with all changes below"));
    m_cancel = new QPushButton(tr("Cancel"), line);
    m_cancel->setAccessibleName(tr("Cancel the prediction"));
    for (QWidget* widget :
         {static_cast<QWidget*>(m_kind), static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_setting),
          static_cast<QWidget*>(m_copies), static_cast<QWidget*>(m_factor), static_cast<QWidget*>(m_count),
          static_cast<QWidget*>(m_predict), static_cast<QWidget*>(m_cancel)})
        flow->addWidget(widget);
    m_meaning = new Label({}, theme::Type::caption, Tone::secondary, panel);
    m_meaning->setWordWrap(true);
    m_state = new Label({}, theme::Type::body, Tone::warn, panel);
    m_state->setWordWrap(true);
    panel->body()->addWidget(line);
    panel->body()->addWidget(m_meaning);
    panel->body()->addWidget(m_state);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &WhatIfTab::showKind);
    connect(m_predict, &QPushButton::clicked, this, [this] { add(editedChange()); });
    connect(m_name->lineEdit(), &QLineEdit::returnPressed, this, [this] { add(editedChange()); });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_context.tasks.cancel(this, kPredict);
        showBusy(false);
    });
    return panel;
}

QWidget* WhatIfTab::makePrediction(QWidget* parent)
{
    m_prediction = new controls::Panel(tr("Predicted for an iteration"), parent);
    m_remove = new QPushButton(tr("Remove the change"), m_prediction);
    m_remove->setToolTip(tr("Predicts the others again without it"));
    connect(m_remove, &QPushButton::clicked, this, &WhatIfTab::removeChosen);
    m_rows = new tables::TextTableModel(whatIfColumns(), this);
    m_table = new tables::LeanTable(m_prediction);
    m_table->setModel(m_rows);
    m_table->setDense();
    m_table->setElastic(static_cast<int>(WhatIfColumn::change), 150);
    m_table->setExpendable({static_cast<int>(WhatIfColumn::events)}, 200);
    m_table->setAccessibleName(tr("Predictions"));
    m_evidence = new Label({}, theme::Type::body, Tone::secondary, m_prediction);
    m_evidence->setWordWrap(true);
    m_verdicts = new Label({}, theme::Type::body, Tone::text, m_prediction);
    m_verdicts->setWordWrap(true);
    m_verification = new QWidget(m_prediction);
    m_verificationLayout = new QVBoxLayout(m_verification);
    m_verificationLayout->setContentsMargins(0, 0, 0, 0);
    m_verificationLayout->setSpacing(6);
    m_prediction->addHeaderWidget(m_remove);
    m_prediction->body()->addWidget(m_table);
    m_prediction->body()->addWidget(m_evidence);
    m_prediction->body()->addWidget(m_verification);
    m_prediction->body()->addWidget(m_verdicts);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &WhatIfTab::showChosen);
    return m_prediction;
}

QWidget* WhatIfTab::mainWidget() const
{
    return m_kind;
}

void WhatIfTab::showEvent(QShowEvent* event)
{
    controls::ScrollPage::showEvent(event);
    readTrace();
}

/// Offers the names of a new trace. The changes of the former one mean nothing for it.
void WhatIfTab::readTrace()
{
    const TraceReportPtr whole = m_context.traces.wholeReport();
    // Gathering the names of a large recording takes a while, so a hidden tab does not begin it.
    if (!isVisible() || !whole || (whole->trace == m_trace && m_context.traces.traceId() == m_traceId))
        return;
    m_trace = whole->trace;
    m_traceId = m_context.traces.traceId();
    m_context.tasks.cancel(this, kPredict);
    showBusy(false);
    show(nullptr);
    // Copies, kernels and streams are a device's.
    m_kind->setCurrentIndex(
        m_kind->findData(static_cast<int>(whole->facts.onDevice ? ChangeKind::kernels : ChangeKind::operators)));
    m_context.tasks.start(
        this, kNames, [whole](const TaskRunner::Scope&) { return whatIfNames(*whole); },
        [this](WhatIfNames names) {
            m_names = std::move(names);
            showKind();
        });
}

void WhatIfTab::showKind()
{
    const auto kind = static_cast<ChangeKind>(m_kind->currentData().toInt());
    m_name->setVisible(takesName(kind));
    m_setting->setVisible(kind == ChangeKind::setting);
    m_copies->setVisible(kind == ChangeKind::copies);
    m_factor->setVisible(takesFactor(kind));
    m_count->setVisible(takesCount(kind));
    m_name->clear();
    m_name->addItems(kind == ChangeKind::kernels     ? m_names.kernels
                     : kind == ChangeKind::operators ? m_names.operators
                                                     : m_names.layers);
    m_setting->clear();
    m_setting->addItems(m_names.switches);
    m_predict->setEnabled(kind != ChangeKind::setting || !m_names.switches.isEmpty());
    m_meaning->setText(kind == ChangeKind::setting && m_names.switches.isEmpty()
                           ? tr("No finding of this trace predicts what a switch gains.")
                           : whatIfMeaning(kind));
}

/// The change of the editor, as the command line writes it.
QString WhatIfTab::editedChange() const
{
    const auto kind = static_cast<ChangeKind>(m_kind->currentData().toInt());
    const QString word = theme::toQt(advice::toString(kind));
    const QString factor = m_factor->value() > 0 ? QString::number(m_factor->value(), 'g', 6) + QLatin1Char('%')
                                                 : QStringLiteral("remove");
    if (takesName(kind))
        return QStringLiteral("%1:%2=%3").arg(word, m_name->currentText(), factor);
    switch (kind) {
    case ChangeKind::copies:
        return QStringLiteral("%1=%2").arg(word, m_copies->currentData().toString());
    case ChangeKind::streams:
    case ChangeKind::threads:
        return QStringLiteral("%1=%2").arg(word).arg(m_count->value());
    case ChangeKind::setting:
        return QStringLiteral("%1:%2").arg(word, m_setting->currentText());
    case ChangeKind::graph:
        return word;
    default:
        break;
    }
    return QStringLiteral("%1=%2").arg(word, factor);
}

void WhatIfTab::add(const QString& change)
{
    auto parsed = advice::parseChange(theme::toStd(change));
    if (!parsed) {
        showRefusal(theme::fromCore(parsed.error()));
        return;
    }
    std::vector<advice::Change> changes = m_view ? m_view->changes : std::vector<advice::Change>();
    if (std::ranges::find(changes, *parsed) != changes.end()) {
        showRefusal(tr("%1 is among the changes already.").arg(change));
        return;
    }
    changes.push_back(std::move(*parsed));
    predict(std::move(changes));
}

/// Replaces the shown predictions. Those of before stay while it works, when it is cancelled, and when it is refused.
void WhatIfTab::predict(std::vector<advice::Change> changes)
{
    const TraceReportPtr whole = m_context.traces.wholeReport();
    if (!whole)
        return;
    showBusy(true);
    m_context.tasks.start(
        this, kPredict,
        [whole, changes = std::move(changes)](const TaskRunner::Scope&) { return whatIfForView(*whole, changes); },
        [this](base::Result<std::shared_ptr<const WhatIfView>> view) {
            showBusy(false);
            if (view)
                show(std::move(*view));
            else
                showRefusal(theme::fromCore(view.error()));
        });
}

void WhatIfTab::showBusy(bool busy)
{
    m_cancel->setVisible(busy);
    m_predict->setVisible(!busy);
    m_remove->setEnabled(!busy);
    m_state->setTone(Tone::secondary);
    m_state->setText(busy ? tr("The recording is being simulated …") : QString());
    m_state->setVisible(busy);
}

void WhatIfTab::showRefusal(const QString& text)
{
    m_state->setTone(Tone::warn);
    m_state->setText(tr("Not predicted: %1").arg(text));
    m_state->show();
}

void WhatIfTab::show(std::shared_ptr<const WhatIfView> view)
{
    m_view = std::move(view);
    m_prediction->setVisible(m_view != nullptr);
    m_command->setVisible(m_view && m_context.traces.traceId() > 0);
    m_rows->setRows(m_view ? m_view->rows : std::vector<tables::TextTableModel::Row>());
    if (!m_view)
        return;
    m_table->fitHeight(kMostRows);
    m_table->selectRow(static_cast<int>(m_view->changes.size())); // the change that was added last
    QStringList changes;
    for (const advice::Change& change : m_view->changes)
        changes << theme::toQt(change.text);
    m_command->setCommand(whatIfCommand(m_context.traces.traceId(), changes, false, m_context.traces.workspace()));
    m_verdicts->setText(tr("Now: %1").arg(theme::fromCore(m_view->report.verdict.sentence)) + QLatin1Char('\n') +
                        (m_view->changes.size() > 1
                             ? tr("With all of them: %1").arg(theme::fromCore(m_view->report.verdictAfter.sentence))
                             : tr("Then: %1").arg(theme::fromCore(m_view->report.verdictAfter.sentence))));
    showChosen();
}

qint64 WhatIfTab::chosenKey() const
{
    return m_rows->keyAt(m_table->currentIndex().row());
}

void WhatIfTab::showChosen()
{
    const QWidget* focused =
        m_verification->isAncestorOf(QApplication::focusWidget()) ? QApplication::focusWidget() : nullptr;
    const QString focusName = focused ? focused->objectName() : QString();
    while (QLayoutItem* item = m_verificationLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const qint64 key = chosenKey();
    const int index = m_view ? m_view->changeOf(key) : -1;
    m_remove->setVisible(index >= 0);
    m_verification->setVisible(index >= 0);
    if (!m_view)
        return;
    m_evidence->setText(whatIfEvidence(*m_view, key).join(QLatin1Char('\n')));
    if (index < 0)
        return;
    const advice::ChangeEffect& effect = m_view->report.effects[static_cast<std::size_t>(index)];
    const QString change = theme::toQt(m_view->changes[static_cast<std::size_t>(index)].text);
    if (const QString barrier = whatIfBarrier(effect, m_context.traces.isOfTrial()); !barrier.isEmpty()) {
        auto* label = new Label(barrier, theme::Type::body, Tone::secondary, m_verification);
        label->setWordWrap(true);
        m_verificationLayout->addWidget(label);
        return;
    }
    const std::string run = "what-if " + theme::toStd(change);
    const QString command = whatIfCommand(m_context.traces.traceId(), {change}, true, m_context.traces.workspace());
    QPushButton* verify =
        makeVerifyButton(m_context, {run, advice::findingOf(effect), theme::toStd(command), change}, m_verification);
    m_verificationLayout->addWidget(verify, 0, Qt::AlignLeft);
    if (const VerificationRun* known = m_context.traces.run(run))
        m_verificationLayout->addWidget(makeVerdict(m_context, *known, m_verification));
    if (QWidget* again = focusName.isEmpty() ? nullptr : m_verification->findChild<QWidget*>(focusName))
        again->setFocus();
}

void WhatIfTab::removeChosen()
{
    const int index = m_view ? m_view->changeOf(chosenKey()) : -1;
    if (index < 0)
        return;
    std::vector<advice::Change> changes = m_view->changes;
    changes.erase(changes.begin() + index);
    if (changes.empty())
        show(nullptr);
    else
        predict(std::move(changes));
}

} // namespace apertune::gui
