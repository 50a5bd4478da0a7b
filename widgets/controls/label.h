// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/fonts.h"

#include <QColor>
#include <QLabel>

namespace apertune::controls {

/// The meaning of a text beyond its words. Colour is never the only sign: good, warn and bad come with a glyph or a
/// word.
enum class Tone { text, secondary, tertiary, accent, good, warn, bad };

QColor toneColor(Tone tone);

/// A label of the type scale in a tone, following theme and text size.
class Label : public QLabel
{
    Q_OBJECT
public:
    explicit Label(const QString& text = {}, theme::Type type = theme::Type::body, Tone tone = Tone::text,
                   QWidget* parent = nullptr);

    void setTone(Tone tone);
    /// Limits the label to one line, which ends in "…" when it does not fit. The tool tip then has the whole text.
    void setElided(bool elided);
    /// Shows a name on one line. It is elided in its middle (theme::elidedName), and its tool tip is `whole`.
    void setName(const QString& shown, const QString& whole);
    bool isElided() const { return m_elided; }

    /// The height of a wrapped label of fixed width is that of its text at that width.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void refresh();
    bool hasFixedWidth() const { return wordWrap() && minimumWidth() == maximumWidth(); }

    theme::Type m_type;
    Tone m_tone;
    bool m_elided = false;
    bool m_isName = false;
};

} // namespace apertune::controls
