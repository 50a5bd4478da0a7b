// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QAbstractButton>

#include <optional>

namespace apertune::controls {

/// A small on/off pill, for example for an axis value of a sweep, a filter, or one of several views.
class Chip : public QAbstractButton
{
    Q_OBJECT
public:
    explicit Chip(const QString& text, QWidget* parent = nullptr);

    void setMarker(const theme::Marker& marker);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void takeTabStop(bool on);

    std::optional<theme::Marker> m_marker;
};

} // namespace apertune::controls
