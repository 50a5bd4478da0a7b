// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/row_reader.h"

#include "core/store/errors.h"
#include "core/store/failure.h"

namespace apertune::store {

std::optional<double> RowReader::optionalReal()
{
    const double value = real();
    return m_statement.isNull(m_at - 1) ? std::nullopt : std::optional(value);
}

std::optional<std::int64_t> RowReader::optionalInteger()
{
    const std::int64_t value = integer();
    return m_statement.isNull(m_at - 1) ? std::nullopt : std::optional(value);
}

void RowReader::failUnknownValue(std::int64_t value)
{
    fail({base::ErrorCode::corrupt,
          base::message<errors::kUnknownValue>(value),
          {},
          base::message<errors::kUpdateOrRestore>()});
}

} // namespace apertune::store
