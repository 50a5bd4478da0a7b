// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/label.h"

#include <QWidget>

#include <functional>

class QPushButton;

namespace apertune::controls {

/// A strip with one message and at most one action, used instead of a dialog that would interrupt. A message that is
/// repeated increments a counter instead of adding a strip.
class InfoBar : public QWidget
{
    Q_OBJECT
public:
    struct Message
    {
        Tone tone = Tone::secondary;
        QString text;
        QString actionText{};
        std::function<void()> action{};
        QString id{}; ///< messages with the same id replace each other; empty: the text is the id
    };

    explicit InfoBar(QWidget* parent = nullptr);

    void show(const Message& message);
    void dismiss(const QString& id);
    const Message& message() const { return m_message; }
    int repeats() const { return m_repeats; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    Message m_message;
    int m_repeats = 0;
    Label* m_text = nullptr;
    QPushButton* m_action = nullptr;
    QPushButton* m_close = nullptr;
};

} // namespace apertune::controls
