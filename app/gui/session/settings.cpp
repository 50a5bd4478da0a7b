// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/settings.h"

#include "widgets/theme/fonts.h"

#include <algorithm>

namespace apertune::gui {
namespace {

constexpr int kRecent = 10;

} // namespace

Settings::Settings(QObject* parent)
    : QObject(parent),
      m_store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("apertune"), QStringLiteral("apertune-gui"))
{
}

Settings::Settings(const QString& file, QObject* parent) : QObject(parent), m_store(file, QSettings::IniFormat)
{
}

theme::Preference Settings::themePreference() const
{
    const QString value = m_store.value(QStringLiteral("appearance/theme")).toString();
    return value == QStringLiteral("dark")    ? theme::Preference::dark
           : value == QStringLiteral("light") ? theme::Preference::light
                                              : theme::Preference::system;
}

void Settings::setThemePreference(theme::Preference preference)
{
    m_store.setValue(QStringLiteral("appearance/theme"), preference == theme::Preference::dark ? QStringLiteral("dark")
                                                         : preference == theme::Preference::light
                                                             ? QStringLiteral("light")
                                                             : QStringLiteral("system"));
    Q_EMIT changed();
}

theme::Scheme Settings::lastSystemScheme(theme::Scheme fallback) const
{
    const QVariant value = m_store.value(QStringLiteral("appearance/systemDark"));
    if (!value.isValid())
        return fallback;
    return value.toBool() ? theme::Scheme::dark : theme::Scheme::light;
}

void Settings::setLastSystemScheme(theme::Scheme scheme)
{
    m_store.setValue(QStringLiteral("appearance/systemDark"), scheme == theme::Scheme::dark);
}

std::optional<theme::Contrast> Settings::contrast() const
{
    const QVariant more = m_store.value(QStringLiteral("appearance/moreContrast"));
    if (!more.isValid())
        return std::nullopt;
    return more.toBool() ? theme::Contrast::more : theme::Contrast::normal;
}

void Settings::setContrast(std::optional<theme::Contrast> contrast)
{
    if (contrast)
        m_store.setValue(QStringLiteral("appearance/moreContrast"), *contrast == theme::Contrast::more);
    else
        m_store.remove(QStringLiteral("appearance/moreContrast"));
    Q_EMIT changed();
}

int Settings::textSize() const
{
    return std::clamp(m_store.value(QStringLiteral("appearance/textSize"), theme::kDefaultTextSize).toInt(),
                      theme::kMinTextSize, theme::kMaxTextSize);
}

void Settings::setTextSize(int pixels)
{
    m_store.setValue(QStringLiteral("appearance/textSize"), pixels);
    Q_EMIT changed();
}

int Settings::defaultBudget() const
{
    return std::max(0, m_store.value(QStringLiteral("measuring/budgetSeconds"), kDefaultBudget).toInt());
}

void Settings::setDefaultBudget(int seconds)
{
    m_store.setValue(QStringLiteral("measuring/budgetSeconds"), seconds);
    Q_EMIT changed();
}

QStringList Settings::recentWorkspaces() const
{
    return m_store.value(QStringLiteral("files/recent")).toStringList();
}

void Settings::addRecentWorkspace(const QString& file)
{
    QStringList files = recentWorkspaces();
    files.removeAll(file);
    files.prepend(file);
    m_store.setValue(QStringLiteral("files/recent"), files.mid(0, kRecent));
    Q_EMIT changed();
}

QByteArray Settings::windowGeometry() const
{
    return m_store.value(QStringLiteral("window/geometry")).toByteArray();
}

void Settings::setWindowGeometry(const QByteArray& geometry)
{
    m_store.setValue(QStringLiteral("window/geometry"), geometry);
}

} // namespace apertune::gui
