// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/trend_page.h"

#include "app/gui/presenters/command_lines.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/label.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

namespace {

const QString kTrends = QStringLiteral("trends");

} // namespace

PageSpec trendPage()
{
    return {PageId::trend, QT_TRANSLATE_NOOP("apertune::gui", "Trend"), "trend", Qt::CTRL | Qt::Key_T,
            makePage<TrendPage>};
}

TrendPage::TrendPage(AppContext& context, QWidget* parent) : Page(context, PageId::trend, parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("trend"), this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeContent());
    connect(m_empty, &controls::EmptyState::activated, this, [this] { this->context().navigate(PageId::sweep); });
    // A hidden page reads the histories when it is shown.
    connect(&context.session, &Session::workspaceChanged, this, [this] {
        if (isVisible())
            load();
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &TrendPage::showTrend); // colours of the plot
    load();
}

QWidget* TrendPage::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    auto* whole = new QSplitter(Qt::Vertical, content);
    auto* list = new Panel(tr("Configurations"), whole);
    m_once = new controls::Chip(tr("Measured once"), list);
    m_once->setToolTip(tr("Also list configurations with one trial, which have no history yet"));
    m_filter = new controls::SearchField(tr("Filter configurations"), {}, list);
    list->addHeaderWidget(m_once);
    list->addHeaderWidget(m_filter);
    m_trends = new tables::TextTableModel(trendColumns(), this);
    m_trendTable = tables::addTable(list, m_trends, tr("Configurations with their newest trial"));
    m_trendTable->setElastic(static_cast<int>(TrendColumn::newestStep), 140);
    m_trendTable->setExpendable({static_cast<int>(TrendColumn::newest), static_cast<int>(TrendColumn::certainty)}, 140);
    whole->addWidget(list);
    whole->addWidget(makeHistory(whole));
    whole->setChildrenCollapsible(false);
    whole->setStretchFactor(0, 1);
    whole->setStretchFactor(1, 2);
    whole->setSizes({180, 380});
    layout->addWidget(whole, 1);
    m_command = new controls::CommandLine(tr("Command line of this history"), content);
    layout->addWidget(m_command);
    connect(m_once, &QAbstractButton::toggled, this, &TrendPage::showRows);
    connect(m_filter, &QLineEdit::textChanged, m_trends, &tables::TextTableModel::setFilter);
    connect(m_trendTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TrendPage::showTrend);
    return content;
}

QWidget* TrendPage::makeHistory(QWidget* parent)
{
    auto* history = new QWidget(parent);
    auto* layout = new QVBoxLayout(history);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* row = new QSplitter(Qt::Horizontal, history);
    m_chartPanel = new Panel(tr("Latency over time"), row);
    m_chart = new plots::ChartView(m_chartPanel);
    m_chart->setAccessibleName(tr("Latency of the configuration over time"));
    m_chart->setToolTipSource([this](qint64 id) {
        const comparison::Trend* trend = chosen();
        return trend ? trendToolTip(*trend, model::TrialId{id}) : QString();
    });
    m_chartPanel->body()->setContentsMargins(4, 4, 4, 6);
    m_chartPanel->body()->addWidget(m_chart);
    plots::PlotActions::addTo(m_chartPanel, m_chart);
    auto* points = new Panel(tr("Trials"), row);
    m_points = new tables::TextTableModel(trendPointColumns(), this);
    m_pointTable = tables::addTable(points, m_points, tr("Trials of this configuration, the oldest first"));
    m_pointTable->setElastic(static_cast<int>(TrendPointColumn::remark), 60);
    m_pointTable->setExpendable({static_cast<int>(TrendPointColumn::versions),
                                 static_cast<int>(TrendPointColumn::samples),
                                 static_cast<int>(TrendPointColumn::others)},
                                120);
    row->addWidget(m_chartPanel);
    row->addWidget(points);
    row->setChildrenCollapsible(false);
    row->setStretchFactor(0, 1);
    row->setStretchFactor(1, 1);
    row->setSizes({500, 500});
    layout->addWidget(row, 1);
    m_sentences = new QWidget(history);
    m_sentenceLayout = new QVBoxLayout(m_sentences);
    m_sentenceLayout->setContentsMargins(0, 0, 0, 0);
    m_sentenceLayout->setSpacing(4);
    layout->addWidget(m_sentences);
    const auto select = [this](qint64 id) {
        m_chart->setSelected(id);
        if (const int at = id > 0 ? m_points->rowOfKey(id) : -1; at >= 0)
            m_pointTable->selectRow(at);
    };
    connect(m_chart, &plots::ChartView::pointClicked, this, select);
    connect(m_chart, &plots::ChartView::pointActivated, this, [this](qint64 id) { showTrial(model::TrialId{id}); });
    connect(m_pointTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                m_chart->setSelected(index.isValid() ? m_points->keyAt(index.row()) : plots::ChartView::kNone);
            });
    connect(m_pointTable, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { showTrial(model::TrialId{m_points->keyAt(index.row())}); });
    return history;
}

