// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/page_spec.h"

#include "app/gui/presenters/translate.h"

#include <algorithm>

namespace apertune::gui {

QString PageId::text() const
{
    return QString::fromLatin1(m_name.data(), static_cast<qsizetype>(m_name.size()));
}

QString PageSpec::shownLabel() const
{
    return tr(label);
}

const PageSpec* findPage(const PageTable& pages, const QString& name)
{
    const auto plain = [](QString text) { return text.remove(QLatin1Char('-')); };
    const auto found = std::find_if(pages.begin(), pages.end(), [&](const PageSpec& page) {
        const QString known = page.id.text();
        return name == known || name == plain(known);
    });
    return found == pages.end() ? nullptr : &*found;
}

const PageSpec& pageOf(const PageTable& pages, PageId id)
{
    return *std::find_if(pages.begin(), pages.end(), [id](const PageSpec& page) { return page.id == id; });
}

} // namespace apertune::gui
