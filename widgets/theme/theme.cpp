// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme.h"

#include "widgets/theme/fonts.h"

#include <QApplication>
#include <QPointer>
#include <QToolTip>

namespace apertune::theme {

Theme& Theme::instance()
{
    static QPointer<Theme> theme;
    if (!theme) {
        theme = new Theme;
        // Tests make several applications one after the other. Each takes its theme with it.
        theme->setParent(qApp);
    }
    return *theme;
}

void Theme::apply(Preference preference, Scheme systemGuess)
{
    m_preference = preference;
    m_system = systemGuess;
    refresh();
}

void Theme::setPreference(Preference preference)
{
    m_preference = preference;
    refresh();
}

void Theme::setTextSize(int pixels)
{
    theme::setTextSize(pixels);
    refresh();
}

void Theme::setContrast(std::optional<Contrast> contrast)
{
    m_contrast = contrast;
    refresh();
}

void Theme::setSystemContrast(Contrast contrast)
{
    const bool changes = !m_contrast && m_systemContrast != contrast;
    m_systemContrast = contrast;
    if (changes)
        refresh();
}

void Theme::setSystemScheme(Scheme scheme)
{
    m_system = scheme;
    if (m_preference == Preference::system && m_scheme != scheme)
        refresh();
}

void Theme::refresh()
{
    m_scheme = m_preference == Preference::dark    ? Scheme::dark
               : m_preference == Preference::light ? Scheme::light
                                                   : m_system;
    const QPalette palette = paletteOf(m_scheme, contrast());
    QApplication::setPalette(palette);
    QApplication::setFont(font(Type::body));
    QToolTip::setPalette(palette);
    QToolTip::setFont(font(Type::body));
    Q_EMIT changed();
}

const Tokens& current()
{
    return tokensOf(currentScheme(), Theme::instance().contrast());
}

Scheme currentScheme()
{
    return Theme::instance().scheme();
}

QPalette paletteOf(Scheme scheme, Contrast contrast)
{
    const Tokens& t = tokensOf(scheme, contrast);
    QPalette palette;
    palette.setColor(QPalette::Window, t.canvas);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.panel);
    palette.setColor(QPalette::AlternateBase, mixed(t.panel, t.raised, 0.5));
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::PlaceholderText, t.text3);
    palette.setColor(QPalette::Button, t.raised);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::BrightText, t.bad);
    palette.setColor(QPalette::Highlight, t.selection);
    palette.setColor(QPalette::HighlightedText, t.text);
    palette.setColor(QPalette::ToolTipBase, t.raised);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::Link, t.accent);
    palette.setColor(QPalette::LinkVisited, t.accent);
    palette.setColor(QPalette::Light, t.raised);
    palette.setColor(QPalette::Midlight, t.raised);
    palette.setColor(QPalette::Mid, t.line);
    palette.setColor(QPalette::Dark, t.line);
    palette.setColor(QPalette::Shadow, t.canvas);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, t.text3);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, t.raised);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, t.text3);
    return palette;
}

} // namespace apertune::theme
