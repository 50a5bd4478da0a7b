// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include "core/base/escape.h"
#include "core/base/number_text.h"

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
    return text(roundTripText(*value));
}

CsvLine& CsvLine::count(std::int64_t value)
{
    return text(std::to_string(value));
}

} // namespace apertune::base
