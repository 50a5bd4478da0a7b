// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/search_space.h"
#include "core/model/switches.h"

#include <QWidget>

#include <functional>
#include <vector>

class QGridLayout;

namespace apertune::controls {
class Chip;
}

namespace apertune::gui {

/// The axes of a sweep as rows of chips. At first the default values of a sweep are checked. An axis that stays so, or
/// on which nothing is checked, is left empty in the search space, so that it is planned exactly as by `apertune tune
/// MODEL`.
class AxesEditor : public QWidget
{
    Q_OBJECT
public:
    explicit AxesEditor(QWidget* parent = nullptr);

    /// Offers the values of these devices: their ids, thread counts up to their cores, and switches that have an effect
    /// there. Also offers the engines besides LibTorch; without any the row is hidden. All axes go back to their
    /// default.
    void setMachine(const std::vector<model::Device>& devices, const std::vector<std::string>& engines);
    /// Offers switches of single engines, in addition to those of core. Checked ones stay checked.
    void setEngineSwitches(const std::vector<model::SwitchInfo>& switches);
    /// Offers devices that only engines report, in addition to those on offer.
    void addDevices(const std::vector<model::Device>& devices);
    model::SearchSpace space() const;

    void reset(); ///< checks the default values
    bool isDefault() const;

Q_SIGNALS:
    void changed();

private:
    template <typename T>
    struct Choice
    {
        T value;
        controls::Chip* chip;
        bool isDefault;
    };

    controls::Chip* addChip(QWidget* row, const QString& text, bool checked, const QString& toolTip = {});
    template <typename T>
    void offer(std::vector<Choice<T>>& axis, QWidget* row, T value, const std::vector<T>& defaults, const QString& text,
               const QString& toolTip = {});
    void offerPrecisions(QWidget* row);
    QWidget* addRow(const QString& name, const QString& toolTip);
    void showRow(QWidget* row, bool shown); ///< the row with its label
    void offerDevices(const std::vector<model::Device>& devices, const model::SearchSpace& defaults);
    void offerEngines(const std::vector<std::string>& engines);
    template <typename Visit>
    void forEachChoice(
        Visit visit) const; ///< calls visit(choice); the choice knows its chip and whether it is checked by default

    QGridLayout* m_grid = nullptr;
    std::vector<Choice<std::string>> m_engines;
    std::vector<Choice<model::OptLevel>> m_levels;
    std::vector<Choice<model::Precision>> m_precisions;
    std::vector<Choice<int>> m_batches;
    std::vector<Choice<std::string>> m_devices;
    std::vector<Choice<int>> m_threads;
    std::vector<Choice<std::string>> m_switches;
    std::vector<Choice<std::string>> m_engineSwitches;
    controls::Chip* m_ownPrecisions = nullptr; ///< stands for the levels' own precisions instead of single ones
    controls::Chip* m_autoBatch = nullptr;     ///< stands for batches chosen by the program instead of single ones
    QWidget* m_engineRow = nullptr;
    QWidget* m_deviceRow = nullptr;
    QWidget* m_threadRow = nullptr;
    QWidget* m_engineSwitchRow = nullptr;
};

} // namespace apertune::gui
