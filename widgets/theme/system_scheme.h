// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QDBusVariant>
#include <QObject>
#include <QPalette>
#include <QVariant>

namespace apertune::theme {

/// Asks the desktop portal for its colour scheme and contrast, and follows their changes. It is asynchronous, but
/// connecting to the bus blocks, so call start() after the first paint. If there is no portal, or no answer within 200
/// ms, the palette that the application started with decides. GUI thread.
class SystemScheme : public QObject
{
    Q_OBJECT
public:
    explicit SystemScheme(const QPalette& startPalette, QObject* parent = nullptr);

    void start();

    /// Returns dark for a palette whose window is darker than its text.
    static Scheme fromPalette(const QPalette& palette);
    /// Converts the portal's value: 1 is dark, 2 is light, anything else is no preference (`fallback`).
    static Scheme fromPortal(const QVariant& value, Scheme fallback);
    /// Converts the portal's value: 1 is more contrast, anything else no preference.
    static Contrast contrastFromPortal(const QVariant& value);

Q_SIGNALS:
    void schemeFound(apertune::theme::Scheme scheme);
    /// Emitted only where the desktop reports a contrast.
    void contrastFound(apertune::theme::Contrast contrast);

private Q_SLOTS:
    void onSettingChanged(const QString& space, const QString& key, const QDBusVariant& value);

private:
    Scheme m_fallback;
};

} // namespace apertune::theme
