// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/setting.h"

#include "core/base/enum_words.h"

#include <utility>

namespace apertune::model {

namespace {

constexpr base::EnumWords<Setting::Kind, 5> kAxisWords{{{Setting::Kind::engine, "engine"},
                                                        {Setting::Kind::level, "level"},
                                                        {Setting::Kind::precision, "precision"},
                                                        {Setting::Kind::batch, "batch"},
                                                        {Setting::Kind::threads, "threads"}}};

} // namespace

Setting::Setting(Kind axis) : m_kind(axis)
{
}

Setting::Setting(Kind kind, std::string toggle) : m_kind(kind), m_toggle(std::move(toggle))
{
}

Setting Setting::fromName(const std::string& name)
{
    const auto axis = base::valueOf(kAxisWords, name);
    return axis ? Setting(*axis) : Setting(Kind::toggle, name);
}

std::string Setting::name() const
{
    return m_kind == Kind::toggle ? m_toggle : std::string(base::wordOf(kAxisWords, m_kind));
}

std::string Setting::valueIn(const Config& config) const
{
    switch (m_kind) {
    case Kind::engine:
        return config.backend;
    case Kind::level:
        return std::string(toString(config.level));
    case Kind::precision:
        return std::string(toString(config.precision));
    case Kind::batch:
        return std::to_string(config.batch);
    case Kind::threads:
        return std::to_string(config.threads);
    case Kind::toggle:
        break;
    }
    return config.isOn(m_toggle) ? "on" : "off";
}

} // namespace apertune::model
