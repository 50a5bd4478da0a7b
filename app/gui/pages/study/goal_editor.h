// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"

#include <QWidget>

#include <array>

class QLineEdit;

namespace apertune::controls {
class Chip;
class Label;
} // namespace apertune::controls

namespace apertune::gui {

/// The goal of a sweep: objective, bounds, time budget, protocol and search. Bounds are typed with their units ("20ms",
/// "4GiB"); an empty field is no bound.
class GoalEditor : public QWidget
{
    Q_OBJECT
public:
    struct Values
    {
        model::Goal goal;
        base::Nanoseconds budget{};
        std::optional<model::SearchAlgorithm> search; ///< a value of model::SearchSpace::search
        double target = model::kDefaultTarget;
    };

    explicit GoalEditor(QWidget* parent = nullptr);

    void setBudget(int seconds);
    /// The values of the fields. Failures: the first field that cannot be read, with an example; it is also marked
    /// below the fields.
    base::Result<Values> values();

Q_SIGNALS:
    void changed();

private:
    /// Adds a row of exclusive chips.
    template <std::size_t n>
    void addChoice(const QString& name, const std::array<QString, n>& words, std::array<controls::Chip*, n>& chips,
                   std::size_t chosen);
    void addFurther(const std::array<QString, 4>& names);
    void addSearch();
    void explainSearch();
    void offerFurther(); ///< offers all objectives but the main one
    QLineEdit* addField(const QString& name, const QString& placeholder, const QString& toolTip);

    std::array<controls::Chip*, 4> m_objectives{}; ///< indexed by model::Objective
    std::array<controls::Chip*, 4> m_further{};
    QLineEdit* m_latency = nullptr;
    QLineEdit* m_memory = nullptr;
    QLineEdit* m_energy = nullptr;
    QLineEdit* m_first = nullptr;
    QLineEdit* m_quality = nullptr;
    QLineEdit* m_budget = nullptr;
    std::array<controls::Chip*, 3> m_protocols{};
    std::array<controls::Chip*, 4> m_searches{};
    controls::Label* m_explanation = nullptr;
    controls::Label* m_error = nullptr;
};

} // namespace apertune::gui
