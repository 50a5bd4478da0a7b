// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace apertune::sentences {

/// The English text of one kind of message.
struct Template
{
    std::string_view id;
    const char* english; ///< contains the parameters of the message as placeholders: "of {memory}"
};

/// Returns all templates; every id occurs once. Thread rule: may be called from any thread.
std::span<const Template> templates();

/// The templates of what errors.h of the modules lists: failures, and what to do about them. Private to this folder.
std::span<const Template> errorTemplates();

} // namespace apertune::sentences