QString TrendPage::title() const
{
    return tr("Trend");
}

QString TrendPage::facts() const
{
    if (!m_view || m_view->trends.empty())
        return {};
    const auto twice = std::count_if(m_view->trends.begin(), m_view->trends.end(),
                                     [](const comparison::Trend& trend) { return trend.points.size() > 1; });
    return tr("%1, %2 measured twice or more")
        .arg(theme::counted(static_cast<qint64>(m_view->trends.size()), tr("configuration"), tr("configurations")))
        .arg(twice);
}

void TrendPage::setSnapshot(std::shared_ptr<const model::StudySnapshot>)
{
    load();
}

bool TrendPage::isReady() const
{
    const Session& session = context().session;
    return !session.workspaceExists() || m_version == session.version();
}

/// Reads the histories when the workspace changed.
void TrendPage::load()
{
    const Session& session = context().session;
    if (!session.workspaceExists() || !session.isLoaded() || session.loadError()) {
        context().tasks.cancel(this, kTrends);
        m_version.reset();
        present(std::make_shared<const TrendsView>());
        return;
    }
    if (session.version() == m_version)
        return;
    m_version = session.version();
    context().tasks.start(
        this, kTrends,
        [gateway = context().studyGateway,
         file = session.file()](const TaskRunner::Scope&) -> base::Result<std::shared_ptr<const TrendsView>> {
            auto trends = gateway->trends(file);
            if (!trends)
                return trends.error();
            return makeTrendsView(std::move(*trends));
        },
        [this](base::Result<std::shared_ptr<const TrendsView>> view) {
            if (view) {
                present(std::move(*view));
                return;
            }
            m_stack->setCurrentIndex(0);
            m_empty->setContent(tr("The histories cannot be read"), theme::fromCore(view.error()));
        });
}

void TrendPage::present(std::shared_ptr<const TrendsView> view)
{
    m_view = std::move(view);
    const bool nothing = m_view->trends.empty();
    m_stack->setCurrentIndex(nothing ? 0 : 1);
    if (nothing)
        m_empty->setContent(tr("No history yet"),
                            tr("This page follows each configuration over time: its trials in all studies of the "
                               "workspace, the steps between them, and the versions that changed there. Sweep the same "
                               "model again, and its history appears here."),
                            tr("Design a sweep"));
    else
        m_once->setChecked(m_once->isChecked() ||
                           std::none_of(m_view->trends.begin(), m_view->trends.end(),
                                        [](const comparison::Trend& trend) { return trend.points.size() > 1; }));
    showRows();
    Q_EMIT headerChanged();
}

