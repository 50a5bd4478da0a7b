// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/rules_option.h"
#include "app/cli/verb.h"
#include "core/advice/documents.h"
#include "core/advice/rule_info.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct Rules
{
    std::string rule; ///< empty: all rules
    std::string file; ///< has the thresholds; empty: they are the defaults
};

/// "busy = 0.7 (default 0.8): fires while the device is busy for less of the time".
std::string thresholdText(const advice::ThresholdInfo& info, double value)
{
    const bool plain =
        info.unit != advice::ThresholdUnit::microseconds && info.unit != advice::ThresholdUnit::mebibytes;
    std::string text = std::string(info.name) + " = " + advice::valueText(value);
    if (!plain)
        text += " " + std::string(toString(info.unit));
    if (value != info.standard)
        text += " (default " + advice::valueText(info.standard) + ")";
    return text + ": fires " + std::string(info.meaning);
}

std::string ruleText(const advice::RuleInfo& info, const advice::Thresholds& thresholds, int width)
{
    constexpr int kIndent = 5;
    const int inner = width > kIndent ? width - kIndent : width;
    std::string text = std::string(info.id) + " (" + std::string(info.alias) + ")  " +
                       sentences::sentence(base::message(*info.title)) + "\n";
    const auto line = [&](const std::string& what) {
        text += std::string(kIndent, ' ') + text::wrap(what, inner, kIndent) + "\n";
    };
    line("Needs: " + sentences::sentence(base::message(*info.needs)));
    line("Change: " + sentences::sentence(base::message(*info.change)));
    for (const advice::ThresholdInfo& threshold : advice::thresholdTable())
        if (threshold.rule == info.id)
            line(thresholdText(threshold, thresholds.of(threshold.id)));
    return text;
}

int run(const Rules& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const advice::RuleInfo* const chosen = options.rule.empty() ? nullptr : advice::findRule(options.rule);
    const auto thresholds = thresholdsOf(options.file);
    if (!thresholds)
        return terminal.fail(thresholds.error());
    base::Json document = advice::ruleListDocument(*thresholds);
    if (chosen)
        std::erase_if(document["rules"].get_ref<base::Json::array_t&>(),
                      [&](const base::Json& rule) { return rule["rule"].get<std::string>() != chosen->id; });
    terminal.document(document);
    std::string text;
    for (const advice::Subject subject : {advice::Subject::trace, advice::Subject::study}) {
        if (!chosen)
            text += std::string(text.empty() ? "" : "\n") + "Rules over a " + std::string(toString(subject)) + "\n";
        for (const advice::RuleInfo& info : advice::ruleCatalogue())
            if (info.subject == subject && (!chosen || chosen == &info))
                text += (chosen ? "" : "\n") + ruleText(info, *thresholds, terminal.width());
    }
    terminal.text(text);
    return kDone;
}

Action declareRules(CLI::App& app)
{
    auto options = std::make_shared<Rules>();
    app.add_option("RULE", options->rule, "Rule by its name or number (default: all)")
        ->type_name("")
        ->check([](const std::string& text) {
            std::vector<std::string> known;
            for (const advice::RuleInfo& info : advice::ruleCatalogue())
                known.emplace_back(info.id);
            if (!advice::findRule(text))
                throw UsageError(invalidValue("RULE", text, known));
            return std::string();
        });
    addRulesFile(app, options->file);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb rulesVerb()
{
    return {
        .path = {"rules"},
        .group = Group::explain,
        .summary = "List the rules of advice with their thresholds",
        .examples = R"(  apertune rules
  apertune rules unfused-batchnorm
  apertune rules --rules my_rules.json  checks a file of thresholds)",
        .takes = Takes::json,
        .documents = {{"apertune.rules/1",
                       "`rules` (`rule`, `alias`, `of`: `trace` or `study`, `title`, `needs`, `change`, "
                       "`thresholds`: `name`, `value`, `default`, `unit`: `share`, `ratio`, `count`, `us` or `MiB`, "
                       "`lowest`, `highest`, `fires`). A file for --rules has the thresholds that differ: "
                       "`{\"rules\": {\"device-idle\": {\"busy\": 0.7}}}`"}},
        .declare = declareRules};
}

} // namespace apertune::cli
