// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/goal_editor.h"

#include "core/base/text.h"
#include "core/search/searcher.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/label.h"
#include "widgets/theme/format.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>

namespace apertune::gui {

using controls::Label;
using controls::Tone;

namespace {

/// In the order of the chips; the first is the default.
constexpr std::array<const char*, 4> kSearches{"", "racing", "grid", "random"};

QString explanationOf(std::size_t search)
{
    switch (search) {
    case 1:
        return GoalEditor::tr(
            "A short look at every engine and level, then a race of the near-best in turns. What cannot "
            "win is left early and stays in the table with the numbers that say so.");
    case 2:
        return GoalEditor::tr("Every cell is measured in full: the slowest way, and the one that fills every field of "
                              "the table.");
    case 3:
        return GoalEditor::tr("Cells in random order, each in full, until the measuring time is spent.");
    default:
        break;
    }
    return GoalEditor::tr("Races where there are more than %1 cells on a device and the measuring time is limited; "
                          "measures every cell where there is nothing to save.")
        .arg(search::kFewCells);
}

} // namespace

GoalEditor::GoalEditor(QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(10);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    auto* group = new QButtonGroup(this);
    auto* chips = new QHBoxLayout;
    chips->setSpacing(6);
    const std::array<QString, 3> names{tr("throughput"), tr("latency"), tr("memory")};
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_objectives[i] = new controls::Chip(names[i], this);
        m_objectives[i]->setAutoExclusive(true);
        m_objectives[i]->setChecked(i == 0);
        group->addButton(m_objectives[i]);
        chips->addWidget(m_objectives[i]);
        connect(m_objectives[i], &QAbstractButton::toggled, this, &GoalEditor::changed);
    }
    chips->addStretch(1);
    grid->addWidget(new Label(tr("Best"), theme::Type::body, Tone::secondary, this), 0, 0);
    grid->addLayout(chips, 0, 1, 1, 3);
    m_latency = addField(tr("Latency at most"), tr("20ms or p99=25ms"),
                         tr("Bound of the median latency of one pass; of a percentile: p99=25ms (p50, p90, p95, p99); "
                            "both: 20ms,p99=25ms"));
    m_memory = addField(tr("Memory at most"), tr("4GiB"), tr("Bound of the peak memory"));
    m_quality = addField(tr("Agreement at least"), tr("0.99"),
                         tr("Cosine similarity to the O0 fp32 outputs that a recommended trial must keep"));
    m_budget = addField(tr("Measuring time"), tr("2m"), tr("Compiling is not counted; 0 is unlimited"));
    addSearch();
    m_error = new Label({}, theme::Type::caption, Tone::bad, this);
    m_error->setWordWrap(true);
    m_error->hide();
    grid->addWidget(m_error, grid->rowCount(), 0, 1, 4);
}

QLineEdit* GoalEditor::addField(const QString& name, const QString& placeholder, const QString& toolTip)
{
    auto* grid = static_cast<QGridLayout*>(layout());
    // Two fields a row, from row 1 on.
    const auto fields = findChildren<QLineEdit*>().size();
    const int row = 1 + static_cast<int>(fields) / 2;
    const int column = static_cast<int>(fields % 2) * 2;
    auto* field = new QLineEdit(this);
    field->setPlaceholderText(placeholder);
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

void GoalEditor::addSearch()
{
    auto* grid = static_cast<QGridLayout*>(layout());
    auto* group = new QButtonGroup(this);
    auto* chips = new QHBoxLayout;
    chips->setSpacing(6);
    const std::array<QString, 4> names{tr("automatic"), tr("racing"), tr("grid"), tr("random")};
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_searches[i] = new controls::Chip(names[i], this);
        m_searches[i]->setAutoExclusive(true);
        m_searches[i]->setChecked(i == 0);
        m_searches[i]->setToolTip(explanationOf(i));
        group->addButton(m_searches[i]);
        chips->addWidget(m_searches[i]);
        connect(m_searches[i], &QAbstractButton::toggled, this, [this](bool on) {
            explainSearch();
            if (on) {
                Q_EMIT changed();
            }
        });
    }
    chips->addStretch(1);
    const int row = grid->rowCount();
    grid->addWidget(new Label(tr("Search"), theme::Type::body, Tone::secondary, this), row, 0);
    grid->addLayout(chips, row, 1, 1, 3);
    m_explanation = new Label({}, theme::Type::caption, Tone::secondary, this);
    m_explanation->setWordWrap(true);
    grid->addWidget(m_explanation, row + 1, 1, 1, 3);
    explainSearch();
}

void GoalEditor::explainSearch()
{
    for (std::size_t i = 0; i < m_searches.size(); ++i) {
        if (m_explanation && m_searches[i]->isChecked()) {
            m_explanation->setText(explanationOf(i));
        }
    }
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
    for (std::size_t i = 0; i < m_objectives.size(); ++i) {
        if (m_objectives[i]->isChecked()) {
            values.goal.objective = static_cast<model::Objective>(i);
        }
    }
    for (std::size_t i = 0; i < m_searches.size(); ++i) {
        if (m_searches[i]->isChecked()) {
            values.search = kSearches[i];
        }
    }
    std::optional<base::Error> error;
    // As the command line reads and refuses them, under the field's own name.
    const auto read = [&error](const QLineEdit* field, auto take) {
        const QString text = field->text().trimmed();
        if (text.isEmpty() || error) {
            return;
        }
        if (const base::Status taken = take(theme::toStd(field->accessibleName()), theme::toStd(text)); !taken) {
            error = taken.error();
        }
    };
    const auto bound = [&goal = values.goal](auto set) {
        return [&goal, set](const std::string& name, const std::string& text) { return set(goal, name, text); };
    };
    read(m_latency, bound(model::setMaxLatency));
    read(m_memory, bound(model::setMaxMemory));
    read(m_quality, bound(model::setMinQuality));
    values.budget = base::fromSeconds(120);
    read(m_budget, [&](const std::string& name, const std::string& text) -> base::Status {
        const auto budget = base::parseDuration(name, text);
        if (!budget) {
            return budget.error();
        }
        values.budget = *budget;
        return {};
    });
    m_error->setVisible(error.has_value());
    if (error) {
        m_error->setText(theme::toQt(base::describe(*error)));
        return *error;
    }
    return values;
}

} // namespace apertune::gui
