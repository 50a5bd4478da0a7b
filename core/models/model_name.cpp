// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_name.h"

#include "core/models/errors.h"

#include <cctype>
#include <cstddef>
#include <filesystem>

namespace apertune::models {

using base::Error;
using base::ErrorCode;

std::string sanitizedName(const std::string& text)
{
    constexpr std::size_t kLongestName = 100;
    std::string name;
    for (const char c : text.substr(0, kLongestName)) {
        const auto letter = static_cast<unsigned char>(c);
        const bool plain = (letter < 128 && std::isalnum(letter)) || c == '.' || c == '_' || c == '-';
        name += plain ? c : '_';
    }
    // A leading dot would hide the folder, a leading dash would read as an option.
    const auto first = name.find_first_not_of(".-");
    name = first == std::string::npos ? std::string() : name.substr(first);
    return name.empty() ? "model" : name;
}

base::Status checkName(const std::string& name)
{
    if (name == sanitizedName(name))
        return {};
    return Error{ErrorCode::invalidArgument,
                 base::message<errors::kNoName>(name),
                 {},
                 base::message<errors::kNameLetters>(sanitizedName(name))};
}

std::string defaultName(const std::string& source)
{
    const std::filesystem::path path(source);
    if (path.extension() == ".pt" || path.extension() == ".pth" || path.extension() == ".ts" ||
        source.find(':') == std::string::npos)
        return sanitizedName(path.stem().string());
    return sanitizedName(source.substr(source.rfind(':') + 1));
}

} // namespace apertune::models
