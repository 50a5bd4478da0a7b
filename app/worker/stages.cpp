// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/stages.h"

#include "app/worker/program_errors.h"
#include "core/base/files.h"
#include "core/base/mutex.h"
#include "core/workload/images/jpeg.h"
#include "core/workload/images/synthetic_image.h"
#include "core/workload/stages/errors.h"
#include "core/workload/stages/postprocess.h"
#include "core/workload/stages/stage_runner.h"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace apertune::worker {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Status;
using workload::PipelineItem;

namespace {

constexpr std::size_t kMostImageBytes = 1u << 30;

/// Reads or synthesizes the JPEGs into memory.
base::Result<std::vector<workload::JpegBytes>> gather(const StagesRequest& request, const std::atomic<bool>& stop)
{
    std::vector<workload::JpegBytes> images;
    std::size_t bytes = 0;
    for (const std::filesystem::path& file : request.files) {
        const auto text = base::readFile(file);
        if (!text)
            return text.error();
        images.emplace_back(text->begin(), text->end());
        bytes += text->size();
        if (bytes > kMostImageBytes)
            return base::Error{ErrorCode::unsupported, base::message(program_errors::kImagesTooLarge),
                               file.parent_path().string(), base::message(program_errors::kFewerImages)};
    }
    for (int i = 0; request.files.empty() && i < request.generate; ++i) {
        if (stop.load(std::memory_order_relaxed))
            return base::Error{ErrorCode::cancelled, base::message(workload::stage_errors::kCancelled), {}, {}};
        auto encoded = workload::encodeJpeg(
            workload::syntheticImage(request.seed + static_cast<std::uint64_t>(i), request.width, request.height));
        if (!encoded)
            return encoded.error();
        images.push_back(std::move(*encoded));
    }
    return images;
}

/// A copy of the outputs of a pass.
struct Outputs
{
    struct Tensor
    {
        std::string name;
        std::vector<std::int64_t> shape; ///< begins with the batch
        std::vector<float> floats;
        std::vector<std::int64_t> integers;
    };
    std::vector<Tensor> tensors;

    explicit Outputs(std::span<const apertune_tensor> from)
    {
        for (const apertune_tensor& tensor : from) {
            Tensor copy{tensor.name, {tensor.shape, tensor.shape + tensor.rank}, {}, {}};
            std::size_t count = 1;
            for (const std::int64_t extent : copy.shape)
                count *= static_cast<std::size_t>(extent);
            if (tensor.dtype == APERTUNE_FLOAT32)
                copy.floats.assign(static_cast<const float*>(tensor.data),
                                   static_cast<const float*>(tensor.data) + count);
            else
                copy.integers.assign(static_cast<const std::int64_t*>(tensor.data),
                                     static_cast<const std::int64_t*>(tensor.data) + count);
            tensors.push_back(std::move(copy));
        }
    }

    /// The outputs of one image. An output that does not grow with the batch belongs to every image.
    std::vector<workload::ModelOutput> of(int place, int batch) const
    {
        std::vector<workload::ModelOutput> outputs;
        for (const Tensor& tensor : tensors) {
            workload::ModelOutput one{tensor.name, tensor.shape, tensor.floats, tensor.integers};
            if (!tensor.shape.empty() && tensor.shape.front() == batch) {
                one.shape.erase(one.shape.begin());
                const auto part = [&](const auto& all) {
                    const std::size_t size = all.size() / static_cast<std::size_t>(batch);
                    return std::span(all).subspan(size * static_cast<std::size_t>(place), size);
                };
                one.floats = part(tensor.floats);
                one.integers = part(tensor.integers);
            }
            outputs.push_back(std::move(one));
        }
        return outputs;
    }
};

class Stages final : public workload::StageWork
{
public:
    Stages(LoadedModel& model, const StagesRequest& request, const std::vector<workload::JpegBytes>& files)
        : m_session(*model.session), m_request(request), m_files(files), m_nextSet(model.nextInput)
    {
        const auto threads = static_cast<std::size_t>(request.plan.decodeThreads);
        m_decoded.resize(threads);
        for (std::size_t i = 0; i < threads; ++i)
            m_preprocessors.emplace_back(request.recipe);
    }

