// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace apertune::sentences {

/// The English text of one kind of message.
struct Template
{
    std::string_view id;
    const char* english; ///< contains the parameters of the message as placeholders: "of {memory}"
};

} // namespace apertune::sentences
