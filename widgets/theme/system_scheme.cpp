// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/system_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
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

/// The portal wraps its value in one variant too many, depending on its version.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>()) {
        value = value.value<QDBusVariant>().variant();
    }
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
    bus.connect(service(), path(), interfaceName(), QStringLiteral("SettingChanged"), this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(service(), path(), interfaceName(), QStringLiteral("Read"));
    call << appearance() << colorScheme();
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, 200), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        Q_EMIT schemeFound(reply.isError() ? m_fallback : fromPortal(unwrapped(reply.value().variant()), m_fallback));
        watcher->deleteLater();
    });
}

void SystemScheme::onSettingChanged(const QString& space, const QString& key, const QDBusVariant& value)
{
    if (space == appearance() && key == colorScheme()) {
        Q_EMIT schemeFound(fromPortal(unwrapped(value.variant()), m_fallback));
    }
}

Scheme SystemScheme::fromPalette(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness()
               ? Scheme::dark
               : Scheme::light;
}

Scheme SystemScheme::fromPortal(const QVariant& value, Scheme fallback)
{
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
