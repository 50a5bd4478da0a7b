// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace_views/name_search.h"

#include <QRegularExpression>

#include <optional>
#include <string_view>
#include <utility>

namespace apertune::trace_views {

namespace {

/// The expression of a pattern between slashes; nullopt for other patterns.
std::optional<QRegularExpression> expressionOf(const QString& pattern)
{
    const QChar slash = QLatin1Char('/');
    if (pattern.size() < 3 || !pattern.startsWith(slash) || !pattern.endsWith(slash))
        return std::nullopt;
    return QRegularExpression(pattern.mid(1, pattern.size() - 2), QRegularExpression::CaseInsensitiveOption);
}

} // namespace

timeline::MatchesPtr findNames(const timeline::Timeline& timeline, const std::string& pattern, std::stop_token stop)
{
    const auto expression = expressionOf(QString::fromStdString(pattern));
    if (!expression)
        return timeline::findMatches(timeline, pattern, std::move(stop));
    const auto test = [&expression](std::string_view name) {
        return expression->isValid() &&
               expression->match(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))).hasMatch();
    };
    return timeline::findMatches(timeline, pattern, test, std::move(stop));
}

QString patternProblem(const QString& pattern)
{
    const auto expression = expressionOf(pattern);
    return expression && !expression->isValid() ? expression->errorString() : QString();
}

} // namespace apertune::trace_views
