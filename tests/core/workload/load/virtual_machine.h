// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/load/serving.h"

#include <algorithm>

namespace apertune::workload::testing {

inline base::Nanoseconds ms(double value)
{
    return base::fromMilliseconds(value);
}

/// A clock of its own, and passes that take exactly `service`.
class VirtualMachine final : public Machine
{
public:
    explicit VirtualMachine(base::Nanoseconds service) : m_service(service) {}

    base::Nanoseconds now() override { return m_now; }
    bool waitUntil(base::Nanoseconds time) override
    {
        m_now = std::max(m_now, time);
        return true;
    }
    base::Status pass() override
    {
        ++passes;
        if (passes == failAt)
            return base::plainError(base::ErrorCode::modelThrew, "The model threw.");
        m_now += m_service;
        return {};
    }

    int passes = 0;
    int failAt = 0;

private:
    base::Nanoseconds m_service;
    base::Nanoseconds m_now{};
};

} // namespace apertune::workload::testing
