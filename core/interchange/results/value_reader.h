// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/interchange/results/foreign_result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apertune::interchange::results {

// What the readers of the formats share. Private to this folder.

/// Adds the remarks on values of a result that contradict each other.
void remarkContradictions(ForeignResult& result);

/// Reads numbers that a tool wrote as text. What cannot be read becomes a remark of the result.
class ValueReader
{
public:
    /// REQUIRES: `result` outlives this object.
    ValueReader(std::string tool, ForeignResult& result) : m_tool(std::move(tool)), m_result(result) {}

    /// A number ≥ 0. An empty text is no value, and no remark.
    std::optional<double> number(std::string_view name, std::string_view text);
    /// A time in nanoseconds, see timeOf().
    std::optional<double> time(std::string_view name, std::string_view text, double nsPerUnit);
    /// The refusal of a number with a comma; nullopt when there was none.
    const std::optional<base::Error>& refusal() const { return m_refusal; }

private:
    std::optional<double> read(std::string_view name, std::string_view text);

    std::string m_tool;
    ForeignResult& m_result;
    std::optional<base::Error> m_refusal;
};

/// Returns the number that the whole text is; nullopt for other texts, NaN and infinity.
std::optional<double> numberOf(std::string_view text);

/// Returns a time above 0 in nanoseconds; nullopt when there is no number or it is no such time.
std::optional<double> timeOf(std::optional<double> number, double nsPerUnit);

/// Returns a batch or a number of passes in flight; 0 for a number that can be neither.
int countOf(std::optional<double> number);

inline constexpr double kSecond = 1e9;
inline constexpr double kMillisecond = 1e6;
inline constexpr double kMicrosecond = 1e3;

} // namespace apertune::interchange::results
