// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"

#include <functional>
#include <vector>

class QComboBox;
class QGridLayout;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace apertune::controls {
class Label;
class Panel;
class SearchField;
} // namespace apertune::controls

namespace apertune::gui {

/// The settings of the window. Every change applies at once, and each can be put back to its default.
class SettingsPage final : public Page
{
    Q_OBJECT
public:
    SettingsPage(AppContext& context, QWidget* parent);

    QString title() const override { return tr("Settings"); }
    QString facts() const override { return tr("Changes apply at once. Nothing leaves this computer."); }
    void setSnapshot(std::shared_ptr<const model::StudySnapshot>) override {}

private:
    /// A setting, or another line that the search finds.
    struct Row
    {
        controls::Panel* card = nullptr;
        QString text;                    ///< the words that the search looks at
        std::vector<QWidget*> parts{};   ///< hidden where the search does not find the row
        QPushButton* reset = nullptr;    ///< null: nothing to reset
        std::function<bool()> changed{}; ///< whether the value is another one than the default; empty: there is none
        std::function<void()> putBack{}; ///< sets the default
    };
    struct Card
    {
        controls::Panel* panel = nullptr;
        QGridLayout* grid = nullptr;
    };
    Card addCard(QVBoxLayout* layout, const QString& title);
    Row& addRow(const Card& card, const QString& name, const QString& summary, QWidget* control);
    void addAppearance(QVBoxLayout* layout);
    void addMeasuring(QVBoxLayout* layout);
    void addWorkspace(QVBoxLayout* layout);
    void addKeyboard(QVBoxLayout* layout);
    void load();
    void showRows();
    void chooseWorkspace();

    std::vector<Row> m_rows;
    controls::SearchField* m_search = nullptr;
    controls::Label* m_nothing = nullptr; ///< shown when the search finds no row
    QComboBox* m_theme = nullptr;
    QComboBox* m_contrast = nullptr;
    QSpinBox* m_textSize = nullptr;
    QSpinBox* m_budget = nullptr;
};

} // namespace apertune::gui
