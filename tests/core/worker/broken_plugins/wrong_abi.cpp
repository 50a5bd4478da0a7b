// SPDX-License-Identifier: GPL-3.0-or-later
// A backend of some other version: the worker must refuse it before it calls anything.
#include "plugins/api/apertune_plugin.h"

const apertune_plugin* apertune_plugin_entry(void)
{
    static const apertune_plugin table = [] {
        apertune_plugin t{};
        t.abi_version = APERTUNE_PLUGIN_ABI_VERSION + 1;
        t.struct_size = sizeof t;
        return t;
    }();
    return &table;
}
