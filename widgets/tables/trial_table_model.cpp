// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/trial_table_model.h"

#include "widgets/controls/label.h"
#include "widgets/tables/roles.h"
#include "widgets/theme/format.h"

#include <algorithm>

namespace apertune::tables {
namespace {

using Kind = TrialColumn::Kind;

const TrialColumn& columnAt(int section)
{
    return trialColumns()[static_cast<std::size_t>(section)];
}

/// A row and its sort key, computed once for each row and not once for each comparison.
struct Keyed
{
    std::size_t index = 0;
    QVariant value;
    double number = 0;
    QString text;
};

} // namespace

TrialTableModel::TrialTableModel(QObject* parent) : QAbstractTableModel(parent)
{
}

void TrialTableModel::setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot, Extras extras)
{
    // A reset and no changes of rows: a snapshot may differ in any of them.
    beginResetModel();
    m_snapshot = std::move(snapshot);
    m_common = m_snapshot ? model::CommonSwitches(*m_snapshot) : model::CommonSwitches();
    m_names = m_snapshot ? model::ConfigurationNames(m_snapshot->trials) : model::ConfigurationNames();
    m_extras = std::move(extras);
    m_front.clear();
    for (const model::TrialId id : m_extras.front)
        m_front.insert(id.value);
    rebuild();
    endResetModel();
}

void TrialTableModel::setFilter(const QString& text)
{
    if (text == m_filter)
        return;
    beginResetModel();
    m_filter = text;
    rebuild();
    endResetModel();
}

void TrialTableModel::setShowSkipped(bool show)
{
    if (show == m_showSkipped)
        return;
    beginResetModel();
    m_showSkipped = show;
    rebuild();
    endResetModel();
}

int TrialTableModel::total() const
{
    return m_snapshot ? static_cast<int>(m_snapshot->trials.size()) : 0;
}

CellContext TrialTableModel::contextOf(const model::Trial& trial) const
{
    const model::Device* device = m_snapshot->device(trial.device);
    const auto baseline = m_extras.baselines.find(trial.id);
    return {device ? device->type : model::DeviceType::cpu(), m_common.of(trial),
            baseline == m_extras.baselines.end() ? QString() : baseline->second};
}

bool TrialTableModel::matches(const model::Trial& trial) const
{
    if (!m_showSkipped && trial.state == model::TrialState::pruned)
        return false;
    // All words have to occur, each in any column, so that "int8 64" finds a precision and a batch.
    for (const QString& word : m_filter.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        bool found = false;
        for (auto column = trialColumns().begin(); column != trialColumns().end() && !found; ++column)
            found = cellText(trial, *column, contextOf(trial)).contains(word, Qt::CaseInsensitive);
        if (!found)
            return false;
    }
    return true;
}

void TrialTableModel::rebuild()
{
    m_order.clear();
    m_fraction.assign(trialColumns().size(), 0);
    if (!m_snapshot)
        return;
    for (std::size_t i = 0; i < m_snapshot->trials.size(); ++i) {
        const model::Trial& trial = m_snapshot->trials[i];
        for (std::size_t column = 0; column < m_fraction.size(); ++column) {
            // Rows that the filter hides count, too, so that columns do not move while the user types.
            if (isAligned(trialColumns()[column])) {
                m_fraction[column] = std::max(
                    m_fraction[column], theme::decimalsOf(cellText(trial, trialColumns()[column], contextOf(trial))));
            }
        }
        if (matches(trial))
            m_order.push_back(i);
    }
    if (m_sortColumn < 0)
        return;
    std::vector<Keyed> keyed;
    keyed.reserve(m_order.size());
    const TrialColumn& sorted = columnAt(m_sortColumn);
    for (const std::size_t index : m_order) {
        const model::Trial& trial = m_snapshot->trials[index];
        // Keys are computed once for each row, because a sort compares each of them many times.
        Keyed key{
            index, sorted.kind == Kind::mark ? markOrder(trial) : cellOrder(trial, sorted, contextOf(trial)), 0, {}};
        key.number = key.value.typeId() == QMetaType::Double ? key.value.toDouble() : 0;
        key.text = key.value.typeId() == QMetaType::Double ? QString() : key.value.toString();
        keyed.push_back(std::move(key));
    }
    const bool ascending = m_sortOrder == Qt::AscendingOrder;
    // Stable, so that rows with equal values stay in the order of the study.
    std::stable_sort(keyed.begin(), keyed.end(), [ascending](const Keyed& a, const Keyed& b) {
        // Rows without a value are last in both directions.
        if (a.value.isValid() != b.value.isValid())
            return a.value.isValid();
        if (a.number != b.number)
            return ascending ? a.number < b.number : a.number > b.number;
        const int order = QString::compare(a.text, b.text);
        return ascending ? order < 0 : order > 0;
    });
    for (std::size_t row = 0; row < keyed.size(); ++row)
        m_order[row] = keyed[row].index;
}

void TrialTableModel::sort(int column, Qt::SortOrder order)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    // The selection follows its trials to their new rows.
    const QModelIndexList before = persistentIndexList();
    std::vector<model::TrialId> ids;
    for (const QModelIndex& index : before)
        ids.push_back(m_snapshot->trials[m_order[static_cast<std::size_t>(index.row())]].id);
    m_sortColumn = column;
    m_sortOrder = order;
    rebuild();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const std::optional<int> row = rowOf(ids[static_cast<std::size_t>(i)]);
        after << (row ? index(*row, before.at(i).column()) : QModelIndex());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int TrialTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int TrialTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(trialColumns().size());
}

