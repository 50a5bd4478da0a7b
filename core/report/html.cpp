// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"

#include "core/report/documents.h"
#include "core/report/format.h"
#include "core/report/html_parts.h"

#include <export_templates.h>

#include <set>

namespace apertune::report {

namespace {

std::string panel(const std::string& title, const std::string& body)
{
    return body.empty() ? std::string() : "<section class=\"panel\"><h2>" + title + "</h2>\n" + body + "</section>\n";
}

std::string subtitle(const model::StudySnapshot& snapshot)
{
    std::size_t measured = 0;
    std::set<std::string> devices;
    for (const model::Trial& trial : snapshot.trials) {
        measured += trial.state == model::TrialState::ok ? 1u : 0u;
        devices.insert(trial.device);
    }
    std::string text = std::to_string(measured) + " of " + std::to_string(snapshot.trials.size()) + " cells measured";
    for (const std::string& id : devices) {
        const model::Device* device = snapshot.device(id);
        text += " · " + (device && !device->name.empty() ? device->name : id);
    }
    text += " · " + snapshot.study.environment.host + " · " + snapshot.study.createdUtc;
    if (snapshot.study.state != model::StudyState::finished)
        text += " · " + std::string(model::toString(snapshot.study.state));
    return text;
}

std::string pipelineSections(const model::StudySnapshot& snapshot,
                             const std::vector<std::pair<model::TrialId, PipelineRun>>& pipelines)
{
    const ConfigurationNames names(snapshot);
    std::string body;
    for (const auto& [id, run] : pipelines)
        if (const model::Trial* trial = snapshot.find(id))
            body += pipelineHtml(run, names.longName(*trial));
    return body;
}

} // namespace

std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text)
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += c;
        }
    return out;
}

std::string_view pageStyle()
{
    return templates::kReportCss;
}

std::string htmlReport(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front,
                       const std::vector<std::pair<model::TrialId, PipelineRun>>& pipelines,
                       const std::vector<std::pair<model::TrialId, model::Accuracy>>& judged)
{
    const std::string title = escaped(snapshot.study.name.empty() ? snapshot.study.model.name : snapshot.study.name);
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                      "http-equiv=\"Content-Security-Policy\" "
                      "content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action "
                      "'none'\">\n<meta name=\"viewport\" "
                      "content=\"width=device-width, initial-scale=1\">\n<title>" +
                      title + "</title>\n<style>\n" + std::string(pageStyle()) +
                      "</style>\n</head>\n<body>\n<main>\n<h1>" + title + "</h1>\n<p class=\"sub\">" +
                      escaped(subtitle(snapshot)) + "</p>\n<p class=\"sentence\">" +
                      escaped(recommendationSentence(snapshot)) + "</p>\n";
    for (const std::string& loss : losses(snapshot))
        out += "<p class=\"sentence\">" + escaped(loss) + "</p>\n";
    out += panel("From image to answer", pipelineSections(snapshot, pipelines));
    out += keyFigures(snapshot);
    out += panel(model::tradeoffAxis(snapshot.study.goal).across == model::Objective::memory
                     ? "Trade-off: throughput against peak memory"
                     : "Trade-off: throughput against latency",
                 tradeOffPlot(snapshot, front));
    out += panel("Throughput by configuration and batch, samples/s", throughputMatrix(snapshot));
    out += panel("Measured", trialTable(snapshot));
    out += panel("Accuracy on labelled pictures", accuracyTable(snapshot, judged));
    out += panel("Not measured, and why", unmeasuredList(snapshot));
    out += panel("Requested but not in effect", notInEffectList(snapshot));
    out += panel("Surroundings", environmentTable(snapshot));
    out += panel("How it was measured", methodText(snapshot));
    if (!snapshot.study.commandLine.empty())
        out += panel("Repeat it", "<pre>" + escaped(snapshot.study.commandLine) + "</pre>\n");
    return out + "<footer>Written by Apertune " + escaped(snapshot.study.environment.apertune) + ", study " +
           escaped(snapshot.study.uuid) + ".</footer>\n</main>\n</body>\n</html>\n";
}

} // namespace apertune::report
