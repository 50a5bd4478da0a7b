// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace apertune::test {

/// Variables of this process's environment that have other values, or none, for the length of a test. Their values
/// before it come back. Whoever starts the tests may have set any variable.
class EnvironmentVariables
{
public:
    EnvironmentVariables() = default;
    EnvironmentVariables(const std::string& name, const std::optional<std::string>& value) { set(name, value); }
    ~EnvironmentVariables()
    {
        for (const auto& [name, value] : m_before)
            assign(name, value);
    }
    EnvironmentVariables(const EnvironmentVariables&) = delete;
    EnvironmentVariables& operator=(const EnvironmentVariables&) = delete;

    /// Without a value, the variable is removed.
    void set(const std::string& name, const std::optional<std::string>& value)
    {
        const char* before = std::getenv(name.c_str());
        m_before.emplace(name, before ? std::optional<std::string>(before) : std::nullopt);
        assign(name, value);
    }

private:
    static void assign(const std::string& name, const std::optional<std::string>& value)
    {
        value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }

    std::map<std::string, std::optional<std::string>> m_before;
};

} // namespace apertune::test
