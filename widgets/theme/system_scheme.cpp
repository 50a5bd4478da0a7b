// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/system_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace apertune::theme {
namespace {

QString service()
{
    return QStringLiteral("org.freedesktop.portal.Desktop");
}
QString path()
{
    return QStringLiteral("/org/freedesktop/portal/desktop");
}
QString interfaceName()
{
    return QStringLiteral("org.freedesktop.portal.Settings");
}
QString appearance()
{
    return QStringLiteral("org.freedesktop.appearance");
}
QString colorScheme()
{
    return QStringLiteral("color-scheme");
}

QString contrastKey()
{
    return QStringLiteral("contrast");
}

/// Asks for one value without waiting for the answer.
QDBusPendingCall readSetting(QDBusConnection& bus, const QString& key)
{
    QDBusMessage call = QDBusMessage::createMethodCall(service(), path(), interfaceName(), QStringLiteral("Read"));
    call << appearance() << key;
    // The window does not wait longer than 200 ms for a portal that does not answer.
    return bus.asyncCall(call, 200);
}

/// Some versions of the portal wrap the value in one variant too many. This removes the wrapping.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

SystemScheme::SystemScheme(const QPalette& startPalette, QObject* parent)
    : QObject(parent), m_fallback(fromPalette(startPalette))
{
}

void SystemScheme::start()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        Q_EMIT schemeFound(m_fallback);
        return;
    }
    // Connected before the first question, so that no change is missed in between.
    bus.connect(service(), path(), interfaceName(), QStringLiteral("SettingChanged"), this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
    auto* watcher = new QDBusPendingCallWatcher(readSetting(bus, colorScheme()), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        Q_EMIT schemeFound(reply.isError() ? m_fallback : fromPortal(unwrapped(reply.value().variant()), m_fallback));
        watcher->deleteLater();
    });
    auto* contrast = new QDBusPendingCallWatcher(readSetting(bus, contrastKey()), this);
    connect(contrast, &QDBusPendingCallWatcher::finished, this, [this, contrast] {
        const QDBusPendingReply<QDBusVariant> reply = *contrast;
        if (!reply.isError())
            Q_EMIT contrastFound(contrastFromPortal(unwrapped(reply.value().variant())));
        contrast->deleteLater();
    });
}

void SystemScheme::onSettingChanged(const QString& space, const QString& key, const QDBusVariant& value)
{
    if (space == appearance() && key == colorScheme())
        Q_EMIT schemeFound(fromPortal(unwrapped(value.variant()), m_fallback));
    else if (space == appearance() && key == contrastKey())
        Q_EMIT contrastFound(contrastFromPortal(unwrapped(value.variant())));
}

Scheme SystemScheme::fromPalette(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness()
               ? Scheme::dark
               : Scheme::light;
}

Contrast SystemScheme::contrastFromPortal(const QVariant& value)
{
    return value.toUInt() == 1 ? Contrast::more : Contrast::normal;
}

Scheme SystemScheme::fromPortal(const QVariant& value, Scheme fallback)
{
    // Values of the portal: 0 no preference, 1 dark, 2 light.
    switch (value.toUInt()) {
    case 1:
        return Scheme::dark;
    case 2:
        return Scheme::light;
    default:
        return fallback;
    }
}

} // namespace apertune::theme
