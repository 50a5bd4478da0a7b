// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTranslator>

namespace apertune::gui {

/// A language made of the source texts: letters with accents, ⟦brackets⟧ around each text, and 40 % more characters.
/// A text that is shown without them never went through the translator, and a layout that cuts one would cut German.
class PseudoLanguage final : public QTranslator
{
public:
    using QTranslator::QTranslator;

    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* sourceText, const char* disambiguation, int n) const override;

    /// The text in the pseudo-language. Placeholders (%1, %L1, %n), tags, entities and patterns
    /// of file names (*.json) stay.
    static QString translated(const QString& text);
};

} // namespace apertune::gui
