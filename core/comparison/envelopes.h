// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/comparison/trend.h"
#include "core/model/study.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::comparison {

/// The latencies that a configuration has on machines of one class, from trials that were measured there.
/// resources/envelopes/envelopes.json has those that are shipped; `apertune envelope add` makes more.
struct Envelope
{
    std::string machine; ///< model::machineClass()
    std::string model;   ///< ModelRef::source, or its name where it has none
    std::string device;  ///< "cpu", "cuda:0"
    model::Config config;
    double loNs = 0; ///< least lower end of the trials' intervals
    double hiNs = 0; ///< largest upper end
    std::size_t trials = 0;
    // The origin of the row.
    std::string engine;   ///< version of the engine of the newest trial
    std::string apertune; ///< version that measured the newest trial
    std::string firstUtc; ///< end of the oldest trial
    std::string lastUtc;  ///< end of the newest trial
};

inline constexpr std::size_t kEnvelopeTrials = 3; ///< fewest undisturbed trials that make an envelope

/// Returns the envelopes that come with Apertune. Thread-safe.
const std::vector<Envelope>& shippedEnvelopes();

/// Returns the envelopes of a file such as envelopes.json; nullopt when it is no such file.
std::optional<std::vector<Envelope>> envelopesFromText(std::string_view text);
/// Returns that file's text.
std::string envelopesText(std::span<const Envelope> envelopes);

/// Makes the envelope of a trial's configuration from its history. Busy trials and trials without an interval are left
/// out; a clock that is held down is normal on some classes. Returns nullopt when fewer than kEnvelopeTrials are left.
std::optional<Envelope> envelopeOf(const Trend& trend, const model::StudySnapshot& snapshot, const model::Trial& trial);

/// Adds an envelope, in place of the one of the same configuration and class of machine.
void putEnvelope(std::vector<Envelope>& envelopes, Envelope envelope);

/// Returns the envelope of a trial's model, configuration and class of machine; nullptr when there is none.
const Envelope* envelopeFor(std::span<const Envelope> envelopes, const model::StudySnapshot& snapshot,
                            const model::Trial& trial);

/// A measured trial beside its envelope.
enum class EnvelopeVerdict {
    inside,
    slower,
    faster,
    cannotTell ///< the interval of the latency contains an end of the envelope, or there is no interval
};

/// Returns the word of documents: "inside", "slower", "faster", "cannot_tell".
std::string_view toString(EnvelopeVerdict verdict);

EnvelopeVerdict envelopeVerdict(const Envelope& envelope, const model::Interval& latencyNs);

/// Returns an envelope as a row of that file.
base::Json envelopeJson(const Envelope& envelope);

/// Returns "Normal for this class (AMD EPYC 9B45, 8 cores): 41–55 ms; this trial: 78 ± 1 ms, slower. From 6 trials …".
std::string envelopeSentence(const Envelope& envelope, const model::Interval& latencyNs);

} // namespace apertune::comparison
