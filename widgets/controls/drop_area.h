// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace apertune::controls {

/// A dashed box that names the files which may be dropped. The window handles the drop; a click opens a dialog instead.
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
