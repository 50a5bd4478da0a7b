// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"

#include "core/base/escape.h"
#include "core/store/store.h"

namespace apertune::cli {

std::string storeOption(const Common& common)
{
    return common.store == store::defaultWorkspace() ? std::string()
                                                     : " --store " + base::shellQuoted(common.store.string());
}

} // namespace apertune::cli
