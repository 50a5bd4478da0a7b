// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/settings_page.h"

#include "app/gui/session/shortcuts.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/label.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/scroll_page.h"
#include "widgets/controls/search_field.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace apertune::gui {

PageSpec settingsPage()
{
    return {PageId::settings, QT_TRANSLATE_NOOP("apertune::gui", "Settings"), "settings", Qt::CTRL | Qt::Key_Comma,
            makePage<SettingsPage>};
}

SettingsPage::SettingsPage(AppContext& context, QWidget* parent) : Page(context, PageId::settings, parent)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new controls::ScrollPage(this);
    outer->addWidget(scroll);
    auto* column = new QWidget(scroll);
    // Lines of settings would be hard to read over the whole width.
    column->setMaximumWidth(760);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    scroll->body()->setContentsMargins(16, 0, 16, 12);
    scroll->body()->addWidget(column);
    m_search = new controls::SearchField(tr("Search settings"), {}, column);
    layout->addWidget(m_search);
    m_nothing =
        new controls::Label(tr("No setting has these words."), theme::Type::body, controls::Tone::secondary, column);
    layout->addWidget(m_nothing);
    addAppearance(layout);
    addMeasuring(layout);
    addWorkspace(layout);
    addKeyboard(layout);
    layout->addStretch(1);
    connect(m_search, &QLineEdit::textChanged, this, &SettingsPage::showRows);
    connect(&context.settings, &Settings::changed, this, &SettingsPage::showRows);
    load();
    showRows();
}

SettingsPage::Card SettingsPage::addCard(QVBoxLayout* layout, const QString& title)
{
    auto* panel = new controls::Panel(title, layout->parentWidget());
    auto* grid = new QGridLayout;
    grid->setColumnStretch(0, 1);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(14);
    panel->body()->addLayout(grid);
    layout->addWidget(panel);
    return {panel, grid};
}

/// Adds a name, a description, the control, and a button for the default. The description is the second part of the
/// row.
SettingsPage::Row& SettingsPage::addRow(const Card& card, const QString& name, const QString& summary, QWidget* control)
{
    const int row = card.grid->rowCount();
    auto* text = new QVBoxLayout;
    text->setSpacing(2);
    auto* label = new controls::Label(name, theme::Type::bodyStrong, controls::Tone::text, card.panel);
    label->setBuddy(control);
    auto* detail = new controls::Label(summary, theme::Type::caption, controls::Tone::secondary, card.panel);
    detail->setWordWrap(true);
    text->addWidget(label);
    text->addWidget(detail);
    card.grid->addLayout(text, row, 0);
    card.grid->addWidget(control, row, 2, Qt::AlignRight | Qt::AlignVCenter);
    control->setAccessibleName(name);
    control->setAccessibleDescription(summary);
    control->setMinimumWidth(180);
    auto* reset = new QPushButton(tr("Reset"), card.panel);
    theme::setButtonKind(reset, theme::ButtonKind::quiet);
    reset->setAccessibleName(tr("Reset: %1").arg(name));
    reset->setToolTip(tr("Back to the default"));
    card.grid->addWidget(reset, row, 1, Qt::AlignVCenter);
    // The row is found by its number, because the list grows while rows are added.
    connect(reset, &QPushButton::clicked, this, [this, at = m_rows.size()] {
        m_rows[at].putBack();
        load();
    });
    m_rows.push_back({card.panel,
                      QStringList({card.panel->title(), name, summary}).join(QLatin1Char(' ')),
                      {label, detail, control},
                      reset});
    return m_rows.back();
}

void SettingsPage::addAppearance(QVBoxLayout* layout)
{
    const Card card = addCard(layout, tr("Appearance"));
    m_theme = new QComboBox(card.panel);
    m_theme->addItem(tr("As the desktop"), static_cast<int>(theme::Preference::system));
    m_theme->addItem(tr("Dark"), static_cast<int>(theme::Preference::dark));
    m_theme->addItem(tr("Light"), static_cast<int>(theme::Preference::light));
    m_contrast = new QComboBox(card.panel);
    // An invalid value stands for the desktop's own choice.
    m_contrast->addItem(tr("As the desktop"), QVariant());
    m_contrast->addItem(tr("Normal"), static_cast<int>(theme::Contrast::normal));
    m_contrast->addItem(tr("More"), static_cast<int>(theme::Contrast::more));
    m_textSize = new QSpinBox(card.panel);
    m_textSize->setRange(theme::kMinTextSize, theme::kMaxTextSize);
    m_textSize->setSuffix(tr(" px"));
    m_textSize->findChild<QLineEdit*>()->setTextMargins(6, 0, 6, 0);

    Settings& settings = context().settings;
    const auto setTheme = [&settings](theme::Preference preference) {
        settings.setThemePreference(preference);
        theme::Theme::instance().setPreference(preference);
    };
    const auto setContrast = [&settings](std::optional<theme::Contrast> contrast) {
        settings.setContrast(contrast);
        theme::Theme::instance().setContrast(contrast);
    };
    Row& colours = addRow(card, tr("Colours"), tr("Dark and light are tuned alike; plots follow."), m_theme);
    colours.changed = [&settings] { return settings.themePreference() != theme::Preference::system; };
    colours.putBack = [setTheme] { setTheme(theme::Preference::system); };
    Row& contrasts =
        addRow(card, tr("Contrast"),
               tr("More: text and outlines as far from their ground as they can be, in dark and light."), m_contrast);
    contrasts.changed = [&settings] { return settings.contrast().has_value(); };
    contrasts.putBack = [setContrast] { setContrast(std::nullopt); };
    Row& size = addRow(card, tr("Text size"), tr("Everything scales with it."), m_textSize);
    size.changed = [&settings] { return settings.textSize() != theme::kDefaultTextSize; };
    size.putBack = [this] { m_textSize->setValue(theme::kDefaultTextSize); };
    connect(m_theme, &QComboBox::activated, this,
            [this, setTheme] { setTheme(static_cast<theme::Preference>(m_theme->currentData().toInt())); });
    connect(m_contrast, &QComboBox::activated, this, [this, setContrast] {
        const QVariant chosen = m_contrast->currentData();
        setContrast(chosen.isValid() ? std::optional(static_cast<theme::Contrast>(chosen.toInt())) : std::nullopt);
    });
    connect(m_textSize, &QSpinBox::valueChanged, this, [&settings](int pixels) {
        settings.setTextSize(pixels);
        theme::Theme::instance().setTextSize(pixels);
    });
}

