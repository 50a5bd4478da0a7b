// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"

#include <array>
#include <compare>
#include <string>

namespace apertune::model {

/// One setting of a configuration: an axis that every engine has, or a switch. A value; may be copied between threads.
class Setting
{
public:
    enum class Kind { engine, level, precision, batch, threads, toggle }; ///< toggle: a switch
    static constexpr std::array kAxes{Kind::engine, Kind::level, Kind::precision, Kind::batch, Kind::threads};

    /// REQUIRES: `axis` is not toggle.
    explicit Setting(Kind axis);
    /// Returns the setting of this name: that of an axis ("engine", "level", "precision", "batch", "threads"), else of
    /// the switch.
    static Setting fromName(const std::string& name);

    Kind kind() const { return m_kind; }
    /// The name on the command line and in documents.
    std::string name() const;
    /// The value that a configuration has, as it stands in documents: "libtorch", "O2", "bf16", "8", "on".
    std::string valueIn(const Config& config) const;

    friend auto operator<=>(const Setting&, const Setting&) = default;

private:
    Setting(Kind kind, std::string toggle);

    Kind m_kind;
    std::string m_toggle; ///< name of the switch; empty for an axis
};

} // namespace apertune::model
