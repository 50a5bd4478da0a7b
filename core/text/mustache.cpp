// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/mustache.h"

#include "core/base/escape.h"

#include <kainjow/mustache.hpp>
#include <nlohmann/json.hpp>

namespace apertune::text {

namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

data dataOf(const base::Json& value)
{
    switch (value.type()) {
    case base::Json::value_t::object: {
        data object(data::type::object);
        for (const auto& [name, member] : value.items())
            object[name] = dataOf(member);
        return object;
    }
    case base::Json::value_t::array: {
        data list(data::type::list);
        for (const base::Json& element : value)
            list << dataOf(element);
        return list;
    }
    case base::Json::value_t::string:
        return value.get_ref<const std::string&>();
    case base::Json::value_t::boolean:
        return value.get<bool>();
    case base::Json::value_t::null:
        return false;
    default:
        return value.dump();
    }
}

} // namespace

std::string filled(std::string_view text, const base::Json& values, Escape escape, Partials partials)
{
    data all = dataOf(values);
    for (const auto& [name, partial] : partials)
        all[std::string(name)] = data(std::string(partial));
    mustache parsed{std::string(text)};
    if (escape == Escape::none)
        parsed.set_custom_escape([](const std::string& value) { return value; });
    else
        parsed.set_custom_escape(
            [](const std::string& value) { return kainjow::mustache::html_escape(base::printable(value)); });
    return parsed.render(all);
}

} // namespace apertune::text
