// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page_spec.h"

#include <QWidget>

#include <vector>

class QAbstractButton;

namespace apertune::gui {

/// The list of pages on the left side. The last one stands at the bottom.
class Rail : public QWidget
{
    Q_OBJECT
public:
    Rail(const PageTable& pages, QWidget* parent);

    void setCurrent(PageId page);
    /// Shows a dot on Live while a job runs.
    void setBusy(bool busy);

Q_SIGNALS:
    void pageChosen(apertune::gui::PageId page);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const PageTable& m_pages;
    std::vector<QAbstractButton*> m_buttons; ///< in the order of m_pages
};

} // namespace apertune::gui
