// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/experiment.h"

#include "core/base/enum_words.h"
#include "core/base/text.h"
#include "core/model/ceilings.h"

#include <algorithm>
#include <vector>

namespace apertune::model {

namespace {

constexpr base::EnumWords<VerificationOutcome, 5> kOutcomes{{{VerificationOutcome::cannotTell, "cannot tell"},
                                                             {VerificationOutcome::proved, "proved"},
                                                             {VerificationOutcome::refuted, "refuted"},
                                                             {VerificationOutcome::notInEffect, "not in effect"},
                                                             {VerificationOutcome::notRun, "not run"}}};

} // namespace

std::string_view toString(VerificationOutcome outcome)
{
    return base::wordOf(kOutcomes, outcome);
}

VerificationOutcome verificationOutcomeFromString(std::string_view text)
{
    return base::valueOf(kOutcomes, text).value_or(VerificationOutcome::notRun);
}

std::string machineClass(const Device& device)
{
    // The key of ceilings tells apart GPUs of one kind, which are of one class.
    return device.type.isCpu() ? ceilingKey(device) : device.name;
}

std::string machineClass(const Environment& environment)
{
    std::vector<std::string> classes;
    for (const Device& device : environment.devices)
        if (const std::string own = machineClass(device);
            std::find(classes.begin(), classes.end(), own) == classes.end())
            classes.push_back(own);
    return base::join(classes, " + ");
}

} // namespace apertune::model
