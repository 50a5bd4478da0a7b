// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/workload/stages/pipeline_plan.h"

#include <deque>
#include <optional>
#include <vector>

namespace apertune::workload {

/// When a stage worked on an image, or on the batch it was in.
struct StageSpan
{
    base::Nanoseconds begin{};
    base::Nanoseconds end{};
    base::Nanoseconds length() const { return end - begin; }
};

/// An image on its way, and at last what became of it. Times count from the begin of the run.
struct Trip
{
    std::int64_t image = 0;  ///< counts up
    int slot = 0;            ///< its place in the memory that images are prepared in, 0 … slots − 1
    std::int64_t pass = -1;  ///< which pass it was in
    int inPass = 0;          ///< how many images that pass had
    base::Nanoseconds due{}; ///< when it was there to be decoded
    std::array<StageSpan, kStageCount> stages{};

    StageSpan& operator[](Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
    const StageSpan& operator[](Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }

    base::Nanoseconds end() const { return (*this)[Stage::postprocess].end; }
    base::Nanoseconds latency() const { return end() - due; }
    // Waits: for a decoding thread, for the batch and the device, for the thread that answers.
    base::Nanoseconds waitedToBegin() const { return (*this)[Stage::decode].begin - due; }
    base::Nanoseconds waitedForBatch() const { return (*this)[Stage::copyIn].begin - (*this)[Stage::preprocess].end; }
    base::Nanoseconds waitedToAnswer() const
    {
        return (*this)[Stage::postprocess].begin - (*this)[Stage::copyBack].end;
    }
    /// The latency less all stages and waits: what happened between two stages of one server.
    base::Nanoseconds unaccounted() const;
};

/// Who does what next: the plan as a state machine. It starts nothing and has no clock: the threads of a run (runner.h)
/// and tests with a clock of their own ask it. One caller at a time.
///
/// Admission: an image is there when it is due (rate), or always; it begins when a slot is free. Its slot is free again
/// when it was copied to the device; without prefetch, when the device's answer is there.
/// Batches: those that are prepared wait in the order in which they became so. A pass begins when `queueBatch` wait, or
/// the oldest has waited for queueWait, or nothing that could join it will come any more; but not while kMostAnswers
/// full batches of answers wait for postprocessing, so that a slow end holds the begin back instead of filling memory.
class Flow
{
public:
    static constexpr std::size_t kMostAnswers = 2;

    /// REQUIRES: check(plan, batch)
    Flow(const PipelinePlan& plan, int batch);

    /// The next image to decode, if there is one now. Its `due` is set.
    std::optional<Trip> admit(base::Nanoseconds now);
    /// REQUIRES: decode and preprocess of the trip are noted.
    void prepared(Trip trip);

    /// The images of the next pass, if it is to begin now. Empty: not yet.
    std::vector<Trip> batch(base::Nanoseconds now);
    void copied(const std::vector<Trip>& batch);
    /// REQUIRES: copy, infer and copy back are noted.
    void inferred(const std::vector<Trip>& batch);

    /// The next image to postprocess, if there is one.
    std::optional<Trip> answer();
    /// REQUIRES: postprocess is noted.
    void finished(Trip trip);

    /// No further image is admitted.
    void close() { m_open = false; }
    /// Whether everything that was admitted has its answer and nothing more comes.
    bool drained() const { return !m_open && m_underWay == 0; }
    bool open() const { return m_open; }
    /// Nothing more will come to decode.
    bool admittedAll() const { return !m_open; }
    /// Nothing more will come to the device.
    bool inferredAll() const { return !m_open && m_preparing == 0 && m_ready.empty(); }

    /// The next time at which admit() or batch() may answer otherwise though nothing happens; none: only what happens
    /// changes anything.
    std::optional<base::Nanoseconds> wakeAt(base::Nanoseconds now) const;

    const std::vector<Trip>& trips() const { return m_done; } ///< finished, in order of finishing

private:
    void drawArrival();

    PipelinePlan m_plan;
    std::size_t m_full;
    base::Random m_random;
    double m_arrival = 0; ///< seconds; of the next image, with a rate
    bool m_open = true;
    std::int64_t m_nextImage = 0;
    std::int64_t m_nextPass = 0;
    std::int64_t m_preparing = 0; ///< admitted, not prepared
    std::int64_t m_underWay = 0;  ///< admitted, not finished
    std::vector<int> m_free;      ///< slots; the one that was freed last is warm
    std::deque<Trip> m_ready;
    std::deque<Trip> m_answers;
    std::vector<Trip> m_done;
};

} // namespace apertune::workload