void SettingsPage::addMeasuring(QVBoxLayout* layout)
{
    const Card card = addCard(layout, tr("Measuring"));
    m_budget = new QSpinBox(card.panel);
    m_budget->setRange(0, 24 * 3600);
    m_budget->setSingleStep(30);
    m_budget->setSuffix(tr(" s"));
    m_budget->setSpecialValueText(tr("unlimited"));
    m_budget->findChild<QLineEdit*>()->setTextMargins(6, 0, 6, 0);
    Settings& settings = context().settings;
    Row& budget = addRow(
        card, tr("Budget of a new sweep"),
        tr("Time of a sweep in seconds, all included. Configurations that do not fit are listed as pruned."), m_budget);
    budget.changed = [&settings] { return settings.defaultBudget() != Settings::kDefaultBudget; };
    budget.putBack = [this] { m_budget->setValue(Settings::kDefaultBudget); };
    connect(m_budget, &QSpinBox::valueChanged, this, [&settings](int seconds) { settings.setDefaultBudget(seconds); });
}

void SettingsPage::addWorkspace(QVBoxLayout* layout)
{
    const Card card = addCard(layout, tr("Workspace"));
    auto* open = new QPushButton(tr("Open another…"), card.panel);
    auto* file = static_cast<controls::Label*>(addRow(card, tr("Workspace file"), {}, open).parts[1]);
    open->setAccessibleName(tr("Open another workspace"));
    const auto showFile = [file, session = &context().session] {
        file->setText(theme::toQt(session->file().string()));
    };
    showFile();
    connect(&context().session, &Session::fileChanged, file, showFile);
    connect(open, &QPushButton::clicked, this, &SettingsPage::chooseWorkspace);
}

void SettingsPage::addKeyboard(QVBoxLayout* layout)
{
    auto* keys = new controls::Panel(tr("Keyboard"), layout->parentWidget());
    auto* shortcuts = new controls::FactList(keys);
    std::vector<controls::FactList::Fact> facts;
    const controls::KeyBinding pages = pageKeys(context().pages).front();
    for (const controls::KeyBinding& binding : {windowKey(WindowAction::sheet), windowKey(WindowAction::palette), pages,
                                                windowKey(WindowAction::primary), windowKey(WindowAction::clear)})
        facts.push_back({keysText(binding), binding.text});
    facts.front().value = tr("All shortcuts, also those of the timeline, of tables and of plots");
    facts.push_back({tr("Arrows, Enter"), tr("In plots, heat maps and tables: walk the trials, show one")});
    facts.push_back({tr("Menu key"), tr("On a plot, number or row: save it, copy it or its command line")});
    QStringList words{keys->title()};
    for (const controls::FactList::Fact& fact : facts)
        words << fact.name << fact.value;
    shortcuts->setFacts(std::move(facts));
    keys->body()->addWidget(shortcuts);
    layout->addWidget(keys);
    m_rows.push_back({keys, words.join(QLatin1Char(' '))});
}

void SettingsPage::load()
{
    const Settings& settings = context().settings;
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(settings.themePreference())));
    m_contrast->setCurrentIndex(settings.contrast() ? m_contrast->findData(static_cast<int>(*settings.contrast())) : 0);
    m_textSize->setValue(settings.textSize());
    m_budget->setValue(settings.defaultBudget());
}

/// Shows the rows that have every word of the search, the cards that have such a row, and the buttons that would change
/// something.
void SettingsPage::showRows()
{
    const QStringList words = m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::set<controls::Panel*> found;
    for (const Row& row : m_rows) {
        const bool fits = std::all_of(words.begin(), words.end(), [&row](const QString& word) {
            return row.text.contains(word, Qt::CaseInsensitive);
        });
        if (fits)
            found.insert(row.card);
        for (QWidget* part : row.parts)
            part->setVisible(fits);
        if (row.reset)
            row.reset->setVisible(fits && row.changed && row.changed());
    }
    for (const Row& row : m_rows)
        row.card->setVisible(found.contains(row.card));
    m_nothing->setVisible(found.empty());
}

void SettingsPage::chooseWorkspace()
{
    auto* dialog = new QFileDialog(this, tr("Open workspace"), theme::fileToQt(context().session.file().parent_path()),
                                   tr("Workspaces (*.apertune)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& chosen) { context().openWorkspace(chosen); });
    dialog->open();
}

} // namespace apertune::gui
