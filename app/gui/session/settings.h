// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QSettings>
#include <QStringList>

namespace apertune::gui {

/// The settings of the window, without any that belong to a workspace. A change is written at once. GUI thread.
class Settings : public QObject
{
    Q_OBJECT
public:
    /// Keeps the settings in the user's configuration folder.
    explicit Settings(QObject* parent = nullptr);
    /// Keeps the settings in the given file, for tests and --safe-mode. With an empty name nothing is kept.
    Settings(const QString& file, QObject* parent);

    theme::Preference themePreference() const;
    void setThemePreference(theme::Preference preference);

    /// The last scheme of the desktop, so that the next start begins in the right colours.
    theme::Scheme lastSystemScheme(theme::Scheme fallback) const;
    void setLastSystemScheme(theme::Scheme scheme);

    /// The chosen contrast; nullopt follows the desktop.
    std::optional<theme::Contrast> contrast() const;
    void setContrast(std::optional<theme::Contrast> contrast);

    int textSize() const;
    void setTextSize(int pixels);

    static constexpr int kDefaultBudget = 120;
    /// Measuring time of a new sweep, in seconds; 0: unlimited.
    int defaultBudget() const;
    void setDefaultBudget(int seconds);

    /// The workspace files that were opened last, newest first, at most ten.
    QStringList recentWorkspaces() const;
    void addRecentWorkspace(const QString& file);

    QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray& geometry);

Q_SIGNALS:
    void changed();

private:
    QSettings m_store;
};

} // namespace apertune::gui
