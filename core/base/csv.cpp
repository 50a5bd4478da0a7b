// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include "core/base/escape.h"

#include <array>
#include <charconv>
#include <cmath>

namespace apertune::base {

CsvLine& CsvLine::text(std::string_view value)
{
    if (m_hasFields)
        m_text += ',';
    m_hasFields = true;
    m_text += csvField(value);
    return *this;
}

CsvLine& CsvLine::number(std::optional<double> value)
{
    if (!value || !std::isfinite(*value))
        return empty();
    // The shortest form of a double has at most 24 characters.
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *value).ptr;
    return text({buffer.data(), end});
}

CsvLine& CsvLine::count(std::int64_t value)
{
    return text(std::to_string(value));
}

} // namespace apertune::base