void TrendPage::showRows()
{
    std::vector<tables::TextTableModel::Row> rows = m_view->rows;
    std::erase_if(rows, [this](const tables::TextTableModel::Row& row) {
        return !m_once->isChecked() && m_view->trends[static_cast<std::size_t>(row.key - 1)].points.size() < 2;
    });
    m_trendTable->setWanted(static_cast<int>(TrendColumn::model), m_view->severalModels);
    m_trendTable->setWanted(static_cast<int>(TrendColumn::device), m_view->severalDevices);
    // The history of before stays chosen, else that of the trial that the other pages show.
    const std::optional<model::TrialId> wanted = m_shown ? m_shown : std::optional(context().session.selectedTrial());
    qint64 key = rows.empty() ? 0 : rows.front().key;
    for (const tables::TextTableModel::Row& row : rows)
        if (m_view->trends[static_cast<std::size_t>(row.key - 1)].holds(*wanted))
            key = row.key;
    m_trends->setRows(std::move(rows));
    m_trendTable->fitColumns();
    if (const int at = m_trends->rowOfKey(key); at >= 0) {
        m_trendTable->selectRow(at);
        // The page may not be shown yet, and has its height only then.
        QMetaObject::invokeMethod(
            m_trendTable, [this] { m_trendTable->scrollTo(m_trendTable->currentIndex()); }, Qt::QueuedConnection);
    }
    showTrend();
}

const comparison::Trend* TrendPage::chosen() const
{
    const qint64 key = m_view ? m_trends->keyAt(m_trendTable->currentIndex().row()) : 0;
    return key > 0 && key <= static_cast<qint64>(m_view->trends.size())
               ? &m_view->trends[static_cast<std::size_t>(key - 1)]
               : nullptr;
}

void TrendPage::showTrend()
{
    const comparison::Trend* trend = chosen();
    m_points->setRows(trend ? trendPointRows(*trend) : std::vector<tables::TextTableModel::Row>());
    m_pointTable->fitColumns();
    m_chart->setContent(trend ? trendChart(*trend) : plots::ChartContent());
    m_command->setVisible(trend != nullptr);
    if (!trend)
        return;
    m_shown = trend->points.back().trial;
    m_chartPanel->setTitle(tr("%1 on %2").arg(theme::toQt(trend->label), theme::toQt(trend->device)));
    m_command->setCommand(trendCommand(trend->points.back().trial, context().session.file()));
    showSentences(*trend);
}

void TrendPage::showSentences(const comparison::Trend& trend)
{
    while (QLayoutItem* item = m_sentenceLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const TrendSentence& sentence : trendSentences(trend)) {
        auto* line = new QWidget(m_sentences);
        auto* row = new QHBoxLayout(line);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        const bool step = static_cast<bool>(sentence.before);
        auto* label = new Label(sentence.text, theme::Type::body, step ? Tone::text : Tone::secondary, line);
        label->setWordWrap(true);
        row->addWidget(label, 1);
        if (step) {
            auto* compare = new QPushButton(tr("Compare"), line);
            theme::setButtonKind(compare, theme::ButtonKind::quiet);
            compare->setAccessibleName(tr("Compare t%1 with t%2").arg(sentence.before.value).arg(sentence.after.value));
            compare->setToolTip(tr("The last trial before the step beside the first one after it"));
            connect(compare, &QPushButton::clicked, this, [this, before = sentence.before, after = sentence.after] {
                const comparison::Trend* shown = chosen();
                Session& session = context().session;
                const auto side = [&](model::TrialId trial) {
                    const auto at = std::find_if(shown->points.begin(), shown->points.end(),
                                                 [trial](const auto& point) { return point.trial == trial; });
                    return ComparisonSide{session.file(), at->study, trial};
                };
                session.setComparison(side(before), side(after));
                context().navigate(PageId::compare);
            });
            row->addWidget(compare);
        }
        m_sentenceLayout->addWidget(line);
    }
}

void TrendPage::showTrial(model::TrialId trial)
{
    const comparison::Trend* trend = chosen();
    const auto at = trend ? std::find_if(trend->points.begin(), trend->points.end(),
                                         [trial](const auto& point) { return point.trial == trial; })
                          : std::vector<comparison::TrendPoint>::const_iterator();
    if (!trend || at == trend->points.end())
        return;
    context().session.selectStudy(at->study, trial);
    context().navigate(PageId::trial);
}

void TrendPage::cancelOrClear()
{
    if (!m_filter->text().isEmpty())
        m_filter->clear();
}

void TrendPage::setFilter(const QString& text)
{
    m_filter->setText(text);
}

} // namespace apertune::gui
