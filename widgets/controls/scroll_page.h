// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

class QVBoxLayout;

namespace apertune::controls {

/// A page body with the page's margins. It scrolls vertically when the window is too low. It never scrolls sideways,
/// because its minimum width is that of its content.
class ScrollPage : public QScrollArea
{
    Q_OBJECT
public:
    explicit ScrollPage(QWidget* parent = nullptr);
    QVBoxLayout* body() const { return m_body; }

    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QVBoxLayout* m_body = nullptr;
};

} // namespace apertune::controls
