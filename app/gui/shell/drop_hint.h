// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace apertune::gui {

/// Covers the window while a file is dragged over it, and says what dropping it would do.
class DropHint : public QWidget
{
    Q_OBJECT
public:
    explicit DropHint(QWidget* parent);
    void showFor(const QString& file);
    static QString actionFor(const QString& file);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
};

} // namespace apertune::gui
