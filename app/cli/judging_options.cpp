// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb_options.h"
#include "core/base/text.h"

namespace apertune::cli {

using base::Result;

std::vector<Verb> declareEvaluationVerbs(CLI::App& app)
{
    constexpr const char* kTrial = "t12, 12, best, or STUDY:best";
    std::vector<Verb> verbs;
    auto [accuracy, accuracyOptions] = declare<EvaluateAccuracy>(
        app, "accuracy", "Judge a trial on labelled pictures: top-1 and top-5, mIoU or mAP, beside the float model",
        "  apertune accuracy t12 --data val                       a folder of pictures a class\n"
        "  apertune accuracy best --data instances_val2017.json --limit 500");
    addTrustOption(*accuracy, accuracyOptions->common);
    accuracy->add_option("TRIAL", accuracyOptions->trial, kTrial)->type_name("")->required();
    accuracy
        ->add_option("--data", accuracyOptions->data,
                     "Folders named by class numbers, or all classes by name; or COCO's JSON beside its pictures")
        ->type_name("DIR|JSON")
        ->required();
    accuracy->add_option("--limit", accuracyOptions->limit, "At most so many pictures, spread evenly (default: all)")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000'000));
    verbs.push_back(simpleVerb(accuracy, accuracyOptions));

    auto [sensitivity, sensitivityOptions] = declare<EvaluateSensitivity>(
        app, "sensitivity", "Which layers of an int8 trial cost the accuracy, the costliest first",
        "  apertune sensitivity t12            judged once, then kept in the workspace\n"
        "  apertune sensitivity t12 --refresh");
    addTrustOption(*sensitivity, sensitivityOptions->common);
    sensitivity->add_option("TRIAL", sensitivityOptions->trial, kTrial)->type_name("")->required();
    sensitivity->add_flag("--refresh", sensitivityOptions->refresh, "Judge again");
    verbs.push_back(simpleVerb(sensitivity, sensitivityOptions));

    auto [mixedPrecision, mixedPrecisionOptions] = declare<SearchMixedPrecision>(
        app, "mix", "Find the fastest mix of int8 and float layers that keeps the quality bound",
        "  apertune mix t12                    exit code 0 found, 1 none\n"
        "  apertune mix t12 --min-quality 0.995 --budget 5m");
    addTrustOption(*mixedPrecision, mixedPrecisionOptions->common);
    mixedPrecision->add_option("TRIAL", mixedPrecisionOptions->trial, std::string(kTrial) + ": an int8 trial")
        ->type_name("")
        ->required();
    auto budget = std::make_shared<std::string>();
    mixedPrecision->add_option("--budget", *budget, "Measuring time (default: 3m); converting is not counted")
        ->type_name("TIME");
    auto least = std::make_shared<std::string>();
    mixedPrecision->add_option("--min-quality", *least, "Cosine to the float outputs (default: the study's)")
        ->type_name("COSINE");
    verbs.push_back({mixedPrecision, [options = mixedPrecisionOptions, budget, least]() -> Result<Invocation> {
                         if (!budget->empty()) {
                             const auto time = base::parseDuration("--budget", *budget);
                             if (!time)
                                 return time.error();
                             options->mixedPrecision.budget = *time;
                         }
                         if (!least->empty()) {
                             model::Goal goal;
                             if (const auto set = model::setMinQuality(goal, "--min-quality", *least); !set)
                                 return set.error();
                             options->mixedPrecision.minQuality = goal.minQuality;
                         }
                         return Invocation(*options);
                     }});
    return verbs;
}

} // namespace apertune::cli
