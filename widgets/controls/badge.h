// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/label.h"
#include "widgets/theme/tokens.h"

#include <QWidget>

namespace apertune::controls {

/// A word with a shape before it, both in one colour, so that it can be read without the colour. Its accessible name is
/// the word.
class Badge final : public QWidget
{
    Q_OBJECT
public:
    Badge(theme::Shape shape, const QString& word, Tone tone, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    theme::Shape m_shape;
    QString m_word;
    Tone m_tone;
};

} // namespace apertune::controls