    Status prepare()
    {
        const std::size_t sample = m_request.recipe.pixels() * 3 * (pixels() ? 1 : sizeof(float));
        const int full = m_request.plan.queueBatch > 0 ? m_request.plan.queueBatch : m_request.batch;
        const std::uint32_t kind =
            m_request.plan.memory == workload::HostMemory::pinned ? APERTUNE_PINNED : APERTUNE_PAGEABLE;
        for (int slot = 0; slot < m_request.plan.slots(full); ++slot) {
            const auto memory = m_session.hostMemory(kind, sample);
            if (!memory)
                return memory.error();
            m_slots.push_back(memory.value());
        }
        return {};
    }

    Status decode(int worker, const PipelineItem& item) override
    {
        const std::size_t file = static_cast<std::size_t>(item.image) % m_files.size();
        auto decoded = workload::decodeJpeg(m_files[file]);
        if (!decoded) {
            Error error = decoded.error();
            error.code = ErrorCode::invalidArgument; // the file is at fault, not the worker
            if (file < m_request.files.size())
                error.context = m_request.files[file].string();
            return error;
        }
        m_decoded[static_cast<std::size_t>(worker)] = std::move(*decoded);
        return {};
    }

    Status preprocess(int worker, const PipelineItem& item) override
    {
        const auto at = static_cast<std::size_t>(worker);
        void* slot = m_slots[static_cast<std::size_t>(item.slot)];
        if (pixels())
            m_preprocessors[at].runPixels(m_decoded[at], static_cast<std::uint8_t*>(slot));
        else
            m_preprocessors[at].run(m_decoded[at], static_cast<float*>(slot));
        return {};
    }

    Status copyIn(const std::vector<PipelineItem>& batch) override
    {
        std::vector<const void*> data;
        for (const PipelineItem& item : batch)
            data.push_back(m_slots[static_cast<std::size_t>(item.slot)]);
        apertune_samples samples{};
        samples.struct_size = sizeof samples;
        samples.kind = pixels() ? APERTUNE_SAMPLE_PIXELS : APERTUNE_SAMPLE_VALUES;
        samples.port = m_request.port;
        samples.count = static_cast<std::uint32_t>(data.size());
        samples.data = data.data();
        for (std::size_t c = 0; c < 3; ++c) {
            samples.mean[c] = m_request.recipe.mean[c];
            samples.deviation[c] = m_request.recipe.deviation[c];
        }
        m_set = m_nextSet++ % m_request.sets;
        if (auto status = m_session.setSamples(m_set, samples); !status)
            return status;
        return wait();
    }

    Status infer(const std::vector<PipelineItem>&) override
    {
        if (auto status = m_session.runKeeping(m_set); !status)
            return status;
        return wait();
    }

    Status copyBack(const std::vector<PipelineItem>& batch) override
    {
        std::shared_ptr<const Outputs> outputs;
        const Status status = m_session.keptOutputs(
            [&](std::span<const apertune_tensor> tensors) { outputs = std::make_shared<Outputs>(tensors); });
        if (!status)
            return status;
        // Postprocessing runs on another thread, so the outputs are shared until the last image of the pass was read.
        const base::Lock lock(m_mutex);
        m_outputs[batch.front().pass] = std::move(outputs);
        return {};
    }

    Status postprocess(const PipelineItem& item, int place) override
    {
        std::shared_ptr<const Outputs> outputs;
        {
            const base::Lock lock(m_mutex);
            const auto found = m_outputs.find(item.pass);
            outputs = found->second;
            if (place + 1 == item.inPass)
                m_outputs.erase(found);
        }
        const auto mine = outputs->of(place, m_request.batch);
        const workload::Answer answer = workload::readAnswer(m_request.taskType, mine, m_request.plan.suppression);
        m_answered += !answer.classes.empty() || !answer.boxes.empty() || !answer.labels.empty();
        if (m_reading.empty())
            m_reading = workload::readingOf(m_request.taskType, mine, m_request.plan.suppression);
        return {};
    }

    // Results of the answering thread. They may be read when it has ended.
    const std::string& reading() const { return m_reading; }
    std::int64_t answered() const { return m_answered; }

private:
    bool pixels() const { return m_request.plan.normalize == workload::Place::device; }
    Status wait()
    {
        const apertune_status status = m_session.synchronize();
        return status == APERTUNE_OK ? Status{} : m_session.error(status);
    }

