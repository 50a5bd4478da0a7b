// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/command_palette.h"

#include "app/gui/presenters/tradeoffs_view.h"
#include "app/gui/session/app_context.h"
#include "widgets/theme/format.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace apertune::gui {

CommandPalette::CommandPalette(AppContext& context, QLineEdit& field, QWidget* window)
    : QFrame(window), m_context(context), m_field(field)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    m_list = new QListWidget(this);
    m_list->setFrameShape(QFrame::NoFrame);
    // The field keeps the focus, so that typing goes on while the list is used.
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Search results"));
    m_list->setUniformItemSizes(true);
    layout->addWidget(m_list);
    hide();
    // Keys of the field move the selection of the list.
    m_field.installEventFilter(this);
    connect(&m_field, &QLineEdit::textEdited, this, &CommandPalette::open);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
}

std::vector<CommandPalette::Entry> CommandPalette::allEntries() const
{
    std::vector<Entry> entries;
    for (const PageSpec& page : m_context.pages) {
        entries.push_back({page.shownLabel(), tr("page"), QString::fromLatin1(page.icon),
                           [&context = m_context, id = page.id] { context.navigate(id); }});
    }
    entries.insert(entries.end(), m_actions.begin(), m_actions.end());
    Session& session = m_context.session;
    for (const store::StudySummary& study : session.studies()) {
        entries.push_back(
            {theme::toQt(study.name), tr("study"), QStringLiteral("tradeoffs"), [&context = m_context, id = study.id] {
                 context.session.selectStudy(id);
                 context.navigate(PageId::tradeoffs);
             }});
    }
    for (const model::ModelRef& model : session.models()) {
        entries.push_back(
            {theme::toQt(model.name), tr("model"), QStringLiteral("model"), [&context = m_context, name = model.name] {
                 context.session.selectModel(name);
                 context.navigate(PageId::model);
             }});
    }
    if (const auto snapshot = session.snapshot()) {
        const model::ConfigurationNames names(snapshot->trials);
        for (const model::Trial& trial : snapshot->trials) {
            const QString text = QStringLiteral("t%1  %2  %3")
                                     .arg(trial.id.value)
                                     .arg(theme::toQt(names.of(trial)), theme::toQt(trial.device));
            entries.push_back({text, tr("trial"), QStringLiteral("trial"), [&context = m_context, id = trial.id] {
                                   context.session.selectTrial(id);
                                   context.navigate(PageId::trial);
                               }});
        }
    }
    return entries;
}

std::vector<CommandPalette::Entry> CommandPalette::matching(const std::vector<Entry>& entries, const QString& text,
                                                            std::size_t limit)
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<std::pair<int, const Entry*>> found;
    for (const Entry& entry : entries) {
        const QString whole = entry.text + QLatin1Char(' ') + entry.kind;
        const bool all = std::all_of(words.begin(), words.end(),
                                     // Every word must occur, in any order.
                                     [&](const QString& word) { return whole.contains(word, Qt::CaseInsensitive); });
        if (all) {
            // Entries that begin with the first word come first; the others keep their order.
            const bool prefix = !words.isEmpty() && entry.text.startsWith(words.first(), Qt::CaseInsensitive);
            found.emplace_back(prefix ? 0 : 1, &entry);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Entry> result;
    for (std::size_t i = 0; i < std::min(limit, found.size()); ++i)
        result.push_back(*found[i].second);
    return result;
}

void CommandPalette::open()
{
    m_field.setFocus(Qt::ShortcutFocusReason);
    refresh();
    show();
    raise();
}

void CommandPalette::close()
{
    hide();
    m_field.clear();
}

void CommandPalette::refresh()
{
    m_shown = matching(allEntries(), m_field.text());
    m_list->clear();
    for (const Entry& entry : m_shown) {
        auto* item = new QListWidgetItem(theme::icon(entry.iconName),
                                         QStringLiteral("%1   %2").arg(entry.text, entry.kind), m_list);
        // The width of an item is that of the list, so its own does not matter.
        item->setSizeHint(QSize(10, m_list->fontMetrics().height() + 12));
    }
    if (m_shown.empty()) {
        // The row without a match cannot be chosen.
        auto* item = new QListWidgetItem(tr("Nothing matches. Try a page, a study, a model or a trial."), m_list);
        item->setFlags(Qt::NoItemFlags);
        item->setSizeHint(QSize(10, m_list->fontMetrics().height() + 12));
    }
    m_list->setCurrentRow(m_shown.empty() ? -1 : 0);
    const int rows = std::max<int>(1, static_cast<int>(m_shown.size()));
    const int width = std::max(m_field.width(), 380);
    // The list ends at the right border of the field, which stands at the window's right.
    const QPoint corner = m_field.mapTo(parentWidget(), QPoint(m_field.width() - width, m_field.height() + 4));
    setGeometry(corner.x(), corner.y(), width, rows * (m_list->fontMetrics().height() + 12) + 12);
}

void CommandPalette::runCurrent()
{
    const int row = m_list->currentRow();
    if (row < 0 || row >= static_cast<int>(m_shown.size()))
        return;
    const auto run = m_shown[static_cast<std::size_t>(row)].run;
    close();
    m_field.clearFocus();
    run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut) {
        hide();
    } else if (event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Down:
            isVisible() ? m_list->setCurrentRow(std::min(m_list->currentRow() + 1, m_list->count() - 1)) : open();
            return true;
        case Qt::Key_Up:
            m_list->setCurrentRow(std::max(m_list->currentRow() - 1, 0));
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            runCurrent();
            return true;
        case Qt::Key_Escape:
            close();
            m_field.clearFocus();
            return true;
        default:
            break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    theme::drawBox(painter, rect(), theme::current().panel, theme::current().border, 6);
}

} // namespace apertune::gui
