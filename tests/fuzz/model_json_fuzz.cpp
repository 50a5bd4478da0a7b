// SPDX-License-Identifier: GPL-3.0-or-later
// The values of core/model as JSON, and the manifest of a model. A value that can be read is written unchanged.
#include "core/model/evaluation.h"
#include "core/model/json_codec.h"
#include "core/model/model_manifest.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

namespace apertune::fuzz {

using base::Json;

namespace {

std::string text(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <typename Value>
void examineCodec(const Json& json, base::Result<Value> (*read)(const Json&))
{
    const base::Result<Value> result = read(json);
    const Value* const value = valueOf(result);
    if (!value)
        return;
    const std::string written = text(toJson(*value));
    const base::Result<Value> again = read(Json::parse(written));
    require(again.ok(), "what was written can be read");
    require(text(toJson(*again)) == written, "what was written comes back");
}

} // namespace

void examine(std::string_view input)
{
    const auto parsed = model::parseJson(input);
    const Json* const json = valueOf(parsed);
    if (!json)
        return;
    examineCodec(*json, model::configFromJson);
    examineCodec(*json, model::deviceFromJson);
    examineCodec(*json, model::modelFromJson);
    examineCodec(*json, model::goalFromJson);
    examineCodec(*json, model::searchSpaceFromJson);
    examineCodec(*json, model::qualityFromJson);
    examineCodec(*json, model::appliedFromJson);
    examineCodec(*json, model::memoryFromJson);
    examineCodec(*json, model::blockFromJson);
    examineCodec(*json, model::conditionsFromJson);
    examineCodec(*json, model::accuracyFromJson);
    examineCodec(*json, model::sensitivityFromJson);
    const auto manifest = model::modelOfManifest(*json, "/artifact");
    if (const model::ModelRef* const model = valueOf(manifest))
        static_cast<void>(text(summaryJson(*model)));
}

std::vector<std::string> seeds()
{
    model::Config config;
    config.backend = "libtorch";
    config.switches = {{"freeze", true}};
    config.quantization = model::Quantization{"images", 8, {"conv1"}};
    model::Device device;
    device.id = "cuda:0";
    device.type = model::typeOfDevice(device.id);
    device.name = "NVIDIA H100";
    device.isa = {"avx2"};
    model::Goal goal;
    goal.maxLatency = base::fromMilliseconds(5);
    goal.maxPercentiles[99] = base::fromMilliseconds(9);
    model::SearchSpace space;
    space.backends = {"libtorch"};
    space.levels = {model::OptLevel::o0};
    space.precisions = {model::Precision::fp32};
    space.batches = {1, 8};
    space.devices = {"cpu"};
    space.threads = {0};
    space.switches["freeze"] = {true, false};
    model::Conditions conditions;
    conditions.driftReading = model::DriftReading{"x", 1e6, 0.01, 1.02};
    const std::string manifest =
        R"({"schema": "apertune.model/1", "name": "net", "source": "net.pt", "content_hash": "00", "inputs": [{"name":)"
        R"( "x", "dtype": "float32", "shape": [1, 3], "batch_dim": 0}], "outputs": [], "files": {"torchscript": {"path")"
        R"(: "model.ts.pt"}, "exported": null}, "layers": [{"name": "fc", "macs": 5}]})";
    const auto model = model::modelOfManifest(Json::parse(manifest), "/artifact");
    require(model.ok(), "the manifest of a seed is one");
    return {text(toJson(config)),
            text(toJson(device)),
            text(toJson(*model)),
            text(toJson(goal)),
            text(toJson(space)),
            text(toJson(model::Quality{0.99, 0.1, NAN, 0, 1.0, std::nullopt, 16})),
            text(toJson(model::Applied{"freeze", model::AppliedState::on, "frozen", {"conv1"}})),
            text(toJson(model::MemoryUse{base::Bytes{5}, std::nullopt, base::Bytes{7}})),
            text(toJson(model::Block{4, {40'000'000}, {}, {39'000'000}, 1, {5}, 2.5, 1})),
            text(toJson(conditions)),
            text(toJson(model::Accuracy{"images", 50, 0, {{"top1", {0.7, 0.6, 0.8, 0.95}, {0.7, 0.7, 0.7, 0}, {}}}})),
            text(toJson(model::Sensitivity{"8 images", 8, 0.99, {{"conv1", "Conv", 0.999, 0.995}}})),
            manifest};
}

} // namespace apertune::fuzz
