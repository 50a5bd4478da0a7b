// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/search_space.h"

#include "core/base/enum_words.h"

namespace apertune::model {

namespace {

constexpr base::EnumWords<SearchAlgorithm, 5> kNames{{{SearchAlgorithm::grid, "grid"},
                                                      {SearchAlgorithm::random, "random"},
                                                      {SearchAlgorithm::halving, "halving"},
                                                      {SearchAlgorithm::racing, "racing"},
                                                      {SearchAlgorithm::bisect, "bisect"}}};

} // namespace

std::string_view toString(SearchAlgorithm algorithm)
{
    return base::wordOf(kNames, algorithm, "?");
}

std::optional<SearchAlgorithm> searchAlgorithmFromString(std::string_view text)
{
    return base::valueOf(kNames, text);
}

} // namespace apertune::model
