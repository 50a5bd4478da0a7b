// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"

class QComboBox;
class QSpinBox;

namespace apertune::gui {

/// The settings of the window. Every change applies at once.
class SettingsPage final : public Page
{
    Q_OBJECT
public:
    SettingsPage(AppContext& context, QWidget* parent);

    QString title() const override { return tr("Settings"); }
    QString facts() const override { return tr("Changes apply at once. Nothing leaves this computer."); }
    void setSnapshot(std::shared_ptr<const model::StudySnapshot>) override {}

private:
    void load();

    QComboBox* m_theme = nullptr;
    QComboBox* m_contrast = nullptr;
    QSpinBox* m_textSize = nullptr;
    QSpinBox* m_budget = nullptr;
};

} // namespace apertune::gui
