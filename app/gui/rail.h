// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/app_context.h"

#include <QWidget>

#include <array>

class QAbstractButton;

namespace apertune::gui {

/// The pages down the left side; Settings stands at the bottom.
class Rail : public QWidget
{
    Q_OBJECT
public:
    explicit Rail(QWidget* parent = nullptr);

    void setCurrent(PageId page);
    /// A dot on Live while work is going on.
    void setBusy(bool busy);

    static QString labelOf(PageId page);
    static QString iconOf(PageId page);

Q_SIGNALS:
    void pageChosen(apertune::gui::PageId page);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::array<QAbstractButton*, kPageCount> m_buttons{};
};

} // namespace apertune::gui
