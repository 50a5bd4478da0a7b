// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

namespace apertune::model::test {

using base::ErrorCode;
using base::Json;

namespace {

Device sampleGpu()
{
    return {"cuda:0", DeviceType::nvidiaGpu(), "NVIDIA H200", "GPU-1", {150}, 1, 2, {"x"}, 9, 3, "580", 1980, 1985};
}

/// Through text and back, as it goes through a pipe or a file.
template <typename T>
T again(const T& value, base::Result<T> (*read)(const Json&))
{
    const auto parsed = parseJson(toJson(value).dump());
    EXPECT_TRUE(parsed.ok());
    const auto result = read(*parsed);
    EXPECT_TRUE(result.ok()) << sentences::describe(result.error());
    return result.ok() ? *result : T{};
}

/// Reading must refuse the document with each required member missing or of another type.
template <typename T>
void expectEveryMemberNeeded(const T& value, base::Result<T> (*read)(const Json&),
                             const std::vector<std::string>& needed)
{
    const Json good = toJson(value);
    ASSERT_TRUE(read(good).ok());
    for (const auto& [name, member] : good.items()) {
        Json mistyped = good;
        mistyped[name] = member.is_object() ? Json(3) : Json::object({{"not", "this"}});
        const auto result = read(mistyped);
        EXPECT_FALSE(result.ok()) << "mistyped " << name;
        if (!result.ok()) {
            EXPECT_EQ(result.error().code, ErrorCode::corrupt) << name;
        }
    }
    for (const std::string& name : needed) {
        Json missing = good;
        EXPECT_EQ(missing.erase(name), 1u) << name;
        const auto result = read(missing);
        ASSERT_FALSE(result.ok()) << "without " << name;
        EXPECT_EQ(result.error().code, ErrorCode::corrupt);
        EXPECT_NE(sentences::sentence(result.error().message).find(name), std::string::npos)
            << sentences::sentence(result.error().message);
        EXPECT_FALSE(result.error().hint.empty());
    }
    Json more = good;
    more["a member of later versions"] = {1, 2, 3};
    EXPECT_TRUE(read(more).ok());
    for (const Json& nonsense : {Json(nullptr), Json(3), Json("text"), Json::array({1})})
        EXPECT_EQ(read(nonsense).error().code, ErrorCode::corrupt) << nonsense.dump();
}

} // namespace

TEST(Codec, OfAConfigIsLossless)
{
    Config config = makeConfig(OptLevel::o3, Precision::int8, 17, 6, DeviceType::nvidiaGpu());
    config.backend = "fake";
    EXPECT_EQ(again(config, configFromJson), config);
    expectEveryMemberNeeded(config, configFromJson, {"backend", "level", "precision", "batch", "switches"});
}

TEST(Codec, OfADeviceIsLossless)
{
    const Device gpu = sampleGpu();
    const Device read = again(gpu, deviceFromJson);
    EXPECT_EQ(read.id, gpu.id);
    EXPECT_EQ(read.type, gpu.type);
    EXPECT_EQ(read.name, gpu.name);
    EXPECT_EQ(read.uuid, gpu.uuid);
    EXPECT_EQ(read.memory, gpu.memory);
    EXPECT_EQ(read.cores, gpu.cores);
    EXPECT_EQ(read.threads, gpu.threads);
    EXPECT_EQ(read.isa, gpu.isa);
    EXPECT_EQ(read.computeMajor, gpu.computeMajor);
    EXPECT_EQ(read.computeMinor, gpu.computeMinor);
    EXPECT_EQ(read.driver, gpu.driver);
    EXPECT_EQ(read.clockMhz, gpu.clockMhz);
    EXPECT_EQ(read.maxClockMhz, gpu.maxClockMhz);
    expectEveryMemberNeeded(gpu, deviceFromJson, {"id", "kind", "name"});
    Json unknown = toJson(gpu);
    unknown["kind"] = "tpu";
    EXPECT_EQ(deviceFromJson(unknown).error().code, ErrorCode::corrupt);
}

TEST(Codec, OfAnEnvironmentHasAllItsMembers)
{
    const Environment environment{"host",
                                  "Debian",
                                  "6.1",
                                  "0.1.0",
                                  {sampleGpu(), Device{}},
                                  {{"libtorch", "2.11"}},
                                  {{"Z", "last first"}, {"A", "order is kept"}},
                                  0.5};
    const Json json = toJson(environment);
    EXPECT_EQ(json.at("devices").at(0), toJson(sampleGpu()));
    EXPECT_EQ(json.at("devices").size(), 2u);
    EXPECT_EQ(json.at("engines").dump(), R"({"libtorch":"2.11"})");
    EXPECT_EQ(json.at("settings").dump(), R"({"Z":"last first","A":"order is kept"})");
    for (const auto& [member, value] : std::map<std::string, Json>{
             {"host", "host"}, {"os", "Debian"}, {"kernel", "6.1"}, {"apertune", "0.1.0"}, {"load_average", 0.5}})
        EXPECT_EQ(json.at(member), value) << member;
}

TEST(Codec, OfAGoalIsLossless)
{
    for (const Goal& goal : {Goal{}, Goal{Objective::latency, base::Nanoseconds{20'000'001}, {}, 0.1 + 0.2},
                             Goal{Objective::memory, {}, base::Bytes{std::int64_t{1} << 62}, 0},
                             Goal{Objective::throughput,
                                  {},
                                  {},
                                  0.99,
                                  {{90, base::Nanoseconds{7}}, {99, base::Nanoseconds{25'000'001}}},
                                  {Objective::memory, Objective::latency},
                                  0.1 + 0.2,
                                  1e-7}}) {
        const Goal read = again(goal, goalFromJson);
        EXPECT_EQ(read.objective, goal.objective);
        EXPECT_EQ(read.also, goal.also);
        EXPECT_EQ(read.maxLatency, goal.maxLatency);
        EXPECT_EQ(read.maxPercentiles, goal.maxPercentiles);
        EXPECT_EQ(read.maxMemory, goal.maxMemory);
        EXPECT_EQ(read.minQuality, goal.minQuality); // to the last bit
        EXPECT_EQ(read.maxRelError, goal.maxRelError);
        EXPECT_EQ(read.maxAbsError, goal.maxAbsError);
    }
    expectEveryMemberNeeded(Goal{Objective::latency, base::Nanoseconds{1}, base::Bytes{1}, 0.5}, goalFromJson,
                            {"objective"});
}

TEST(Codec, OfASearchSpaceIsLossless)
{
    SearchSpace space;
    space.backends = {"libtorch", "fake"};
    space.levels = {OptLevel::o2, OptLevel::o0};
    space.precisions = {Precision::tf32};
    space.batches = {SearchSpace::kAutoBatch};
    space.devices = {"all"};
    space.threads = {1, 2};
    space.switches = {{"freeze", {true, false}}, {"aoti", {}}};
    space.emulated = true;
    space.search = SearchAlgorithm::racing;
    const SearchSpace read = again(space, searchSpaceFromJson);
    EXPECT_EQ(read.backends, space.backends);
    EXPECT_EQ(read.levels, space.levels);
    EXPECT_EQ(read.precisions, space.precisions);
    EXPECT_EQ(read.batches, space.batches);
    EXPECT_EQ(read.devices, space.devices);
    EXPECT_EQ(read.threads, space.threads);
    EXPECT_EQ(read.switches, space.switches);
    EXPECT_EQ(read.emulated, space.emulated);
    EXPECT_EQ(read.search, space.search);
    expectEveryMemberNeeded(space, searchSpaceFromJson,
                            {"backends", "levels", "precisions", "batches", "devices", "threads", "switches"});
    base::Json unknown = toJson(space);
    unknown["search"] = "annealing";
    EXPECT_FALSE(searchSpaceFromJson(unknown)) << "a search that only a newer version knows";
}

TEST(Codec, OfResultsIsLossless)
{
    const Quality quality{0.1 + 0.2, 1e-300, 3, 4, 0.5, std::nullopt, 64};
    const Quality q = again(quality, qualityFromJson);
    EXPECT_EQ(q.cosine, quality.cosine);
    EXPECT_EQ(q.maxAbs, quality.maxAbs);
    EXPECT_EQ(q.maxRel, quality.maxRel);
    EXPECT_EQ(q.nanCount, quality.nanCount);
    EXPECT_EQ(q.top1Agreement, quality.top1Agreement);
    EXPECT_EQ(q.top5Agreement, quality.top5Agreement);
    EXPECT_EQ(q.samples, quality.samples);
    expectEveryMemberNeeded(quality, qualityFromJson, {"cosine", "max_abs", "max_rel", "nan_count"});

    const Applied applied{"tf32", AppliedState::requestedNotInEffect, "flag reads \"off\"\n"};
    const Applied a = again(applied, appliedFromJson);
    EXPECT_EQ(a.name, applied.name);
    EXPECT_EQ(a.state, applied.state);
    EXPECT_EQ(a.evidence, applied.evidence);
    expectEveryMemberNeeded(applied, appliedFromJson, {"switch", "state"});

    const MemoryUse memory{base::Bytes{1}, std::nullopt, base::Bytes{3}};
    const MemoryUse m = again(memory, memoryFromJson);
    EXPECT_EQ(m.processPeak, memory.processPeak);
    EXPECT_EQ(m.allocatorPeak, memory.allocatorPeak);
    EXPECT_EQ(m.devicePeak, memory.devicePeak);

    const Block block{7, {std::numeric_limits<std::int64_t>::max()}, {2}, {3}, 4, {5}, 0.25};
    const Block b = again(block, blockFromJson);
    EXPECT_EQ(b.iterations, block.iterations);
    EXPECT_EQ(b.wall, block.wall);
    EXPECT_EQ(b.device, block.device);
    EXPECT_EQ(b.cpu, block.cpu);
    EXPECT_EQ(b.involuntarySwitches, block.involuntarySwitches);
    EXPECT_EQ(b.waited, block.waited);
    EXPECT_EQ(b.clock, block.clock);
    expectEveryMemberNeeded(block, blockFromJson, {"iterations", "wall_ns"});

    Conditions conditions{{1}, {2}, {3}, {-4}, {5}, {6}, 7, 8, 9, 10, 0.5, 0.75, DriftReading{"id", 1.5, 0.01, 1.1}};
    const Conditions c = again(conditions, conditionsFromJson);
    EXPECT_EQ(toJson(c), toJson(conditions));
    EXPECT_EQ(c.driftReading->identity, "id");
    EXPECT_EQ(c.clockHigh, 0.75);
    conditions.energy = Energy{EnergySource::packages, 8, {{1.5, 10, {100}}, {1.25, 9, {110}}}, 12.5};
    conditions.starts = {{{100}, {20}, true}, {{50}, {19}, false}};
    const Conditions told = again(conditions, conditionsFromJson);
    EXPECT_EQ(toJson(told), toJson(conditions));
    ASSERT_TRUE(told.energy);
    EXPECT_EQ(told.energy->total().joules, 2.75);
    EXPECT_EQ(told.energy->idleWatts, 12.5);
    ASSERT_EQ(told.starts.size(), 2U);
    EXPECT_TRUE(told.starts[0].cold);
    conditions.driftReading.reset();
    EXPECT_FALSE(again(conditions, conditionsFromJson).driftReading);
    EXPECT_EQ(conditionsFromJson(base::Json::object())->processors, 0) << "of a workspace from before";
    EXPECT_FALSE(conditionsFromJson({{"sentinel", 3}}));
}

TEST(Codec, ReadsTheEnergyThatWorkspacesKeptWithTheGpu)
{
    const Json former{
        {"gpu",
         {{"energy_mj", 2500.0}, {"energy_passes", 100}, {"energy_ns", 2'000'000'000}, {"energy_integrated", false}}}};
    const auto read = conditionsFromJson(former);
    ASSERT_TRUE(read.ok());
    ASSERT_TRUE(read->energy);
    EXPECT_EQ(read->energy->source, EnergySource::gpuCounter);
    EXPECT_EQ(read->energy->total().joules, 2.5);
    EXPECT_EQ(read->energy->total().passes, 100);
    EXPECT_EQ(read->energy->batch, 0) << "the store knows it";
    EXPECT_FALSE(conditionsFromJson({{"gpu", {{"energy_mj", 0.0}}}})->energy);
}

TEST(Codec, OfAQualityThatIsNoNumberSurvivesJson)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Quality read =
        again(Quality{nan, std::numeric_limits<double>::infinity(), 0, 9, nan, {}, 1}, qualityFromJson);
    EXPECT_TRUE(std::isnan(read.cosine));
    EXPECT_TRUE(std::isnan(read.maxAbs)); // JSON has one word for both
    EXPECT_EQ(read.nanCount, 9);
    EXPECT_FALSE(read.top1Agreement.has_value());
}

TEST(Codec, OfAModelIsLossless)
{
    ModelRef model;
    model.name = "m";
    model.source = "python:a.py:f";
    model.taskType = model::TaskType::detection;
    model.weights = "w.pt";
    model.artifact = "/a b/c";
    model.contentHash = "h";
    model.parameters = 3;
    model.parameterBytes = {12};
    model.macs = 5;
    model.inputs = {{"x", "int64", {1, 2}, 1}, {"y", "bool", {}, std::nullopt}};
    model.outputs = {{"z", "float32", {1}, 0}};
    model.dynamicBatch = false;
    model.failingBatches = {{3, "no threes"}};
    model.state = {"count"};
    model.random = true;
    model.hasExportedProgram = true;
    model.files = {{"onnx", "a.onnx"}};
    model.layers = {{"l", "Linear", 2, 4, {8}}};
    model.notes = {"n"};
    // The document holds every member, so that two equal documents are two equal models.
    EXPECT_EQ(toJson(again(model, modelFromJson)).dump(), toJson(model).dump());
    EXPECT_EQ(toJson(model).dump(),
              R"({"name":"m","source":"python:a.py:f","family":"detection","weights":"w.pt","artifact":"/a b/c",)"
              R"("content_hash":"h","parameters":3,"parameter_bytes":12,"macs":5,)"
              R"("inputs":[{"name":"x","dtype":"int64","shape":[1,2],"batch_dim":1},)"
              R"({"name":"y","dtype":"bool","shape":[],"batch_dim":null}],)"
              R"("outputs":[{"name":"z","dtype":"float32","shape":[1],"batch_dim":0}],)"
              R"("failing_batches":[{"batch":3,"why":"no threes"}],"dynamic_batch":false,)"
              R"("state":["count"],"random":true,"has_exported_program":true,"files":{"onnx":"a.onnx"},)"
              R"("layers":[{"name":"l","type":"Linear","parameters":2,"macs":4,"output_shape":[8]}],"notes":["n"]})");
    model.macs.reset();
    EXPECT_FALSE(again(model, modelFromJson).macs.has_value());
    Json missing = toJson(model);
    missing.erase("artifact");
    EXPECT_EQ(modelFromJson(missing).error().code, ErrorCode::corrupt);
}

TEST(Codec, KeepsHowInt8WasMade)
{
    Config config;
    config.precision = Precision::int8;
    config.quantization = Quantization{"/photos", 12, {"head", "stem"}};
    EXPECT_EQ(again(config, configFromJson), config);
    SearchSpace space;
    space.calibration = "/photos";
    space.calibrationSamples = 12;
    const SearchSpace read = again(space, searchSpaceFromJson);
    EXPECT_EQ(read.calibration, "/photos");
    EXPECT_EQ(read.calibrationSamples, 12);
    const Applied applied{"precision", AppliedState::on, "2 of 2", {"head", "stem"}};
    EXPECT_EQ(again(applied, appliedFromJson).layers, applied.layers);
}

TEST(Codec, UnknownWordsAreNamed)
{
    Json json = toJson(Config{});
    json["precision"] = "fp4";
    const auto config = configFromJson(json);
    EXPECT_EQ(config.error().code, ErrorCode::corrupt);
    EXPECT_NE(sentences::sentence(config.error().message).find("\"fp4\""), std::string::npos)
        << sentences::sentence(config.error().message);
}

TEST(Codec, TextThatIsNoJsonIsAnErrorAndNoException)
{
    for (const std::string& bad :
         {std::string(), std::string("{"), std::string("nul"), std::string("\"\xff\""), std::string("{\"a\":1}x"),
          std::string(1'000'000, '['), std::string("1e999"), std::string("\0", 1)}) {
        const auto result = parseJson(bad);
        ASSERT_FALSE(result.ok()) << bad.substr(0, 20);
        EXPECT_EQ(result.error().code, ErrorCode::corrupt);
    }
    EXPECT_TRUE(parseJson(" [1, 2] ").ok());
}

} // namespace apertune::model::test
