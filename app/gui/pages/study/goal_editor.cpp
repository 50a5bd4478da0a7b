// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/goal_editor.h"

#include "core/base/text.h"
#include "core/search/algorithm.h"
#include "core/search/searcher.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/label.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>

namespace apertune::gui {

using controls::Label;
using controls::Tone;

namespace {

/// The values in the order of the chips. The first is the default.
constexpr std::array<std::optional<model::SearchAlgorithm>, 4> kSearches{
    std::nullopt, model::SearchAlgorithm::racing, model::SearchAlgorithm::grid, model::SearchAlgorithm::random};
constexpr std::array<double, 3> kHalfWidths{0.02, model::kDefaultTarget, 0.005};

QString explanationOf(std::size_t search)
{
    switch (search) {
    case 1:
        return GoalEditor::tr(
            "Every engine and level is probed, then the near-best are raced in turns. What cannot win is "
            "left early and stays in the table with the numbers that say so.");
    case 2:
        return GoalEditor::tr(
            "Every configuration is measured in full: the slowest way, and the one that fills every field of "
            "the table.");
    case 3:
        return GoalEditor::tr("Configurations in random order, each in full, until the measuring time is spent.");
    default:
        break;
    }
    return GoalEditor::tr(
               "Races where there are more than %1 configurations on a device, or less than %2 s of measuring time for "
               "each; measures every configuration where there is nothing to save.")
        .arg(search::kFewConfigurations)
        .arg(search::kShareLeast.seconds());
}

} // namespace

GoalEditor::GoalEditor(QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    const std::array<QString, 4> names{tr("throughput"), tr("latency"), tr("memory"), tr("energy")};
    addChoice(tr("Best"), names, m_objectives, 0);
    addFurther(names);
    m_latency = addField(tr("Latency at most"), tr("20ms or p99=25ms"),
                         tr("Bound of the median latency of one pass; of a percentile: p99=25ms (p50, p90, p95, p99); "
                            "both: 20ms,p99=25ms"));
    m_memory = addField(tr("Memory at most"), tr("4GiB"), tr("Bound of the peak memory"));
    m_energy = addField(tr("Energy at most"), tr("50mJ"),
                        tr("Bound of the energy of a sample, where the machine reports it: in J, mJ or uJ"));
    m_first = addField(tr("First answer within"), tr("500ms"),
                       tr("Bound of the time from the model's files to the first answer in a fresh process"));
    m_quality = addField(tr("Agreement at least"), tr("0.99"),
                         tr("Cosine similarity to the O0 fp32 outputs that a recommended trial must keep"));
    m_budget = addField(tr("Budget"), tr("2m"), tr("The time that the sweep may take, all included; 0 is unlimited"));
    addSearch();
    m_error = new Label({}, theme::Type::caption, Tone::bad, this);
    m_error->setWordWrap(true);
    m_error->hide();
    grid->addWidget(m_error, grid->rowCount(), 0, 1, 4);
}

QLineEdit* GoalEditor::addField(const QString& name, const QString& placeholder, const QString& toolTip)
{
    auto* grid = static_cast<QGridLayout*>(layout());
    // Two fields stand in a row.
    const auto fields = findChildren<QLineEdit*>().size();
    const int column = static_cast<int>(fields % 2) * 2;
    const int row = grid->rowCount() - (column > 0 ? 1 : 0);
    auto* field = new QLineEdit(this);
    field->setPlaceholderText(placeholder);
    field->ensurePolished(); // the style sets the font
    field->setMinimumWidth(field->fontMetrics().horizontalAdvance(placeholder) + 22);
    field->setToolTip(toolTip);
    field->setAccessibleName(name);
    field->setAccessibleDescription(toolTip);
    auto* label = new Label(name, theme::Type::body, Tone::secondary, this);
    label->setBuddy(field);
    grid->addWidget(label, row, column);
    grid->addWidget(field, row, column + 1);
    connect(field, &QLineEdit::textChanged, this, &GoalEditor::changed);
    return field;
}

template <std::size_t n>
void GoalEditor::addChoice(const QString& name, const std::array<QString, n>& words,
                           std::array<controls::Chip*, n>& chips, std::size_t chosen)
{
    auto* grid = static_cast<QGridLayout*>(layout());
    auto* group = new QButtonGroup(this);
    auto* choices = new QWidget(this);
    auto* line = new controls::FlowLayout(choices);
    for (std::size_t i = 0; i < n; ++i) {
        chips[i] = new controls::Chip(words[i], this);
        chips[i]->setAccessibleName(tr("%1: %2").arg(name, words[i]));
        chips[i]->setAutoExclusive(true);
        chips[i]->setChecked(i == chosen);
        chips[i]->setFocusPolicy(i == chosen ? Qt::StrongFocus : Qt::ClickFocus); // arrows move within the row
        group->addButton(chips[i]);
        line->addWidget(chips[i]);
        connect(chips[i], &QAbstractButton::toggled, this, [this](bool on) {
            if (on) {
                explainSearch();
                offerFurther();
                Q_EMIT changed();
            }
        });
    }
    const int row = grid->rowCount();
    auto* label = new Label(name, theme::Type::body, Tone::secondary, this);
    label->setWordWrap(true);
    grid->addWidget(label, row, 0);
    grid->addWidget(choices, row, 1, 1, 3);
}

void GoalEditor::addFurther(const std::array<QString, 4>& names)
{
    auto* grid = static_cast<QGridLayout*>(layout());
    auto* choices = new QWidget(this);
    auto* line = new controls::FlowLayout(choices);
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_further[i] = new controls::Chip(names[i], this);
        m_further[i]->setAccessibleName(tr("also %1").arg(names[i]));
        m_further[i]->setToolTip(
            tr("The best trial of this objective is reported too, and the trade-offs cover all chosen objectives."));
        line->addWidget(m_further[i]);
        connect(m_further[i], &QAbstractButton::toggled, this, &GoalEditor::changed);
    }
    const int row = grid->rowCount();
    grid->addWidget(new Label(tr("And also"), theme::Type::body, Tone::secondary, this), row, 0);
    grid->addWidget(choices, row, 1, 1, 3);
    offerFurther();
}

