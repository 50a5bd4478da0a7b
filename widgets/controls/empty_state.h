// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace apertune::controls {

class Label;

/// The content of an empty page: what it will show, why it is empty, and one next step.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(const QString& iconName, QWidget* parent = nullptr);

    /// An empty `actionText` hides the button.
    void setContent(const QString& title, const QString& text, const QString& actionText = {});

    /// The text uses the available width up to a readable line length.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void activated();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QString m_icon;
    QWidget* m_picture = nullptr;
    Label* m_title = nullptr;
    Label* m_text = nullptr;
    QPushButton* m_action = nullptr;
};

} // namespace apertune::controls
