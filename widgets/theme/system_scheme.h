// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QDBusVariant>
#include <QObject>
#include <QPalette>
#include <QVariant>

namespace apertune::theme {

/// Asks the desktop portal for its colour scheme and contrast and follows their changes. Asynchronous: nothing waits
/// for the bus longer than the call that connects to it, so start it after the first paint. No answer within 200 ms, or
/// no portal: the palette that the application started with decides. GUI thread.
class SystemScheme : public QObject
{
    Q_OBJECT
public:
    explicit SystemScheme(const QPalette& startPalette, QObject* parent = nullptr);

    void start();

    /// A palette whose window is darker than its text is dark.
    static Scheme fromPalette(const QPalette& palette);
    /// The portal's value: 1 dark, 2 light, anything else no preference (`fallback`).
    static Scheme fromPortal(const QVariant& value, Scheme fallback);
    /// The portal's value: 1 more, anything else no preference.
    static Contrast contrastFromPortal(const QVariant& value);

Q_SIGNALS:
    void schemeFound(apertune::theme::Scheme scheme);
    /// Only where the desktop tells.
    void contrastFound(apertune::theme::Contrast contrast);

private Q_SLOTS:
    void onSettingChanged(const QString& space, const QString& key, const QDBusVariant& value);

private:
    Scheme m_fallback;
};

} // namespace apertune::theme
