// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"

#include "core/store/store.h"

namespace apertune::cli {

std::string storeOption(const Common& common)
{
    return store::storeOption(common.store);
}

} // namespace apertune::cli
