// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb_options.h"
#include "core/base/text.h"

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

struct PipelineTexts
{
    std::string wait, duration, normalize, memory, nms;
};

template <typename Enum>
Result<bool> readWord(const char* option, const std::string& text, std::optional<Enum> (*parse)(std::string_view),
                      const char* known, Enum& into)
{
    if (text.empty())
        return true;
    const auto value = parse(text);
    if (!value)
        return Error{ErrorCode::invalidArgument,
                     std::string(option) + ": \"" + text + "\" is not one of its words.",
                     {},
                     std::string("Known: ") + known + "."};
    into = *value;
    return true;
}

Result<Invocation> finish(RunPipeline options, const PipelineTexts& texts)
{
    pipeline::Plan& plan = options.request.plan;
    if (texts.wait == "full") {
        plan.queueWait.reset();
    } else if (!texts.wait.empty()) {
        const auto wait = base::parseDuration("--queue-wait", texts.wait);
        if (!wait)
            return wait.error();
        plan.queueWait = *wait;
    }
    if (!texts.duration.empty()) {
        const auto duration = base::parseDuration("--duration", texts.duration);
        if (!duration)
            return duration.error();
        plan.duration = *duration;
    }
    for (const auto& read :
         {readWord("--normalize", texts.normalize, pipeline::placeFromString, "host, device", plan.normalize),
          readWord("--memory", texts.memory, pipeline::hostMemoryFromString, "pageable, pinned", plan.memory),
          readWord("--nms", texts.nms, pipeline::suppressionFromString, "batched, plain, none", plan.suppression)})
        if (!read)
            return read.error();
    if (options.request.generate < 1 || options.request.generate > 1000)
        return Error{ErrorCode::invalidArgument,
                     "--generate: between 1 and 1000 images can be made.",
                     {},
                     "Use 64, or --images FOLDER."};
    // The batch is that of a trial which is not known yet; everything else can be told now.
    if (auto status = pipeline::check(plan, std::max(1, plan.queueBatch)); !status)
        return status.error();
    return Invocation(std::move(options));
}

} // namespace

std::vector<Verb> declarePipeline(CLI::App& app)
{
    auto [verb, options] = declare<RunPipeline>(
        app, "pipeline", "Run a trial from JPEG to answer: what decoding, copying and the rest cost beside the model",
        "  apertune pipeline best                                  64 made images, again and again\n"
        "  apertune pipeline t12 --images photos --decode-threads 4 --prefetch 3\n"
        "  apertune pipeline best --rate 20 --queue-batch 4 --queue-wait 50ms");
    addTrustOption(*verb, options->common);
    auto texts = std::make_shared<PipelineTexts>();
    runs::PipelineRequest& request = options->request;
    verb->add_option("TRIAL", options->trial, "t12, 12, best, or STUDY:best")->type_name("")->required();
    auto* images =
        verb->add_option("--images", request.images, "A folder of JPEGs (default: made ones)")->type_name("DIR");
    verb->add_option("--generate", request.generate, "How many images are made (default: 64)")
        ->type_name("N")
        ->excludes(images);
    verb->add_option("--decode-threads", request.plan.decodeThreads, "That decode and preprocess (default: 1)")
        ->type_name("N");
    verb->add_option("--prefetch", request.plan.prefetch, "Batches prepared ahead (default: 2; 0: stages take turns)")
        ->type_name("N");
    verb->add_option("--queue-batch", request.plan.queueBatch,
                     "Images a pass takes at most (default: the trial's batch)")
        ->type_name("N");
    verb->add_option("--queue-wait", texts->wait,
                     "How long an image waits for its batch to fill (default: until it is full)")
        ->type_name("TIME");
    verb->add_option("--rate", request.plan.rate,
                     "Images a second, at random times (default: the next when there is room)")
        ->type_name("N");
    verb->add_option("--duration", texts->duration, "Of the run (default: 10s)")->type_name("TIME");
    verb->add_option("--normalize", texts->normalize,
                     "host, or device: bytes are copied and become values there (default: host)")
        ->type_name("PLACE");
    verb->add_option("--memory", texts->memory, "pageable, or pinned where a GPU copies (default: pageable)")
        ->type_name("KIND");
    verb->add_option("--nms", texts->nms, "Detectors: batched, plain, or none (default: batched)")->type_name("KIND");
    verb->add_option("--seed", request.plan.seed, "Of made images and arrivals (default: 1)")->type_name("N");
    return {{verb, [options = options, texts] { return finish(*options, *texts); }}};
}

} // namespace apertune::cli
