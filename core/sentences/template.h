// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace apertune::sentences {

/// The English text of one kind of message: a sentence, a clause behind a colon, a noun phrase or a label, never a
/// fragment that callers glue behind another text.
struct Template
{
    std::string_view id;
    const char* english; ///< contains the parameters of the message as placeholders: "{share} of the iteration"
};

} // namespace apertune::sentences