void GoalEditor::addSearch()
{
    addChoice(tr("Each configuration to"), {tr("quick, ± 2 %"), tr("normal, ± 1 %"), tr("publish, ± 0.5 %")},
              m_protocols, 1);
    for (controls::Chip* chip : m_protocols) {
        chip->setToolTip(
            tr("A configuration is measured until the 95 % interval of its median is that narrow, or its time is "
               "up; it says so then. Noise floors are kept for each of the three."));
    }
    addChoice(tr("Search"), {tr("automatic"), tr("racing"), tr("grid"), tr("random")}, m_searches, 0);
    for (std::size_t i = 0; i < m_searches.size(); ++i)
        m_searches[i]->setToolTip(explanationOf(i));
    auto* grid = static_cast<QGridLayout*>(layout());
    m_explanation = new Label({}, theme::Type::caption, Tone::secondary, this);
    m_explanation->setWordWrap(true);
    grid->addWidget(m_explanation, grid->rowCount(), 1, 1, 3);
    explainSearch();
}

void GoalEditor::offerFurther()
{
    for (std::size_t i = 0; i < m_further.size(); ++i)
        if (m_further[i])
            m_further[i]->setVisible(!m_objectives[i]->isChecked());
}

void GoalEditor::explainSearch()
{
    for (std::size_t i = 0; i < m_searches.size(); ++i)
        if (m_explanation && m_searches[i]->isChecked())
            m_explanation->setText(explanationOf(i));
}

void GoalEditor::setBudget(int seconds)
{
    m_budget->setText(seconds == 0        ? QStringLiteral("0")
                      : seconds % 60 == 0 ? QStringLiteral("%1m").arg(seconds / 60)
                                          : QStringLiteral("%1s").arg(seconds));
}

base::Result<GoalEditor::Values> GoalEditor::values()
{
    Values values;
    for (std::size_t i = 0; i < m_objectives.size(); ++i)
        if (m_objectives[i]->isChecked())
            values.goal.objective = static_cast<model::Objective>(i);
        else if (m_further[i]->isChecked())
            values.goal.also.push_back(static_cast<model::Objective>(i));
    for (std::size_t i = 0; i < m_searches.size(); ++i)
        if (m_searches[i]->isChecked())
            values.search = kSearches[i];
    for (std::size_t i = 0; i < m_protocols.size(); ++i)
        if (m_protocols[i]->isChecked())
            values.target = kHalfWidths[i];
    std::optional<base::Error> error;
    // Bounds are read and refused as on the command line, under the name of their field.
    const auto read = [&error](const QLineEdit* field, auto take) {
        const QString text = field->text().trimmed();
        if (text.isEmpty() || error)
            return;
        if (const base::Status taken = take(theme::toStd(field->accessibleName()), theme::toStd(text)); !taken)
            error = taken.error();
    };
    const auto bound = [&goal = values.goal](auto set) {
        return [&goal, set](const std::string& name, const std::string& text) { return set(goal, name, text); };
    };
    read(m_latency, bound(model::setMaxLatency));
    read(m_memory, bound(model::setMaxMemory));
    read(m_energy, bound(model::setMaxEnergy));
    read(m_first, bound(model::setMaxFirst));
    read(m_quality, bound(model::setMinQuality));
    values.budget = base::fromSeconds(120);
    read(m_budget, [&](const std::string& name, const std::string& text) -> base::Status {
        const auto budget = base::parseDuration(name, text);
        if (!budget)
            return budget.error();
        values.budget = *budget;
        return {};
    });
    m_error->setVisible(error.has_value());
    if (error) {
        m_error->setText(theme::fromCore(*error));
        return *error;
    }
    return values;
}

} // namespace apertune::gui