const model::Trial* TrialTableModel::trialAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_snapshot->trials[m_order[static_cast<std::size_t>(row)]] : nullptr;
}

std::optional<int> TrialTableModel::rowOf(model::TrialId trial) const
{
    for (std::size_t row = 0; row < m_order.size(); ++row)
        if (m_snapshot->trials[m_order[row]].id == trial)
            return static_cast<int>(row);
    return std::nullopt;
}

bool TrialTableModel::isInformative(int section) const
{
    // A column in which all rows say the same says nothing and is left out.
    const TrialColumn& column = columnAt(section);
    const bool whereKnown = column.metric && column.metric->column == metrics::Column::whereKnown;
    if (!m_snapshot || (isAligned(column) && !whereKnown))
        return true;
    if (column.kind == Kind::metric) {
        return std::any_of(m_snapshot->trials.begin(), m_snapshot->trials.end(), [&](const model::Trial& trial) {
            return cellValue(trial, column, contextOf(trial)).isValid();
        });
    }
    if (column.kind == Kind::baseline)
        return std::any_of(m_snapshot->trials.begin(), m_snapshot->trials.end(),
                           [this](const model::Trial& trial) { return m_extras.baselines.contains(trial.id); });
    if (column.kind != Kind::device && column.kind != Kind::engine && column.kind != Kind::threads &&
        column.kind != Kind::switches) {
        return true;
    }
    QString first;
    bool any = false;
    for (const model::Trial& trial : m_snapshot->trials) {
        const QString text = cellText(trial, column, contextOf(trial));
        if (any && text != first)
            return true;
        first = text;
        any = true;
    }
    return false;
}

bool TrialTableModel::isBest(const model::Trial& trial) const
{
    return m_snapshot->recommended && m_snapshot->recommended->trial == trial.id;
}

double TrialTableModel::markOrder(const model::Trial& trial) const
{
    return isBest(trial) ? 0 : m_front.count(trial.id.value) > 0 ? 1 : 2;
}

QVariant TrialTableModel::markOf(const model::Trial& trial, int role) const
{
    const bool best = isBest(trial);
    const bool front = m_front.count(trial.id.value) > 0;
    switch (role) {
    case Qt::DisplayRole:
        return best ? QStringLiteral("✔") : front ? QStringLiteral("◆") : QString();
    case kToneRole:
        return static_cast<int>(best ? controls::Tone::accent : controls::Tone::secondary);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
    case kRawRole:
        return best ? tr("recommended") : front ? tr("best trade-off") : QString();
    default:
        return {};
    }
}

QString TrialTableModel::alignedNumber(const model::Trial& trial, int section) const
{
    QString text = cellText(trial, columnAt(section), contextOf(trial));
    const int longest = m_fraction[static_cast<std::size_t>(section)];
    if (text.isEmpty() || longest == 0)
        return text;
    const int digits = theme::decimalsOf(text);
    // The point itself needs a space when a number has none.
    if (digits == 0)
        text += QChar(0x2008);
    // Spaces as wide as a digit and as a point make numbers end at the same place, so the points stand below each
    // other.
    return text + QString(longest - digits, QChar(0x2007));
}

QVariant TrialTableModel::data(const QModelIndex& index, int role) const
{
    const model::Trial* trial = index.isValid() ? trialAt(index.row()) : nullptr;
    if (!trial)
        return {};
    const TrialColumn& column = columnAt(index.column());
    if (role == kCommandRole)
        return m_extras.command ? m_extras.command(*trial) : QString();
    if (column.kind == Kind::mark && role != Qt::TextAlignmentRole)
        return markOf(*trial, role);
    switch (role) {
    case Qt::DisplayRole:
        return alignedNumber(*trial, index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.kind == Kind::mark ? Qt::AlignHCenter
                                 : isNumeric(column)       ? Qt::AlignRight
                                                           : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return trialToolTip(*trial, theme::toQt(m_names.of(*trial)), contextOf(*trial).device,
                            theme::throughputUnit(m_snapshot->study.model));
    case kRawRole:
        return cellValue(*trial, column, contextOf(*trial));
    case kMarkerRole:
        return column.kind == Kind::precision ? QVariant(static_cast<int>(trial->config.precision)) : QVariant();
    case kIconRole:
        return column.kind == Kind::state ? QVariant(stateIcon(*trial)) : QVariant();
    case kToneRole:
        if (column.kind == Kind::state)
            return stateTone(*trial);
        if (trial->state != model::TrialState::ok || column.kind == Kind::interval)
            return static_cast<int>(controls::Tone::secondary);
        return {};
    default:
        return {};
    }
}

QVariant TrialTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TrialColumn& column = columnAt(section);
    switch (role) {
    case Qt::DisplayRole:
        return columnTitle(column, m_snapshot ? theme::throughputUnit(m_snapshot->study.model) : tr("img/s"));
    case Qt::TextAlignmentRole:
        return static_cast<int>((isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return columnToolTip(column);
    case kRawTitleRole:
        return rawTitles(column).isEmpty() ? QVariant() : QVariant(rawTitles(column));
    default:
        return {};
    }
}

} // namespace apertune::tables
