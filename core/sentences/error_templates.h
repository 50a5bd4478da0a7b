// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sentences/template.h"

#include <span>

namespace apertune::sentences {

/// The templates of what errors.h of the modules lists: failures, and what to do about them. Private to this folder.
std::span<const Template> errorTemplates();

} // namespace apertune::sentences
