// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/effects_page.h"

#include "app/gui/presenters/tradeoffs_view.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"

#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace apertune::gui {

PageSpec effectsPage()
{
    return {PageId::effects, QT_TRANSLATE_NOOP("apertune::gui", "Effects"), "effects", Qt::CTRL | Qt::Key_0,
            makePage<EffectsPage>};
}

EffectsPage::EffectsPage(AppContext& context, QWidget* parent) : Page(context, PageId::effects, parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("effects"), this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeContent());
    connect(m_empty, &controls::EmptyState::activated, this, [this] { this->context().navigate(PageId::sweep); });
    setSnapshot(nullptr);
}

QWidget* EffectsPage::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    auto* whole = new QSplitter(Qt::Vertical, content);
    auto* effectPanel = new controls::Panel(tr("Effect of each setting by itself"), whole);
    m_filter = new controls::SearchField(tr("Filter effects"), {}, effectPanel);
    effectPanel->addHeaderWidget(m_filter);
    m_effects = new tables::TextTableModel(effectColumns(), this);
    m_effectTable = tables::addTable(effectPanel, m_effects, tr("Effects of settings"));
    m_effectTable->setElastic(static_cast<int>(EffectColumn::depends), 120);
    m_effectTable->setExpendable({static_cast<int>(EffectColumn::cosine), static_cast<int>(EffectColumn::pairs)}, 120);
    m_pairPanel = new controls::Panel(tr("Pairs of configurations"), whole);
    m_pairs = new tables::TextTableModel(effectPairColumns(), this);
    m_pairTable = tables::addTable(m_pairPanel, m_pairs, tr("Pairs behind the selected effect"));
    m_pairTable->setElastic(static_cast<int>(EffectPairColumn::from), 160);
    whole->setChildrenCollapsible(false);
    whole->setStretchFactor(0, 3);
    whole->setStretchFactor(1, 2);
    whole->setSizes({340, 220});
    layout->addWidget(whole, 1);
    m_command = new controls::CommandLine(tr("Command line of these effects"), content);
    layout->addWidget(m_command);
    connect(m_filter, &QLineEdit::textChanged, m_effects, &tables::TextTableModel::setFilter);
    connect(m_effectTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &EffectsPage::showPairs);
    connect(m_pairTable, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        context().session.selectTrial(model::TrialId{m_pairs->keyAt(index.row())});
        context().navigate(PageId::trial);
    });
    return content;
}

QString EffectsPage::title() const
{
    return m_snapshot ? theme::toQt(m_snapshot->study.name) : tr("Effects");
}

QString EffectsPage::facts() const
{
    return m_snapshot ? studyFacts(*m_snapshot) : QString();
}

bool EffectsPage::isReady() const
{
    return m_snapshot == context().session.snapshot() && (!m_snapshot || m_view);
}

void EffectsPage::setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    if (!m_snapshot) {
        context().tasks.cancel(this, QStringLiteral("effects"));
        m_view.reset();
        m_empty->setContent(
            tr("No study yet"),
            tr("This page shows what each setting changes by itself, in time, memory, energy and quality, "
               "from pairs of configurations that differ in it alone. Design a sweep that tries several "
               "values of a setting, and its effect appears here."),
            tr("Design a sweep"));
        m_stack->setCurrentIndex(0);
        return;
    }
    context().tasks.start(
        this, QStringLiteral("effects"),
        [known = m_snapshot, file = context().session.file()](const TaskRunner::Scope&) {
            return makeEffectsView(known, file);
        },
        [this](std::shared_ptr<const EffectsView> view) { present(std::move(view)); });
}

void EffectsPage::present(std::shared_ptr<const EffectsView> view)
{
    m_view = std::move(view);
    const bool nothing = m_view->effects.empty();
    m_stack->setCurrentIndex(nothing ? 0 : 1);
    if (nothing) {
        m_empty->setContent(tr("No pair to compare"),
                            tr("No two measured configurations of this study differ in one setting alone. Sweep two "
                               "values of a setting, such as two levels or two precisions, with the rest the same."),
                            tr("Design a sweep"));
        return;
    }
    for (const auto& [column, wanted] :
         {std::pair(EffectColumn::device, m_view->severalDevices), std::pair(EffectColumn::energy, m_view->knowsEnergy),
          std::pair(EffectColumn::start, m_view->knowsStart)})
        m_effectTable->setWanted(static_cast<int>(column), wanted);
    for (const auto& [column, wanted] : {std::pair(EffectPairColumn::energy, m_view->knowsEnergy),
                                         std::pair(EffectPairColumn::start, m_view->knowsStart)})
        m_pairTable->setWanted(static_cast<int>(column), wanted);
    m_effects->setRows(m_view->rows);
    m_effectTable->fitColumns();
    m_command->setCommand(m_view->command);
    m_effectTable->selectRow(0);
    showPairs();
}

void EffectsPage::showPairs()
{
    const qint64 key = m_view ? m_effects->keyAt(m_effectTable->currentIndex().row()) : 0;
    m_pairs->setRows(key > 0 ? effectPairRows(*m_view, static_cast<std::size_t>(key - 1))
                             : std::vector<tables::TextTableModel::Row>());
    m_pairTable->fitColumns();
    if (key > 0) {
        const comparison::SettingEffect& effect = m_view->effects[static_cast<std::size_t>(key - 1)];
        m_pairPanel->setTitle(tr("Pairs behind %1, %2 → %3")
                                  .arg(settingWord(effect.setting), theme::toQt(effect.from), theme::toQt(effect.to)));
    }
}

void EffectsPage::cancelOrClear()
{
    if (!m_filter->text().isEmpty())
        m_filter->clear();
}

void EffectsPage::setFilter(const QString& text)
{
    m_filter->setText(text);
}

} // namespace apertune::gui
