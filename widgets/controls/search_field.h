// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace apertune::controls {

/// A line edit with a magnifier that is as wide as its placeholder. While it is empty, it shows its shortcut.
class SearchField : public QLineEdit
{
    Q_OBJECT
public:
    explicit SearchField(const QString& placeholder, const QString& shortcutHint = {}, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_hint;
};

} // namespace apertune::controls
