// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/memory_panel.h"

#include "widgets/controls/label.h"
#include "widgets/plots/chart_view.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace apertune::gui {

MemoryPanel::MemoryPanel(QWidget* parent) : Panel(tr("Memory before the run"), parent)
{
    m_choice = new QComboBox(this);
    m_choice->setAccessibleName(tr("Engine and precision of the estimate"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    addHeaderWidget(m_choice);
    m_chart = new plots::ChartView(this);
    m_chart->setAccessibleName(tr("Estimated peak memory by batch"));
    m_chart->setMinimumHeight(190);
    m_chart->setToolTipSource([this](qint64 id) {
        const auto& points = m_forecasts[static_cast<std::size_t>(m_choice->currentIndex())].points;
        return memoryToolTip(points[static_cast<std::size_t>(id)]);
    });
    m_remarks = new controls::Label({}, theme::Type::body, controls::Tone::secondary, this);
    m_remarks->setWordWrap(true);
    body()->addWidget(m_chart, 1);
    body()->addWidget(m_remarks);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &MemoryPanel::redraw);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &MemoryPanel::redraw);
    setMessage(tr("Working out the estimate …"));
}

void MemoryPanel::setForecasts(std::vector<study::MemoryForecast> forecasts)
{
    const QString chosen = m_choice->currentText();
    bool severalDevices = false;
    for (const study::MemoryForecast& forecast : forecasts)
        severalDevices = severalDevices || forecast.device != forecasts.front().device;
    const QSignalBlocker quiet(m_choice);
    m_forecasts = std::move(forecasts);
    m_choice->clear();
    for (const study::MemoryForecast& forecast : m_forecasts)
        m_choice->addItem(makeMemoryView(forecast, severalDevices).name);
    m_choice->setCurrentIndex(std::max(0, m_choice->findText(chosen)));
    redraw();
}

void MemoryPanel::setMessage(const QString& text)
{
    setForecasts({});
    m_remarks->setText(text);
}

void MemoryPanel::redraw()
{
    const int index = m_choice->currentIndex();
    const bool known = index >= 0 && index < static_cast<int>(m_forecasts.size());
    m_choice->setVisible(m_forecasts.size() > 1);
    m_chart->setVisible(known);
    if (!known)
        return;
    MemoryView view = makeMemoryView(m_forecasts[static_cast<std::size_t>(index)], false);
    m_chart->setContent(std::move(view.chart));
    m_chart->setAccessibleDescription(view.description);
    m_remarks->setText(view.remarks);
}

} // namespace apertune::gui
