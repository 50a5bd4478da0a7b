// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/trace_queries.h"

#include "core/base/text.h"

namespace apertune::advice::queries {

namespace {

std::string during(Interval window)
{
    return "start_ns >= " + std::to_string(window.start) + " AND start_ns < " + std::to_string(window.end);
}

std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("''") : std::string(1, c);
    return result + "'";
}

/// A condition on names; at most eight of them, so that the query stays readable.
std::string named(const std::vector<std::string>& names)
{
    std::vector<std::string> list;
    for (std::size_t i = 0; i < names.size() && i < 8; ++i)
        list.push_back(quoted(names[i]));
    return list.empty() ? "0" : "name IN (" + base::join(list) + ")";
}

std::string like(const std::vector<std::string>& patterns)
{
    std::vector<std::string> list;
    for (const std::string& pattern : patterns)
        list.push_back("name LIKE " + quoted(pattern));
    return "(" + base::join(list, " OR ") + ")";
}

std::string rows(const std::string& columns, const std::string& view, Interval window, const std::string& condition,
                 const std::string& order = "duration_ns DESC")
{
    return "SELECT start_ns, duration_ns, name" + (columns.empty() ? "" : ", " + columns) + " FROM " + view +
           " WHERE " + during(window) + (condition.empty() ? "" : " AND " + condition) + " ORDER BY " + order;
}

std::string onDevice(std::int64_t device)
{
    return "device = " + std::to_string(device);
}

std::string word(trace::CopyDirection direction)
{
    return direction == trace::CopyDirection::hostToDevice ? "'HtoD'" : "'DtoH'";
}

} // namespace

std::string deviceWork(std::int64_t device, Interval window)
{
    return rows("stream", "kernel", window, onDevice(device), "start_ns");
}

std::string tinyKernels(std::int64_t device, Interval window)
{
    return rows("stream", "kernel", window, onDevice(device) + " AND duration_ns < 10000", "start_ns");
}

std::string launches(Interval window)
{
    return rows("correlation", "runtime_call", window, like({"%Launch%"}));
}

std::string copies(trace::CopyDirection direction, Interval window)
{
    return rows("bytes, source, target, correlation", "copy", window, "direction = " + word(direction));
}

std::string pageableCopies(Interval window)
{
    return rows("bytes, direction, source, target", "copy", window, "(source = 'pageable' OR target = 'pageable')");
}

std::string waits(Interval window)
{
    return rows("thread", "runtime_call", window, like({"%Synchronize%"}));
}

std::string blockingCopies(Interval window)
{
    return rows("thread", "runtime_call", window, like({"%Memcpy%", "%Memset%"}) + " AND name NOT LIKE '%Async%'");
}

std::string allocationCalls(Interval window)
{
    return rows("thread", "runtime_call", window, like({"%Malloc%", "%Free%", "%HostAlloc%", "%MemAlloc%"}));
}

std::string kernelsNamed(const std::vector<std::string>& names, Interval window)
{
    return rows("stream", "kernel", window, named(names));
}

std::string operators(Interval window)
{
    return rows("input_shapes, thread", "operator_call", window, {}, "start_ns");
}

std::string operatorsNamed(const std::vector<std::string>& names, Interval window)
{
    return rows("input_shapes, thread", "operator_call", window, named(names));
}

std::string operatorsNamed(const std::string& part, Interval window)
{
    return rows("input_shapes, thread", "operator_call", window, like({"%" + part + "%"}));
}

std::string memory(std::int64_t device)
{
    return "SELECT start_ns, bytes, address, owner FROM tensor_memory WHERE " + onDevice(device) + " ORDER BY start_ns";
}

} // namespace apertune::advice::queries
