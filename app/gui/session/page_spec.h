// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyCombination>
#include <QString>

#include <string_view>
#include <vector>

class QWidget;

namespace apertune::gui {

class AppContext;
class Page;

/// A page, identified by the name that --page takes. The constants are for code that leads to a page.
class PageId
{
public:
    constexpr PageId() = default; ///< no page; signals need it
    constexpr explicit PageId(std::string_view name) : m_name(name) {}

    /// "trade-offs". The text lives as long as the program.
    constexpr std::string_view name() const { return m_name; }
    QString text() const;
    friend constexpr bool operator==(const PageId&, const PageId&) = default;

    static const PageId start;
    static const PageId model;
    static const PageId sweep;
    static const PageId live;
    static const PageId tradeoffs;
    static const PageId effects;
    static const PageId trend;
    static const PageId trial;
    static const PageId trace;
    static const PageId compare;
    static const PageId claims;
    static const PageId exportTrial;
    static const PageId settings;

private:
    std::string_view m_name;
};

inline constexpr PageId PageId::start{"start"};
inline constexpr PageId PageId::model{"model"};
inline constexpr PageId PageId::sweep{"sweep"};
inline constexpr PageId PageId::live{"live"};
inline constexpr PageId PageId::tradeoffs{"trade-offs"};
inline constexpr PageId PageId::effects{"effects"};
inline constexpr PageId PageId::trend{"trend"};
inline constexpr PageId PageId::trial{"trial"};
inline constexpr PageId PageId::trace{"trace"};
inline constexpr PageId PageId::compare{"compare"};
inline constexpr PageId PageId::claims{"claims"};
inline constexpr PageId PageId::exportTrial{"export"};
inline constexpr PageId PageId::settings{"settings"};

/// The facts about a page that the window needs before it is made. Each page defines its own in its source file.
struct PageSpec
{
    PageId id;
    const char* label; ///< text in the rail; a source text in the context "apertune::gui"
    const char* icon;  ///< name of a file in resources/icons
    QKeyCombination shortcut;
    Page* (*make)(AppContext& context, QWidget* parent);

    /// The label in the language of the window.
    QString shownLabel() const;
};

/// The pages in the order of the rail. The last one stands at its bottom.
using PageTable = std::vector<PageSpec>;

/// The page that --page names; hyphens may be left out. Null when there is none.
const PageSpec* findPage(const PageTable& pages, const QString& name);
/// REQUIRES: the table has the page.
const PageSpec& pageOf(const PageTable& pages, PageId id);

/// An implementation of PageSpec::make for a class.
template <typename Class>
Page* makePage(AppContext& context, QWidget* parent)
{
    return new Class(context, parent);
}

} // namespace apertune::gui
