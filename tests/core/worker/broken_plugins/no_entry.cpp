// SPDX-License-Identifier: GPL-3.0-or-later
// A shared library that is no backend at all.
extern "C" int nothing_to_see_here()
{
    return 0;
}
