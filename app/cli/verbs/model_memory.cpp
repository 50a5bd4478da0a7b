// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/importing.h"
#include "app/cli/memory_sheet.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/study_run.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "core/engine/workbench.h"

#include <nlohmann/json.hpp>

#include <functional>

namespace apertune::cli {

namespace {

/// Batches that --probe measures by default: far enough apart for a line, and small enough for any device.
constexpr const char* kProbedBatches = "1,8";

struct ModelMemory
{
    std::string model;
    std::string backends;
    study::MemoryQuestion question;
    std::vector<int> probed{}; ///< batches to measure first
};

/// The sweep that measures the batches of --probe of each engine and precision.
study::StudyRequest probes(const model::ModelRef& model, const study::MemoryQuestion& question,
                           const std::vector<int>& batches, const std::string& commandLine)
{
    study::StudyRequest request;
    request.model = model;
    request.purpose = model::StudyPurpose::memory;
    request.commandLine = commandLine;
    if (!question.backends.empty())
        request.space.backends = question.backends;
    request.space.devices = question.devices;
    request.space.levels = {model::OptLevel::o2};
    request.space.precisions = question.precisions.empty() ? std::vector{model::Precision::fp32} : question.precisions;
    // A fixed batch of 1 leaves nothing to choose.
    if (model.dynamicBatch)
        request.space.batches = batches;
    // A grid measures each batch, which is what the estimate needs.
    request.space.search = model::SearchAlgorithm::grid;
    request.budget = {}; // limitsOfProbes() bounds each batch.
    return request;
}

/// Nothing but the peaks counts: no confirmation, no reference in turns, no wait for a quiet machine.
worker::RunLimits limitsOfProbes()
{
    worker::RunLimits limits;
    limits.trialMost = limits.trialLeast;
    limits.confirmMost = {};
    limits.noisePairs = 0;
    limits.driftReadingEvery = 0;
    limits.interferencePairs = 0;
    limits.quietShare = 0;
    return limits;
}

int run(const ModelMemory& options, Session& session)
{
    // Estimates need no workspace to write to, so a read-only one suffices.
    auto opened = engine::Workbench::open(session.common.store, store::OpenMode::readOnly);
    if (!opened)
        opened = engine::Workbench::open(session.common.store);
    if (!opened)
        return session.terminal.fail(opened.error());
    engine::Workbench& workbench = **opened;
    study::MemoryQuestion question = options.question;
    question.backends = base::splitList(options.backends);
    model::SearchSpace space;
    space.devices = question.devices;
    if (!question.backends.empty())
        space.backends = question.backends;
    // The space is checked before anything is imported.
    if (const auto possible = workbench.checkSpace(space); !possible)
        return session.terminal.fail(possible.error());
    const auto known = workbench.models().resolveKnown(options.model);
    if (!known)
        return session.terminal.fail(known.error());
    // An import or a measurement needs to write.
    if (!*known || !options.probed.empty())
        if (const auto writable = workbench.openForWriting(); !writable)
            return session.terminal.fail(writable.error());
    const auto model =
        *known ? base::Result<model::ModelRef>(**known)
               : workbench.models().resolve(options.model, importObserver(session.terminal), session.interrupt.token());
    if (!model)
        return session.terminal.fail(model.error());
    if (!options.probed.empty()) {
        const auto runner = workbench.makeRunner();
        runner->setLimits(limitsOfProbes());
        Progress progress(session.terminal);
        const auto outcome = runner->run(probes(*model, question, options.probed, session.repeatLine),
                                         std::ref(progress), session.interrupt.token());
        const auto measured = studyRunOf(outcome, *runner, workbench);
        if (!measured)
            return session.terminal.fail(measured.error());
        if (measured->interrupted)
            return kInterrupted;
    }
    const auto forecasts = workbench.makeRunner()->memory(*model, question);
    if (!forecasts)
        return session.terminal.fail(forecasts.error());
    session.terminal.document(
        {{"schema", "apertune.memory-estimate/1"}, {"model", model->name}, {"estimates", memoryDocument(*forecasts)}});
    session.terminal.text("Peak memory of " + model->name + ", estimated\n\n" +
                          memorySheet(*forecasts, session.terminal.width()));
    // No engine offers that precision there, which is an answer and no failure.
    if (forecasts->empty())
        session.terminal.note("No engine here runs that precision on that device; `apertune device list` has both.");
    return forecasts->empty() ? kNoResult : kDone;
}

/// Batch sizes, but not "auto": an estimate is of named batches.
base::Result<std::vector<int>> parseNumbers(const std::string& text)
{
    auto batches = parseBatches(text);
    if (batches && *batches == std::vector{model::SearchSpace::kAutoBatch})
        return base::plainError(base::ErrorCode::invalidArgument, "An estimate is of named batches, and auto is none.",
                                {}, "Name them, for example 1,16,256; `apertune tune --dry-run` plans automatic ones.");
    return batches;
}

Action declareModelMemory(CLI::App& app)
{
    auto options = std::make_shared<ModelMemory>();
    study::MemoryQuestion& question = options->question;
    addArgument(app, "MODEL", options->model, "Model of the workspace, or a source as of `apertune model import`");
    addParsed(app, "--batches", question.batches, "Batch sizes (default: 1, 2, 4, … 64, and measured ones)",
              parseNumbers)
        ->type_name("LIST");
    addParsed(app, "--precisions", question.precisions, "Precisions (default: fp32 and measured ones)", parsePrecisions)
        ->type_name("LIST");
    addParsed(app, "--image-sizes", question.imageSizes, "Image sizes in pixels of a side (default: the model's own)",
              parseImageSizes)
        ->type_name("LIST");
    addParsed(app, "--devices", question.devices, "Devices (default: the fastest kind there is)", parseDevices)
        ->type_name("LIST");
    app.add_option("--backends", options->backends, "Engines (default: all)")->type_name("LIST");
    addSize(app, "--max-memory", question.maxMemory, "Memory that may be used (default: 80% of a host, all of a GPU)");
    app.add_option_function<std::string>(
           "--probe",
           [options](const std::string& text) {
               auto batches = parseNumbers(text.empty() ? kProbedBatches : text);
               if (!batches)
                   throw UsageError(batches.error());
               options->probed = std::move(*batches);
           },
           "Measure these batches of each engine and precision first, which takes seconds each (default: 1,8)")
        ->type_name("[LIST]")
        ->expected(0, 1);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb modelMemoryVerb()
{
    return {.path = {"model", "memory"},
            .group = Group::manage,
            .summary = "Estimate the peak memory of a model by batch, before it runs",
            .examples = R"(  apertune model memory resnet50
  apertune model memory resnet50 --probe                 calibrated by two short measurements of each engine
  apertune model memory resnet50 --batches 1,16,256 --precisions fp32,bf16 --image-sizes 224,448
  apertune model memory resnet50 --max-memory 4GiB       how large a batch fits)",
            .takes = Takes::untrustedCode,
            .documents = {{"apertune.memory-estimate/1",
                           "`model`, `estimates`: each `device`, `backend`, `precision`, `image_size` (pixels of a "
                           "side; null: the model's own), `basis` (`layers`, `engine`, `probe` or `probes`: what was "
                           "measured), `measured_as` (configuration whose peaks it goes through, or null), "
                           "`limit_bytes` (that may be used), `largest_batch` and `surely_fits` (largest batch whose "
                           "estimate, or upper end, is within it; each may be null), `median_error` and "
                           "`largest_error` (shares, at `compared_batches` other measured batches; null without "
                           "any), `batches`: each `batch`, `parameters_bytes`, `activations_bytes`, `rest_bytes` "
                           "(engine and workspace), `total_bytes`, `low_bytes`, `high_bytes`, `measured_bytes` "
                           "(null: not measured)"}},
            .declare = declareModelMemory};
}

} // namespace apertune::cli
