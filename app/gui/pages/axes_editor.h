// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/search_space.h"

#include <QWidget>

#include <functional>
#include <vector>

class QGridLayout;

namespace apertune::controls {
class Chip;
}

namespace apertune::gui {

/// The axes of a sweep as rows of chips. What is checked is what runs; the engine fills an axis with nothing checked
/// with its default.
class AxesEditor : public QWidget
{
    Q_OBJECT
public:
    explicit AxesEditor(QWidget* parent = nullptr);

    /// Offers what the devices have: their ids, their cores as thread counts, the precisions they are fast at.
    void setDevices(const std::vector<model::Device>& devices);
    /// Offers engines besides LibTorch; without any the row is not there.
    void setEngines(const std::vector<std::string>& engines);
    /// Offers switches that engines have of their own, beside core's. What is chosen of them stays chosen.
    void setEngineSwitches(const std::vector<model::SwitchInfo>& switches);
    model::SearchSpace space() const;

Q_SIGNALS:
    void changed();

private:
    controls::Chip* addChip(QWidget* row, const QString& text, bool checked, const QString& toolTip = {});
    QWidget* addRow(const QString& name, const QString& toolTip);
    void showRow(QWidget* row, bool shown); ///< with its label
    void fillDeviceRows(const std::vector<model::Device>& devices);

    template <typename T>
    struct Choice
    {
        T value;
        controls::Chip* chip;
    };

    QGridLayout* m_grid = nullptr;
    std::vector<Choice<std::string>> m_engines;
    std::vector<Choice<model::OptLevel>> m_levels;
    std::vector<Choice<model::Precision>> m_precisions;
    std::vector<Choice<int>> m_batches;
    std::vector<Choice<std::string>> m_devices;
    std::vector<Choice<int>> m_threads;
    std::vector<Choice<std::string>> m_switches;
    std::vector<Choice<std::string>> m_engineSwitches;
    controls::Chip* m_autoBatch = nullptr;
    QWidget* m_engineRow = nullptr;
    QWidget* m_deviceRow = nullptr;
    QWidget* m_threadRow = nullptr;
    QWidget* m_engineSwitchRow = nullptr;
};

} // namespace apertune::gui
