// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_members.h"

#include <nlohmann/json.hpp>

namespace apertune::base {

std::string textMember(const Json& object, const char* member)
{
    const auto it = object.find(member);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::vector<std::string> textMembers(const Json& object, const char* member)
{
    std::vector<std::string> texts;
    if (const auto it = object.find(member); it != object.end() && it->is_array())
        for (const Json& entry : *it)
            if (entry.is_string())
                texts.push_back(entry.get<std::string>());
    return texts;
}

} // namespace apertune::base
