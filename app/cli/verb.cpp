// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"

#include "core/base/text.h"

namespace apertune::cli {

std::string titleOf(Group group)
{
    switch (group) {
    case Group::tune:
        return "Tune and decide";
    case Group::explain:
        return "Measure and explain a trial";
    case Group::manage:
        return "Manage models and results";
    case Group::shell:
        break;
    }
    return "Set up the shell";
}

std::string nameOf(const Verb& verb)
{
    return base::join(verb.path, " ");
}

const std::vector<Noun>& nouns()
{
    static const std::vector<Noun> kNouns{
        {"trace", "Record and explain traces of trials, and verify findings"},
        {"quality", "Measure the cost of int8, and find the layers to keep in float"},
        {"model", "Import, list, show and delete models"},
        {"study", "List and delete studies"},
        {"trial", "List trials and mark baselines"},
        {"device", "List devices and measure their limits"},
        {"workspace", "Inspect, query, check, copy and repair the workspace"},
    };
    return kNouns;
}

} // namespace apertune::cli
