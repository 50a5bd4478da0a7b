// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QObject>
#include <QPalette>

#include <optional>

namespace apertune::theme {

enum class Preference { system, dark, light };

/// The appearance of the whole application: one scheme at a time, applied as a palette, a style and a font. There is no
/// style sheet, because style sheets slow every view down. GUI thread.
class Theme : public QObject
{
    Q_OBJECT
public:
    /// Returns the application's theme, which is created on first use.
    /// REQUIRES: a QApplication exists.
    static Theme& instance();

    /// Installs palette and font; applyTheme() of appearance.h installs the style as well. `systemGuess` is used until
    /// the desktop has answered.
    void apply(Preference preference, Scheme systemGuess);
    /// Changes the preference while running.
    void setPreference(Preference preference);
    void setTextSize(int pixels);
    /// Chooses a contrast; nullopt follows the desktop.
    void setContrast(std::optional<Contrast> contrast);
    /// Sets the scheme of the desktop. It matters only under Preference::system.
    void setSystemScheme(Scheme scheme);
    /// Sets the contrast of the desktop. It matters only when no contrast was chosen.
    void setSystemContrast(Contrast contrast);

    Preference preference() const { return m_preference; }
    Contrast contrast() const { return m_contrast.value_or(m_systemContrast); }
    Scheme scheme() const { return m_scheme; }

Q_SIGNALS:
    /// Emitted when colours or fonts have changed. Self-painted views then read their tokens again.
    void changed();

private:
    Theme() = default;
    void refresh();

    Preference m_preference = Preference::system;
    Scheme m_system = Scheme::dark;
    Scheme m_scheme = Scheme::dark;
    std::optional<Contrast> m_contrast;
    Contrast m_systemContrast = Contrast::normal;
};

/// Return the tokens and the scheme in use. GUI thread.
const Tokens& current();
Scheme currentScheme();

QPalette paletteOf(Scheme scheme, Contrast contrast = Contrast::normal);

} // namespace apertune::theme
