// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace apertune::controls {

/// A dashed box that says which files may be dropped. The window takes the drop; a click is for users who do not drag.
class DropArea : public QAbstractButton
{
    Q_OBJECT
public:
    DropArea(const QString& title, const QString& detail, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_detail;
};

} // namespace apertune::controls
