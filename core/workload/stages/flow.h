// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/workload/stages/pipeline_plan.h"

#include <deque>
#include <optional>
#include <vector>

namespace apertune::workload {

/// The time in which a stage worked on an image, or on the batch of the image.
struct StageSpan
{
    base::Nanoseconds begin{};
    base::Nanoseconds end{};
    base::Nanoseconds length() const { return end - begin; }
};

/// One image on its way through the stages. Times count from the beginning of the run.
struct PipelineItem
{
    std::int64_t image = 0;  ///< the number of the image, from 0
    int slot = 0;            ///< the place in the memory that images are prepared in: 0 … slots − 1
    std::int64_t pass = -1;  ///< the number of its pass; -1 before it has one
    int inPass = 0;          ///< the number of images in that pass
    base::Nanoseconds due{}; ///< the time from which it could be decoded
    std::array<StageSpan, kStageCount> stages{};

    StageSpan& operator[](Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
    const StageSpan& operator[](Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }

    base::Nanoseconds end() const { return (*this)[Stage::postprocess].end; }
    base::Nanoseconds latency() const { return end() - due; }
    // Waiting times: for a decoding thread, for the batch and the device, for the postprocessing thread.
    base::Nanoseconds waitedToBegin() const { return (*this)[Stage::decode].begin - due; }
    base::Nanoseconds waitedForBatch() const { return (*this)[Stage::copyIn].begin - (*this)[Stage::preprocess].end; }
    base::Nanoseconds waitedToAnswer() const
    {
        return (*this)[Stage::postprocess].begin - (*this)[Stage::copyBack].end;
    }
    /// The latency minus all stages and waits: the time between two stages of one server.
    base::Nanoseconds unaccounted() const;
};

/// Decides which stage works on which image next: a state machine that executes a plan. It starts no thread and reads
/// no clock. The threads of a run (stage_runner.h), or a test with its own clock, call it.
/// Thread rule: one caller at a time.
///
/// Admission:
/// - With a rate, an image is due at its arrival time; without one, at once.
/// - It is admitted when it is due and a slot is free.
/// - Its slot becomes free after the copy to the device; without prefetch, after the device's answer.
///
/// Batches:
/// - Prepared images wait in the order in which they became ready.
/// - A pass begins when `queueBatch` images wait, when the oldest has waited for `queueWait`, or when no other can
///   come.
/// - No pass begins while kMostWaitingBatches full batches wait for postprocessing. So slow postprocessing delays the
///   admission of images instead of filling memory.
class Flow
{
public:
    static constexpr std::size_t kMostWaitingBatches = 2;

    /// REQUIRES: check(plan, batch) succeeds.
    Flow(const PipelinePlan& plan, int batch);

    /// Returns the next image to decode, with `due` set; nullopt when none can begin now.
    std::optional<PipelineItem> admit(base::Nanoseconds now);
    /// REQUIRES: the times of decode and preprocess are set.
    void prepared(PipelineItem item);

    /// Returns the images of the next pass; empty when no pass may begin now.
    std::vector<PipelineItem> batch(base::Nanoseconds now);
    /// REQUIRES: the time of copyIn is set.
    void copied(const std::vector<PipelineItem>& batch);
    /// REQUIRES: the times of copyIn, infer and copyBack are set.
    void inferred(const std::vector<PipelineItem>& batch);

    /// Returns the next image to postprocess; nullopt when none waits.
    std::optional<PipelineItem> answer();
    /// REQUIRES: the time of postprocess is set.
    void finished(PipelineItem item);

    /// Stops the admission of images.
    void close() { m_open = false; }
    /// True when admission has ended and every admitted image is postprocessed.
    bool drained() const { return !m_open && m_inFlight == 0; }
    bool open() const { return m_open; }
    /// True when no more images will be decoded.
    bool admittedAll() const { return !m_open; }
    /// True when no more images will reach the device.
    bool inferredAll() const { return !m_open && m_preparing == 0 && m_ready.empty(); }

    /// Returns the next time at which the result of admit() or batch() may change although nothing else happens;
    /// nullopt when only an event can change it.
    std::optional<base::Nanoseconds> wakeAt(base::Nanoseconds now) const;

    /// Returns the finished images, in the order in which they finished.
    const std::vector<PipelineItem>& items() const { return m_done; }

private:
    void drawArrival();

    PipelinePlan m_plan;
    std::size_t m_full;
    base::Random m_random;
    double m_arrival = 0; ///< arrival of the next image in seconds; used with a rate
    bool m_open = true;
    std::int64_t m_nextImage = 0;
    std::int64_t m_nextPass = 0;
    std::int64_t m_preparing = 0; ///< images admitted but not yet prepared
    std::int64_t m_inFlight = 0;  ///< images admitted but not yet finished
    std::vector<int> m_free;      ///< free slots; the last one was freed last and is still in the cache
    std::deque<PipelineItem> m_ready;
    std::deque<PipelineItem> m_answers;
    std::vector<PipelineItem> m_done;
};

} // namespace apertune::workload
