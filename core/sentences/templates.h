// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sentences/template.h"

#include <span>

namespace apertune::sentences {

/// Returns all templates; every id occurs once. Thread rule: may be called from any thread.
std::span<const Template> templates();

} // namespace apertune::sentences
