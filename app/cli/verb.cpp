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
        return "Measure and explain";
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
        {"trace", "Traces: recordings of trials, and what they explain"},
        {"quality", "Accuracy on labelled data, and the layers that cost it"},
        {"model", "Models of the workspace"},
        {"study", "Studies of the workspace"},
        {"shard", "Studies that several machines share: a cluster, or hosts by ssh"},
        {"trial", "Trials of a study, and baselines"},
        {"envelope", "Reference latencies of a class of machines"},
        {"platform", "Platforms that models run on, and what was measured there"},
        {"device", "Devices of this machine, and their limits"},
        {"engine", "Inference engines: which there are, adding and removing them"},
        {"workspace", "The workspace file itself"},
    };
    return kNouns;
}

} // namespace apertune::cli
