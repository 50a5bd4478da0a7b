// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QSettings>
#include <QStringList>

namespace apertune::gui {

/// What the window remembers between runs; nothing that belongs to a workspace. Written through at once. GUI thread.
class Settings : public QObject
{
    Q_OBJECT
public:
    /// In the user's configuration folder.
    explicit Settings(QObject* parent = nullptr);
    /// In a file of one's own, for tests and for --safe-mode (an empty name keeps nothing).
    Settings(const QString& file, QObject* parent);

    theme::Preference themePreference() const;
    void setThemePreference(theme::Preference preference);

    /// What the desktop said last, so that the next start begins in the right colours.
    theme::Scheme lastSystemScheme(theme::Scheme fallback) const;
    void setLastSystemScheme(theme::Scheme scheme);

    /// nullopt: as the desktop has it.
    std::optional<theme::Contrast> contrast() const;
    void setContrast(std::optional<theme::Contrast> contrast);

    int textSize() const;
    void setTextSize(int pixels);

    /// Measuring time of a new sweep, in seconds; 0: unlimited.
    int defaultBudget() const;
    void setDefaultBudget(int seconds);

    /// Workspace files opened lately, newest first, at most ten.
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
