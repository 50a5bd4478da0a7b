// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/search_space.h"

#include <array>
#include <utility>

namespace apertune::model {

namespace {

constexpr std::array<std::pair<SearchAlgorithm, std::string_view>, 5> kNames{{{SearchAlgorithm::grid, "grid"},
                                                                              {SearchAlgorithm::random, "random"},
                                                                              {SearchAlgorithm::halving, "halving"},
                                                                              {SearchAlgorithm::racing, "racing"},
                                                                              {SearchAlgorithm::bisect, "bisect"}}};

} // namespace

std::string_view toString(SearchAlgorithm algorithm)
{
    for (const auto& [value, name] : kNames)
        if (value == algorithm)
            return name;
    return "?";
}

std::optional<SearchAlgorithm> searchAlgorithmFromString(std::string_view text)
{
    for (const auto& [value, name] : kNames)
        if (name == text)
            return value;
    return std::nullopt;
}

} // namespace apertune::model
