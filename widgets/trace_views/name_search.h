// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_matches.h"

#include <QString>

#include <stop_token>
#include <string>

namespace apertune::trace_views {

/// Finds the events of a timeline by a pattern that a user typed:
///  - words and names in quotes, as timeline::findMatches() reads them;
///  - a regular expression between slashes, "/conv.*bf16/". It is found anywhere in a name and in any case.
///
/// An expression that patternProblem() names matches nothing. Returns nullptr when stopped. Any thread.
timeline::MatchesPtr findNames(const timeline::Timeline& timeline, const std::string& pattern,
                               std::stop_token stop = {});

/// Returns why the text between slashes is no regular expression; empty for all other patterns.
QString patternProblem(const QString& pattern);

} // namespace apertune::trace_views
