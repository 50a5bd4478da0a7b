// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/goal.h"

#include <QWidget>

#include <array>

class QLineEdit;

namespace apertune::controls {
class Chip;
class Label;
} // namespace apertune::controls

namespace apertune::gui {

/// What counts as best, its bounds, and how long may be measured. Bounds are typed with their units ("20ms", "4GiB");
/// an empty field is no bound.
class GoalEditor : public QWidget
{
    Q_OBJECT
public:
    struct Values
    {
        model::Goal goal;
        base::Nanoseconds budget{};
    };

    explicit GoalEditor(QWidget* parent = nullptr);

    void setBudget(int seconds);
    /// Failures: the first field that cannot be read, with an example; it is marked below the fields as well.
    base::Result<Values> values();

Q_SIGNALS:
    void changed();

private:
    QLineEdit* addField(const QString& name, const QString& placeholder, const QString& toolTip);

    std::array<controls::Chip*, 3> m_objectives{};
    QLineEdit* m_latency = nullptr;
    QLineEdit* m_memory = nullptr;
    QLineEdit* m_quality = nullptr;
    QLineEdit* m_budget = nullptr;
    controls::Label* m_error = nullptr;
};

} // namespace apertune::gui
