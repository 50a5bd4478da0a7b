// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/settings_page.h"

#include "app/gui/session/shortcuts.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/label.h"
#include "widgets/controls/panel.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace apertune::gui {

namespace {

/// A row of a settings card: a name, a description, and the control.
controls::Label* addRow(QGridLayout* grid, const QString& name, const QString& summary, QWidget* control)
{
    const int row = grid->rowCount();
    auto* text = new QVBoxLayout;
    text->setSpacing(2);
    auto* label = new controls::Label(name, theme::Type::bodyStrong);
    label->setBuddy(control);
    auto* detail = new controls::Label(summary, theme::Type::caption, controls::Tone::secondary);
    detail->setWordWrap(true);
    text->addWidget(label);
    text->addWidget(detail);
    grid->addLayout(text, row, 0);
    grid->addWidget(control, row, 1, Qt::AlignRight | Qt::AlignVCenter);
    control->setAccessibleName(name);
    control->setAccessibleDescription(summary);
    control->setMinimumWidth(180);
    return detail;
}

QGridLayout* addCard(QVBoxLayout* layout, const QString& title, QWidget* parent)
{
    auto* panel = new controls::Panel(title, parent);
    auto* grid = new QGridLayout;
    grid->setColumnStretch(0, 1);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(14);
    panel->body()->addLayout(grid);
    layout->addWidget(panel);
    return grid;
}

} // namespace

PageSpec settingsPage()
{
    return {PageId::settings, QT_TRANSLATE_NOOP("apertune::gui", "Settings"), "settings", Qt::CTRL | Qt::Key_Comma,
            makePage<SettingsPage>};
}

SettingsPage::SettingsPage(AppContext& context, QWidget* parent) : Page(context, PageId::settings, parent)
{
    auto* column = new QWidget(this);
    column->setMaximumWidth(760);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(column, 1);
    outer->addStretch(0);

    m_theme = new QComboBox(column);
    m_theme->addItem(tr("As the desktop"), static_cast<int>(theme::Preference::system));
    m_theme->addItem(tr("Dark"), static_cast<int>(theme::Preference::dark));
    m_theme->addItem(tr("Light"), static_cast<int>(theme::Preference::light));
    m_contrast = new QComboBox(column);
    m_contrast->addItem(tr("As the desktop"), QVariant());
    m_contrast->addItem(tr("Normal"), static_cast<int>(theme::Contrast::normal));
    m_contrast->addItem(tr("More"), static_cast<int>(theme::Contrast::more));
    m_textSize = new QSpinBox(column);
    m_textSize->setRange(theme::kMinTextSize, theme::kMaxTextSize);
    m_textSize->setSuffix(tr(" px"));
    m_budget = new QSpinBox(column);
    m_budget->setRange(0, 24 * 3600);
    m_budget->setSingleStep(30);
    m_budget->setSuffix(tr(" s"));
    m_budget->setSpecialValueText(tr("unlimited"));

    QGridLayout* appearance = addCard(layout, tr("Appearance"), column);
    addRow(appearance, tr("Colours"), tr("Dark and light are tuned alike; plots follow."), m_theme);
    addRow(appearance, tr("Contrast"),
           tr("More: text and outlines as far from their ground as they can be, in dark and light."), m_contrast);
    addRow(appearance, tr("Text size"), tr("Everything scales with it."), m_textSize);

    QGridLayout* measuring = addCard(layout, tr("Measuring"), column);
    addRow(measuring, tr("Budget of a new sweep"),
           tr("Time of a sweep in seconds, all included. Configurations that do not fit are listed as pruned."),
           m_budget);

    QGridLayout* place = addCard(layout, tr("Workspace"), column);
    auto* open = new QPushButton(tr("Open another…"), column);
    controls::Label* file = addRow(place, tr("Workspace file"), {}, open);
    open->setAccessibleName(tr("Open another workspace"));
    const auto showFile = [file, session = &context.session] { file->setText(theme::toQt(session->file().string())); };
    showFile();
    connect(&context.session, &Session::fileChanged, file, showFile);
    for (QSpinBox* box : {m_textSize, m_budget})
        box->findChild<QLineEdit*>()->setTextMargins(6, 0, 6, 0);

    auto* keys = new controls::Panel(tr("Keyboard"), column);
    auto* shortcuts = new controls::FactList(keys);
    std::vector<controls::FactList::Fact> facts;
    const controls::KeyBinding pages = pageKeys(context.pages).front();
    for (const controls::KeyBinding& binding : {windowKey(WindowAction::sheet), windowKey(WindowAction::palette), pages,
                                                windowKey(WindowAction::primary), windowKey(WindowAction::clear)})
        facts.push_back({keysText(binding), binding.text});
    facts.front().value = tr("All shortcuts, also those of the timeline, of tables and of plots");
    facts.push_back({tr("Arrows, Enter"), tr("In plots, heat maps and tables: walk the trials, show one")});
    facts.push_back({tr("Menu key"), tr("On a plot, number or row: save it, copy it or its command line")});
    shortcuts->setFacts(std::move(facts));
    keys->body()->addWidget(shortcuts);
    layout->addWidget(keys);
    layout->addStretch(1);
    load();

    connect(m_theme, &QComboBox::activated, this, [this] {
        const auto preference = static_cast<theme::Preference>(m_theme->currentData().toInt());
        this->context().settings.setThemePreference(preference);
        theme::Theme::instance().setPreference(preference);
    });
    connect(m_contrast, &QComboBox::activated, this, [this] {
        const QVariant chosen = m_contrast->currentData();
        const auto contrast =
            chosen.isValid() ? std::optional(static_cast<theme::Contrast>(chosen.toInt())) : std::nullopt;
        this->context().settings.setContrast(contrast);
        theme::Theme::instance().setContrast(contrast);
    });
    connect(m_textSize, &QSpinBox::valueChanged, this, [this](int pixels) {
        this->context().settings.setTextSize(pixels);
        theme::Theme::instance().setTextSize(pixels);
    });
    connect(m_budget, &QSpinBox::valueChanged, this,
            [this](int seconds) { this->context().settings.setDefaultBudget(seconds); });
    connect(open, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Open workspace"),
                                       theme::toQt(this->context().session.file().parent_path().string()),
                                       tr("Workspaces (*.apertune)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this,
                [this](const QString& chosen) { this->context().openWorkspace(chosen); });
        dialog->open();
    });
}

void SettingsPage::load()
{
    const Settings& settings = context().settings;
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(settings.themePreference())));
    m_contrast->setCurrentIndex(settings.contrast() ? m_contrast->findData(static_cast<int>(*settings.contrast())) : 0);
    m_textSize->setValue(settings.textSize());
    m_budget->setValue(settings.defaultBudget());
}

} // namespace apertune::gui
