// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/rules_option.h"
#include "app/cli/trace_reading.h"
#include "app/cli/verb.h"
#include "core/advice/documents.h"
#include "core/base/escape.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/report/counter_section.h"
#include "core/report/trace_sections.h"
#include "core/report/trace_sections_text.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace apertune::cli {

using base::Json;

namespace {

struct TraceReport
{
    std::string trace;
    std::vector<std::string> sections; ///< empty: all sections
    std::string rules;                 ///< file of thresholds; empty: the defaults
    int rows = 20;
};

/// The sentence of a message. Names of kernels and operators come from the recording and may hold line breaks.
std::string oneLine(const base::Message& message)
{
    return base::printableLine(sentences::sentence(message));
}

std::string knobText(const advice::Knob& knob)
{
    const std::string text = oneLine(knob.text);
    // The change itself comes first: a recording of another program has none of Apertune's switches.
    return knob.switchName.empty() ? text
                                   : text + " (Switch: " + knob.switchName + "=" + (knob.value ? "on" : "off") + ")";
}

std::string gainText(const advice::Finding& f)
{
    if (f.shareOf == advice::ShareOf::time)
        return (f.correction ? "predicted gain " : "gain ") + base::formatPercent(f.gain.lo) + " to " +
               base::formatPercent(f.gain.hi);
    const bool memory = f.shareOf == advice::ShareOf::memory;
    return memory && f.gain.hi > 0 ? "frees up to " + base::formatPercent(f.gain.hi) + " of the memory"
           : memory                ? "concerns " + base::formatPercent(f.share) + " of the memory"
                                   : "no gain: it shows how far to trust the numbers";
}

std::string trackText(const advice::Correction& c)
{
    return oneLine(advice::trackMessage(c)) + " Expect " + base::formatPercent(c.gain.lo) + " to " +
           base::formatPercent(c.gain.hi) + ".";
}

/// The change of a finding that is part of another one, unless that one asks for the same.
std::string furtherChange(const advice::Finding& part, const std::vector<advice::Finding>& findings)
{
    return advice::isFurtherChange(part, findings) ? " Or: " + knobText(part.knob) : std::string();
}

std::string verdictText(const advice::FindingReport& j, int width)
{
    const advice::Verdict& v = j.verdict;
    std::string text = text::wrap(oneLine(v.sentence), width, 0) + "\n\n";
    if (!v.parts.empty()) {
        text::TextTable bar({{"Cause"}, {"Share", text::TextTable::Align::right}, {""}});
        for (const advice::CauseShare& part : v.parts) {
            const auto cells = static_cast<std::size_t>(std::max(0.0, part.share * 40 + 0.5));
            std::string blocks;
            for (std::size_t i = 0; i < cells; ++i)
                blocks += "█";
            std::string cause(toString(part.cause));
            std::replace(cause.begin(), cause.end(), '_', ' ');
            bar.addRow({std::move(cause), base::formatPercent(part.share), blocks});
        }
        text += bar.render(width) + "\n";
    }
    for (const advice::Knob& knob : v.knobs)
        text += text::wrap("To do: " + knobText(knob), width, 4) + "\n";
    if (v.kind != advice::VerdictKind::abstained)
        for (const base::Message& need : v.needs)
            text += text::wrap("Note: " + oneLine(need), width, 6) + "\n";
    for (const advice::Finding& f : j.findings) {
        if (f.isPart()) {
            text += "     " +
                    text::wrap("Same cause: " + f.rule + "  " + oneLine(f.title) + ": " + oneLine(f.text) +
                                   furtherChange(f, j.findings),
                               width > 5 ? width - 5 : width, 5) +
                    "\n";
            continue;
        }
        text += "\n" +
                text::wrap(f.rule + "  " + std::string(toString(severityOf(f))) + "  " + oneLine(f.title) + ": " +
                               oneLine(f.text),
                           width, 5) +
                "\n";
        text += "     " + gainText(f) + " (" + std::string(toString(f.confidence)) + ")";
        if (f.evidence.range.length() > 0)
            text += ", for example at " +
                    base::formatSignificant(static_cast<double>(f.evidence.range.start) * 1e-6, 6) + " ms for " +
                    base::formatSignificant(static_cast<double>(f.evidence.range.length()) * 1e-6, 4) + " ms";
        text += "\n     " + text::wrap(knobText(f.knob), width > 5 ? width - 5 : width, 5) + "\n";
        if (f.correction)
            text += "     " + text::wrap(trackText(*f.correction), width > 5 ? width - 5 : width, 5) + "\n";
    }
    const auto has = [&j](advice::Confidence confidence) {
        return std::any_of(j.findings.begin(), j.findings.end(), [confidence](const advice::Finding& f) {
            return !f.isPart() && f.confidence == confidence;
        });
    };
    // Only words that stand in the findings above are explained.
    std::string legend;
    if (has(advice::Confidence::trace))
        legend += " (trace): on recorded times alone.";
    if (has(advice::Confidence::estimate))
        legend += " (estimate): also on what names, shapes or sizes suggest.";
    if (!legend.empty())
        text += "\n" + text::wrap("Basis of a gain:" + legend, width, 0) + "\n";
    std::string unknown;
    for (const advice::UnevaluatedRules& unevaluated : advice::unevaluatedRules(j)) {
        std::vector<std::string> titles;
        for (const advice::RuleResult* rule : unevaluated.rules)
            titles.push_back(sentences::sentence(rule->title));
        unknown +=
            text::wrap("Not evaluated: " + base::join(titles, "; ") + ". " + oneLine(unevaluated.need), width, 5) +
            "\n";
    }
    return unknown.empty() ? text : text + "\n" + unknown;
}

struct Section
{
    const char* name;
    const char* title;
    Json (*document)(const report::TraceAnalyses&);
    std::string (*text)(const report::TraceAnalyses&, std::size_t rows, int width);
};

const std::vector<Section>& sections()
{
    using A = report::TraceAnalyses;
    static const std::vector<Section> kSections{
        {"iterations", "Iterations", report::iterationsDocument, report::iterationsText},
        {"idle", "Busy and idle", report::idleDocument,
         [](const A& a, std::size_t, int width) { return report::idleText(a, width); }},
        {"kernels", "Kernels", report::kernelsDocument, report::kernelsText},
        {"operators", "Operators", report::operatorsDocument, report::operatorsText},
        {"transfers", "Transfers", report::transfersDocument, report::transfersText},
        {"collectives", "Collectives", report::collectivesDocument, report::collectivesText},
        {"launches", "Launches", report::launchesDocument,
         [](const A& a, std::size_t, int width) { return report::launchesText(a, width); }},
        {"memory", "Memory", report::memoryDocument, report::memoryText},
        {"counters", "Counters", report::countersDocument, report::countersText},
        {"roofline", "Roofline", report::rooflineDocument, report::rooflineText},
    };
    return kSections;
}

int run(const TraceReport& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto thresholds = thresholdsOf(options.rules);
    if (!thresholds)
        return terminal.fail(thresholds.error());
    const auto loaded = openTrace(options.trace, session);
    if (!loaded)
        return terminal.fail(loaded.error());
    const trace::Trace& trace = *loaded->trace;
    const auto wanted = [&options](const std::string& name) {
        return options.sections.empty() ||
               std::find(options.sections.begin(), options.sections.end(), name) != options.sections.end();
    };
    advice::Context context = loaded->context;
    context.thresholds = *thresholds;
    const advice::Facts facts(trace, std::move(context));
    Json document = {{"schema", "apertune.trace-report/1"},
                     {"trace", loaded->name},
                     {"name", trace.name},
                     {"source", trace.source},
                     {"events", trace.eventCount()},
                     {"duration_ms", (trace.end() - trace.begin()).milliseconds()}};
    std::string text = loaded->name + (trace.name.empty() || trace.name == loaded->name ? "" : "  " + trace.name) +
                       ", " + base::counted(trace.eventCount(), "event") + " in " +
                       base::formatDuration(trace.end() - trace.begin()) + "\n";
    document["cost"] = report::costDocument(trace.cost);
    if (trace.cost)
        text += text::wrap(report::costText(*trace.cost), terminal.width(), 0) + "\n";
    Json losses = Json::array();
    std::string notices;
    for (const trace::Loss& loss : trace.losses) {
        losses.push_back({{"kind", trace::toString(loss.kind)},
                          {"count", loss.count},
                          {"reason", sentences::sentence(loss.reason)}});
        // Losses that are only worth a notice stand below the results.
        std::string& place = loss.severity == trace::LossSeverity::notice ? notices : text;
        place += text::wrap("Missing: " + sentences::sentence(loss.reason) +
                                (loss.count > 0 ? " (" + std::to_string(loss.count) + ")" : ""),
                            terminal.width(), 0) +
                 "\n";
    }
    document["losses"] = losses;
    const bool tables = options.sections.empty() || options.sections.size() > 1 || !wanted("verdict");
    advice::FindingReport findingReport;
    std::optional<report::TraceAnalyses> analyses;
    base::runInParallel({[&] {
                             if (tables)
                                 analyses.emplace(facts.index, facts.forest, facts.iterations, facts.context.ceilings);
                         },
                         [&] {
                             if (wanted("verdict"))
                                 findingReport = advice::reportFindings(facts);
                         }});
    if (wanted("verdict")) {
        document["verdict"] = advice::verdictDocument(findingReport.verdict);
        document["findings"] = advice::findingsDocument(findingReport.findings);
        document["rules"] = advice::rulesDocument(findingReport.rules);
        document["thresholds"] = advice::changedThresholdsDocument(*thresholds);
        text += "\n" + verdictText(findingReport, terminal.width());
        if (const std::string changed = advice::changedThresholdsText(*thresholds); !changed.empty())
            text += "\n" + text::wrap(changed, terminal.width(), 0) + "\n";
    }
    if (analyses && wanted("verdict") && facts.iterations.found())
        text +=
            text::wrap(std::string("\nThe tables below cover the whole recording, the verdict and its findings the ") +
                           (facts.iterations.marked() ? "steady iterations." : "repeated sections."),
                       terminal.width(), 0) +
            "\n";
    if (analyses) {
        for (const Section& section : sections()) {
            if (!wanted(section.name))
                continue;
            if (terminal.json()) {
                document[section.name] = section.document(*analyses);
                continue;
            }
            const std::string part = section.text(*analyses, static_cast<std::size_t>(options.rows), terminal.width());
            if (!part.empty())
                text += "\n" + std::string(section.title) + "\n" + part;
            else if (!options.sections.empty())
                text += "\n" + std::string(section.title) + ": " +
                        (section.name == std::string_view("collectives") && facts.use.communication > 0
                             ? "the recording does not hold their sizes and types; kernels shows their times.\n"
                             : "nothing of that sort was recorded.\n");
        }
    }
    terminal.document(document);
    terminal.text(notices.empty() ? text : text + "\n" + notices);
    return kDone;
}

std::vector<std::string> sectionNames()
{
    std::vector<std::string> names{"verdict"};
    for (const Section& section : sections())
        names.emplace_back(section.name);
    return names;
}

Action declareTraceReport(CLI::App& app)
{
    auto options = std::make_shared<TraceReport>();
    addArgument(app, "TRACE", options->trace,
                "Trace (tr3, last) or a file of the PyTorch profiler, nsys, rocprofv3 or Perfetto");
    app.add_option("--section", options->sections, "Sections to show (default: all): " + base::join(sectionNames()))
        ->type_name("LIST")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check([](const std::string& text) {
            const std::vector<std::string> known = sectionNames();
            if (std::find(known.begin(), known.end(), text) == known.end())
                throw UsageError(invalidValue("--section", text, known));
            return std::string();
        });
    addRulesFile(app, options->rules);
    addCount(app, "--rows", options->rows, "Largest number of rows in a table, without --json (default: 20)");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceReportVerb()
{
    return {.path = {"trace", "report"},
            .group = Group::explain,
            .summary = "Explain why a trace is slow: verdict, findings and tables",
            .examples = R"(  apertune trace report last
  apertune trace report recording.json.gz --section kernels --rows 50
  apertune trace report tr3 --section verdict,idle --json
  apertune trace report tr3 --rules my_rules.json)",
            .takes = Takes::workspace,
            .declare = declareTraceReport};
}

} // namespace apertune::cli
