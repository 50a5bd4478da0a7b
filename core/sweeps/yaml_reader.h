// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::sweeps {

/// Size of the longest text that readYaml() takes.
inline constexpr std::size_t kMostYamlBytes = 256 << 10;

/// A value of a YAML document.
struct YamlNode
{
    enum class Kind { scalar, list, map };
    Kind kind = Kind::scalar;
    int line = 0;                     ///< first line of the value; that of the document is 1
    std::string text{};               ///< the value of a scalar
    bool plain = false;               ///< whether a scalar stands without quotes
    std::vector<YamlNode> children{}; ///< the values of a list; key, value, key, value, … for a map
};

/// Reads the only document of a YAML text. A JSON text is one, too, except that it may not write a character as two
/// escapes (\ud83d\ude00).
///
/// Sweep files are small and flat. What is far from it is refused before it is built:
///  - texts above kMostYamlBytes;
///  - more than 16 levels of lists and maps;
///  - anchors, aliases and tags;
///  - scalars with line feeds and other characters that base::printableLine() escapes.
///
/// Failures: invalidArgument with the line.
base::Result<YamlNode> readYaml(std::string_view text);

} // namespace apertune::sweeps