    Session& m_session;
    const StagesRequest& m_request;
    const std::vector<workload::JpegBytes>& m_files;
    std::uint32_t& m_nextSet;
    std::uint32_t m_set = 0;
    std::vector<void*> m_slots;
    std::vector<workload::Image> m_decoded; ///< one for each decoding thread
    std::vector<workload::Preprocessor> m_preprocessors;
    base::Mutex m_mutex; ///< no other lock is taken while it is held
    std::map<std::int64_t, std::shared_ptr<const Outputs>>
        m_outputs APERTUNE_GUARDED_BY(m_mutex); ///< the key is the number of the pass
    std::string m_reading;
    std::int64_t m_answered = 0;
};

template <std::size_t n>
void readNumbers(const Json& json, const char* name, std::array<float, n>& into)
{
    if (json.contains(name))
        for (std::size_t i = 0; i < n; ++i)
            into[i] = json.at(name).at(i).get<float>();
}

} // namespace

base::Result<StagesRequest> stagesRequestFrom(const Json& command, int batch)
{
    StagesRequest request;
    auto plan = workload::pipelinePlanFromJson(command.at("plan"));
    if (!plan)
        return plan.error();
    request.plan = *plan;
    request.batch = batch;
    const Json& recipe = command.at("recipe");
    request.recipe.resize = recipe.at("resize").get<int>();
    request.recipe.height = recipe.at("height").get<int>();
    request.recipe.width = recipe.at("width").get<int>();
    readNumbers(recipe, "mean", request.recipe.mean);
    readNumbers(recipe, "std", request.recipe.deviation);
    request.recipe.filter = recipe.value("interpolation", "bilinear") == "bicubic" ? workload::ResizeFilter::bicubic
                                                                                   : workload::ResizeFilter::bilinear;
    request.taskType = model::taskTypeFromString(command.value("family", ""));
    request.port = command.value("port", request.port);
    request.sets = std::max(1U, command.value("sets", request.sets));
    for (const Json& file : command.value("files", Json::array()))
        request.files.emplace_back(file.get<std::string>());
    request.generate = command.value("generate", request.generate);
    request.width = command.value("width", request.width);
    request.height = command.value("height", request.height);
    request.seed = command.value("seed", request.seed);
    if (auto status = workload::check(request.plan, batch); !status)
        return status.error();
    if (auto status = workload::check(request.recipe); !status)
        return status.error();
    const auto side = [](int value) { return value >= 1 && value <= workload::kLargestSide; };
    if (request.files.empty() && (request.generate < 1 || !side(request.width) || !side(request.height)))
        return base::Error{ErrorCode::invalidArgument,
                           base::message(program_errors::kNoImages),
                           {},
                           base::message(program_errors::kGenerateOrName)};
    return request;
}

base::Result<StagesRun> runStages(LoadedModel& model, const StagesRequest& request, const std::atomic<bool>& stop,
                                  const std::function<void(double)>& onProgress)
{
    if (!model.session->takesSamples())
        return base::Error{ErrorCode::unsupported,
                           base::message(program_errors::kTakesNoSamples),
                           {},
                           base::message(program_errors::kOtherBackend)};
    const auto files = gather(request, stop);
    if (!files)
        return files.error();
    Stages stages(model, request, files.value());
    if (auto status = stages.prepare(); !status)
        return status.error();
    const auto items = workload::runPlan(request.plan, request.batch, stages, stop, onProgress);
    if (!items)
        return items.error();
    if (items->empty())
        return base::Error{ErrorCode::invalidArgument,
                           base::message(program_errors::kNoImageCame),
                           {},
                           base::message(program_errors::kMoreTimeForPipeline)};
    StagesRun run{workload::summarize(request.plan, items.value()), stages.reading(), stages.answered(), 0, 0};
    run.images = static_cast<std::int64_t>(files.value().size());
    for (const workload::JpegBytes& file : files.value())
        run.imageBytes += static_cast<std::int64_t>(file.size());
    return run;
}

} // namespace apertune::worker
