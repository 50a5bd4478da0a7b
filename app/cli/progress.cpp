// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"

#include <algorithm>

namespace apertune::cli {

using base::Nanoseconds;

namespace {

std::string configurationText(const study::StudyEvent& event)
{
    return event.trial->device + " " + event.configuration;
}

} // namespace

std::string counterText(int done, int total)
{
    const std::string all = std::to_string(total);
    const std::string now = std::to_string(done);
    return "[" + std::string(all.size() > now.size() ? all.size() - now.size() : 0, ' ') + now + "/" + all + "]";
}

std::string liveText(const LiveLine& line, Nanoseconds now)
{
    const auto remaining = [&](Nanoseconds eta) { return elapsedText(std::max(Nanoseconds{}, line.at + eta - now)); };
    const std::string low = remaining(line.etaLow);
    const std::string high = remaining(line.etaHigh);
    return line.counter + " " + elapsedText(now - line.begin) + ", about " + (low == high ? low : low + " – " + high) +
           " left" + (line.configuration.empty() ? std::string() : "  " + line.configuration);
}

std::string finishedText(const study::StudyEvent& event)
{
    const model::Trial& trial = *event.trial;
    std::string text = configurationText(event) + ": ";
    if (trial.state != model::TrialState::ok)
        return text + std::string(model::toString(trial.state)) + ", " + text::reasonText(trial);
    text += text::formatPlusMinus(trial.measurement.latencyNs, 1e-6) + " ms";
    if (!trial.measurement.flags.empty())
        text += " (" + base::join(model::toStrings(trial.measurement.flags)) + ")";
    return text;
}

Progress::Progress(Terminal& terminal) : m_terminal(terminal), m_begin(base::monotonicNow())
{
}

void Progress::operator()(const study::StudyEvent& event)
{
    using Kind = study::StudyEvent::Kind;
    const std::string counter = counterText(event.done, event.total);
    const auto live = [&](const std::string& configuration) {
        const Nanoseconds none{};
        m_terminal.liveStatus(
            [line = LiveLine{counter, configuration, m_begin, base::monotonicNow(), event.etaLow.value_or(none),
                             event.etaHigh.value_or(none)}](Nanoseconds now) { return liveText(line, now); });
    };
    switch (event.kind) {
    case Kind::message:
        reportLeftOut();
        m_terminal.note(sentences::sentence(event.message));
        break;
    case Kind::studyStarted:
        m_terminal.note("Study " + text::toText(event.study) + ": " + std::to_string(event.total) + " configurations");
        break;
    case Kind::trialStarted:
    case Kind::trialPhase:
        if (event.trial)
            live(configurationText(event) + (event.phase ? "  " + std::string(toString(*event.phase)) : std::string()));
        break;
    case Kind::trialFinished:
        if (!event.trial)
            break;
        finished(counter, event);
        live({});
        break;
    case Kind::studyFinished:
        reportLeftOut();
        m_terminal.status({});
        break;
    }
}

void Progress::finished(const std::string& counter, const study::StudyEvent& event)
{
    const model::Trial& trial = *event.trial;
    const std::string reason = trial.state == model::TrialState::pruned ? text::reasonText(trial) : std::string();
    // Hundreds of configurations may be pruned for one reason.
    if (!reason.empty() && reason == m_reason) {
        m_counter = counter;
        ++m_leftOut;
        return;
    }
    reportLeftOut();
    m_terminal.note(counter + " " + finishedText(event));
    m_reason = reason;
}

void Progress::reportLeftOut()
{
    if (m_leftOut > 0)
        m_terminal.note(m_counter + " and " + std::to_string(m_leftOut) + " more: " + m_reason);
    m_leftOut = 0;
    m_reason.clear();
}

} // namespace apertune::cli
