// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace apertune::controls {

class Label;

/// A card: rounded box with an optional title row and a body.
class Panel : public QWidget
{
    Q_OBJECT
public:
    explicit Panel(const QString& title = {}, QWidget* parent = nullptr);

    /// The layout for the content; 12 px inside the box unless setBodyMargin says otherwise.
    QVBoxLayout* body() const { return m_body; }
    void setTitle(const QString& title);
    QString title() const;
    /// Small widgets on the right of the title row, from left to right.
    void addHeaderWidget(QWidget* widget);
    /// Sets the margin around the body. With 0 a table reaches the box's edges.
    void setBodyMargin(int margin);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Label* m_title = nullptr;
    QWidget* m_header = nullptr;
    QHBoxLayout* m_headerLayout = nullptr;
    QVBoxLayout* m_body = nullptr;
};

} // namespace apertune::controls
