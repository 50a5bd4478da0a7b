// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/report_tables.h"
#include "app/gui/session/app_context.h"

#include <QWidget>

#include <functional>
#include <memory>

class QStackedLayout;

namespace apertune::controls {
class EmptyState;
class Label;
class SearchField;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
class TextTableModel;
} // namespace apertune::tables

namespace apertune::gui {

/// One table of the report, below a sentence that sums it up. The table is made when the tab is first shown. GUI
/// thread.
class TableTab : public QWidget
{
    Q_OBJECT
public:
    using Make = std::function<ReportTable(const TraceReport&)>;
    TableTab(AppContext& context, const QString& name, Make make, QWidget* parent);

    tables::LeanTable* table() const { return m_table; }

Q_SIGNALS:
    void rangeChosen(apertune::trace::TimeRange range);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    AppContext& m_context;
    QString m_name;
    Make m_make;
    TraceReportPtr m_shown;
    ReportTable m_content;
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    QWidget* m_filled = nullptr;
    controls::Label* m_summary = nullptr;
    controls::SearchField* m_filter = nullptr;
    std::unique_ptr<tables::TextTableModel> m_model;
    tables::LeanTable* m_table = nullptr;
};

} // namespace apertune::gui
