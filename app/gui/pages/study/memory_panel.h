// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/memory_view.h"
#include "widgets/controls/panel.h"

#include <QString>

#include <vector>

class QComboBox;

namespace apertune::plots {
class ChartView;
}

namespace apertune::gui {

/// Memory by batch before the run: the estimate of one engine and precision, which the user chooses, with measured
/// peaks and the memory that may be used. GUI thread.
class MemoryPanel final : public controls::Panel
{
    Q_OBJECT
public:
    explicit MemoryPanel(QWidget* parent);

    /// Shows the estimates and keeps the chosen engine and precision where they are still there.
    void setForecasts(std::vector<study::MemoryForecast> forecasts);
    /// Shows why there is no estimate.
    void setMessage(const QString& text);

private:
    void redraw();

    std::vector<study::MemoryForecast> m_forecasts;
    QComboBox* m_choice = nullptr;
    plots::ChartView* m_chart = nullptr;
    controls::Label* m_remarks = nullptr;
};

} // namespace apertune::gui
