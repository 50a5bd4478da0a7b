// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/sentences/sentences.h"

#include <string>
#include <vector>

namespace apertune::worker::testing {

inline std::vector<std::string> textsOf(const std::vector<base::Message>& messages)
{
    std::vector<std::string> sentences;
    for (const base::Message& message : messages)
        sentences.push_back(apertune::sentences::sentence(message));
    return sentences;
}

} // namespace apertune::worker::testing
