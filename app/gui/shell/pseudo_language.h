// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTranslator>

namespace apertune::gui {

/// A language made from the source texts: letters with accents, ⟦brackets⟧ around each text, and 40 % more characters.
/// A text without them never went through the translator. A layout that cuts one would also cut German.
class PseudoLanguage final : public QTranslator
{
public:
    using QTranslator::QTranslator;

    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* sourceText, const char* disambiguation, int n) const override;

    /// A text in the pseudo-language. Placeholders (%1, %L1, %n), tags, entities and file patterns (*.json) stay
    /// unchanged.
    static QString translated(const QString& text);
};

} // namespace apertune::gui
