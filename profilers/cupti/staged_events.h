// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace apertune::profilers {

/// Buffers the latest events of a series. A recording appends to many series in turn, whose columns are far apart in
/// memory. Here an event costs a few adjacent stores, and the columns get events in batches of kMost. Links to
/// operators are not staged, because they are known only at the end.
class StagedEvents
{
public:
    /// REQUIRES: `columns` outlive this object.
    explicit StagedEvents(trace::EventColumns& columns) : m_columns(columns) {}

    void append(const trace::Event& event)
    {
        const std::size_t i = m_count;
        m_start[i] = event.start.count;
        m_duration[i] = event.duration.count;
        m_name[i] = event.name.value;
        m_correlation[i] = event.correlation;
        m_detail[i] = event.detail;
        m_value[i] = event.value;
        m_address[i] = event.address;
        if (++m_count == kMost)
            flush();
    }

    /// Hands over the remaining events. The columns are complete when this returns.
    void flush()
    {
        const auto all = [n = m_count](const auto& column) { return std::span(column.data(), n); };
        const auto unlessZero = [&]<typename T>(const Column<T>& column) {
            T bits = 0;
            for (const T one : all(column))
                bits |= one;
            return all(column).first(bits != 0 ? m_count : 0);
        };
        m_columns.append({.start = all(m_start),
                          .duration = all(m_duration),
                          .name = all(m_name),
                          .correlation = unlessZero(m_correlation),
                          .detail = unlessZero(m_detail),
                          .value = unlessZero(m_value),
                          .address = unlessZero(m_address)});
        m_count = 0;
    }

    /// The columns, which are complete after flush().
    trace::EventColumns& columns() const { return m_columns; }

private:
    static constexpr std::size_t kMost = 64;

    template <typename T>
    using Column = std::array<T, kMost>;

    trace::EventColumns& m_columns;
    std::size_t m_count = 0;
    Column<std::int64_t> m_start;
    Column<std::int64_t> m_duration;
    Column<std::uint32_t> m_name;
    Column<std::uint32_t> m_correlation;
    Column<std::uint32_t> m_detail;
    Column<std::int64_t> m_value;
    Column<std::uint64_t> m_address;
};

} // namespace apertune::profilers
