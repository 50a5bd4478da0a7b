// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_actions.h"

#include "widgets/controls/label.h"
#include "widgets/controls/panel.h"
#include "widgets/plots/plot_source.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTimer>

namespace apertune::plots {
namespace {

constexpr int kNoteTime = 8000;                  ///< ms
constexpr char kFolder[] = "apertunePlotFolder"; // a property of the application: the folder that was chosen last

/// Returns a file name for a title: "Throughput against latency" -> "throughput-against-latency".
QString fileStem(const QString& title)
{
    static const QRegularExpression others(QStringLiteral("[^a-z0-9]+"));
    QString stem = title.toLower().replace(others, QStringLiteral("-"));
    while (stem.endsWith(QLatin1Char('-')))
        stem.chop(1);
    return stem.isEmpty() ? QStringLiteral("plot") : stem;
}

QString shortened(const QString& text)
{
    return text.size() > 96 ? text.left(95) + QStringLiteral("…") : text;
}

} // namespace

PlotActions::PlotActions(QWidget* view, const PlotSource* source, QWidget* parent)
    : QWidget(parent), m_view(view), m_source(source)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_note = new controls::Label({}, theme::Type::caption, controls::Tone::good, this);
    m_note->setElided(true);
    m_note->hide();
    m_button = new QPushButton(this);
    m_button->setIcon(theme::icon(QStringLiteral("more")));
    m_button->setFixedSize(26, 24);
    m_button->setAccessibleName(tr("Save or copy: %1").arg(view->accessibleName()));
    m_button->setToolTip(tr("Save or copy this plot or its data"));
    theme::setButtonKind(m_button, theme::ButtonKind::quiet);
    layout->addWidget(m_note, 1);
    layout->addWidget(m_button);
    // The menu belongs to the plot, which need not know about it.
    view->installEventFilter(this);
    connect(m_button, &QPushButton::clicked, this, [this] {
        QMenu* menu = makeMenu(std::nullopt);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(m_button->mapToGlobal(QPoint(0, m_button->height() + 2)));
    });
}

PlotActions* PlotActions::attach(controls::Panel* panel, QWidget* view, const PlotSource* source,
                                 const controls::LegendRow* legend)
{
    auto* actions = new PlotActions(view, source, panel);
    actions->m_panel = panel;
    actions->m_legend = legend;
    panel->addHeaderWidget(actions);
    return actions;
}

QString PlotActions::note() const
{
    return m_note->text();
}

PlotPicture PlotActions::picture() const
{
    return {m_source, m_view->size(), m_panel ? m_panel->title() : m_view->accessibleName(), m_legend};
}

QMenu* PlotActions::makeMenu(std::optional<QPointF> at)
{
    auto* menu = new QMenu(this);
    const auto add = [menu, this](const QString& iconName, const QString& text, auto action) {
        QAction* entry = menu->addAction(theme::icon(iconName), text);
        connect(entry, &QAction::triggered, this, action);
    };
    const auto addCopy = [&add](const QString& iconName, const QString& text, const QString& content) {
        add(iconName, text, [content] { QApplication::clipboard()->setText(content); });
    };
    if (at) {
        // Over a point, the menu begins with entries for that point.
        const PlotSource::Point point = m_source->pointAt(*at);
        if (!point.text.isEmpty()) {
            addCopy(QStringLiteral("copy"), tr("Copy values of “%1”").arg(point.text.section(QLatin1Char('\n'), 0, 0)),
                    point.text);
        }
        if (!point.command.isEmpty()) {
            addCopy(QStringLiteral("terminal"), tr("Copy the command line that measures it again"), point.command);
            // The command is shown before it is copied. It cannot be chosen.
            menu->addAction(shortened(point.command))->setEnabled(false);
        }
        if (!menu->isEmpty())
            menu->addSeparator();
    }
    add(QStringLiteral("copy"), tr("Copy picture"),
        // Twice the size, because pictures are mostly pasted into documents that are printed or scaled.
        [this] { QApplication::clipboard()->setImage(picture().image(2)); });
    addCopy(QStringLiteral("copy"), tr("Copy data as CSV"), m_source->toCsv());
    menu->addSeparator();
    const QString icon = QStringLiteral("export");
    add(icon, tr("Save as PNG …"), [this] { chooseFile(QStringLiteral("png"), 1); });
    add(icon, tr("Save as PNG, twice the size …"), [this] { chooseFile(QStringLiteral("png"), 2); });
    add(icon, tr("Save as SVG …"), [this] { chooseFile(QStringLiteral("svg"), 1); });
    add(icon, tr("Save as PDF …"), [this] { chooseFile(QStringLiteral("pdf"), 1); });
    add(icon, tr("Save data as CSV …"), [this] { chooseFile(QStringLiteral("csv"), 1); });
    return menu;
}

void PlotActions::chooseFile(const QString& suffix, double scale)
{
    // The folder is shared by all plots of the window and forgotten with the process.
    const QString folder = qApp->property(kFolder).toString();
    auto* dialog = new QFileDialog(this, tr("Save the plot"), folder.isEmpty() ? QDir::homePath() : folder,
                                   QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(fileStem(picture().title) + QLatin1Char('.') + suffix);
    // Not a modal dialog with a loop of its own, because the plot may be destroyed while it is open.
    connect(dialog, &QFileDialog::fileSelected, this, [this, scale](const QString& file) {
        qApp->setProperty(kFolder, QFileInfo(file).absolutePath());
        saveTo(file, scale);
    });
    dialog->open();
}

void PlotActions::saveTo(const QString& file, double scale)
{
    const bool csv = file.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive);
    const QString failure = csv ? picture().writeCsv(file) : picture().write(file, scale);
    showMessage(failure.isEmpty(),
                failure.isEmpty() ? tr("✓ saved %1").arg(QFileInfo(file).fileName()) : QStringLiteral("✕ ") + failure);
}

void PlotActions::showMessage(bool good, const QString& text)
{
    m_note->setTone(good ? controls::Tone::good : controls::Tone::bad);
    m_note->setText(text);
    m_note->setToolTip(text);
    m_note->show();
    if (good)
        // A failure stays until the next attempt. A newer note must not be hidden by the timer of an older one.
        QTimer::singleShot(kNoteTime, m_note, [note = m_note, text] { note->setVisible(note->text() != text); });
}

bool PlotActions::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ContextMenu && watched == m_view) {
        const auto* wanted = static_cast<QContextMenuEvent*>(event);
        // A menu that was asked for by a key belongs to the selected point, wherever the mouse is.
        const bool byKey = wanted->reason() == QContextMenuEvent::Keyboard;
        const QPointF at = byKey ? m_source->selectedAt() : QPointF(wanted->pos());
        QMenu* menu = makeMenu(at);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(m_view->mapToGlobal(at.toPoint()));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace apertune::plots
