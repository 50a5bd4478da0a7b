// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/run_child.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "core/store/schema.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <sstream>

namespace apertune::store::test {

namespace fs = std::filesystem;
using base::Json;

// Every released version of the workspace lies in tests/golden/workspace: vN.apertune.gz as that version wrote it, and
// vN.json with what was in it. Later versions must read all of them. A new version adds its own pair:
// APERTUNE_UPDATE_GOLDEN=1 writes the pair of the newest version where it is missing, and never changes one.

namespace {

const fs::path kFolder = fs::path(APERTUNE_GOLDEN_ROOT) / "workspace";

fs::path packed(int version)
{
    return kFolder / ("v" + std::to_string(version) + ".apertune.gz");
}

fs::path described(int version)
{
    return kFolder / ("v" + std::to_string(version) + ".json");
}

/// What gzip makes of a file.
std::string gzip(const char* how, const fs::path& file)
{
    const auto ran = base::runChild({"gzip", how, file.string()}, base::fromSeconds(60), {});
    EXPECT_TRUE(ran && ran->exit.code == 0) << file;
    return ran ? ran->out : std::string();
}

/// A workspace with a row in every table.
void writeSample(Store& store)
{
    model::Study study = sampleStudy();
    study.uuid = "7d4c2f0a-6d3e-4a51-9d0b-0a4b1b6f2c11";
    std::vector<model::Trial> trials = sampleTrials(4);
    ASSERT_OK(store.createStudy(study, trials));
    ASSERT_OK(store.putModel(sampleModel()));
    trials[0].measurement = sampleMeasurement();
    trials[1].measurement = sampleMeasurement(8, 12);
    trials[2].reason = {model::ReasonKind::outOfMemory, base::foreignText("There was not enough memory."),
                        "std::bad_alloc"};
    for (const std::size_t i : {0u, 1u, 2u}) {
        trials[i].startedUtc = "2026-11-24T10:00:00Z";
        trials[i].finishedUtc = "2026-11-24T10:01:00Z";
        finish(store, trials[i], i < 2 ? model::TrialState::ok : model::TrialState::failed);
    }
    ASSERT_OK(store.setStudyState(study.id, model::StudyState::finished));
    ASSERT_OK(store.nameBaseline(trials[0].id, "release"));
    ASSERT_OK(store.putArtifact({"key", "aoti", "/cache/model.pt2", {5}, {6}, ""}));
    ASSERT_OK(store.putCeilings({model::ceilingKey(study.environment.devices[0]),
                                 "fake",
                                 "2026-11-24T10:00:00Z",
                                 {{"fp32", {1e11, 9e10, 1.1e11, 0.95}, 7, "2048 × 2048 × 2048, 2 threads"}}}));
    ASSERT_OK(store.addNoise({"machine", "normal", "resnet50 O0 fp32 b1", {1.01, 0.99}, "2026-11-24T10:00:00Z"}));
    model::Experiment experiment;
    experiment.study = study.uuid;
    experiment.subject = "unfused-batchnorm";
    experiment.change = "freeze=on";
    experiment.at = {"AMD EPYC, 2 cores, 2 threads", model::TaskType::classification, "libtorch"};
    experiment.model = "resnet50";
    experiment.othersLoad = 0.25;
    experiment.predictedLo = 0.125;
    experiment.predictedHi = 0.25;
    experiment.saved = {0.1875, 0.125, 0.25, 0.95};
    experiment.outcome = model::VerificationOutcome::proved;
    experiment.createdUtc = "2026-11-24T10:01:00Z";
    ASSERT_OK(store.putExperiment(experiment));
    ASSERT_OK(store.addScenario(trials[0].id, "offline", R"({"kind": "offline"})"));
    ASSERT_OK(store.addPipeline(trials[0].id, R"({"images": 3})"));
    ASSERT_OK(store.addEvaluation(trials[0].id, model::EvaluationKind::accuracy, R"({"samples": 40})"));
    const auto trace = store.addTrace(sampleTrace(), trials[0].id);
    ASSERT_OK(trace);
    ASSERT_OK(store.putTraceMips(*trace, {{trace::TrackId{0}, trace::EventKind::runtimeCall, "bytes"}}));
}

Json intervalJson(const model::Interval& interval)
{
    return {interval.value, interval.lo, interval.hi, interval.confidence};
}

template <typename T>
Json countOrNull(const std::optional<T>& value)
{
    return value ? Json(value->count) : Json();
}

Json measurementJson(const model::Measurement& m)
{
    Json json{{"latency_ns", intervalJson(m.latencyNs)},
              {"throughput", intervalJson(m.throughput)},
              {"p50_ns", m.p50Ns.value_or(-1)},
              {"p90_ns", m.p90Ns.value_or(-1)},
              {"p95_ns", m.p95Ns.value_or(-1)},
              {"p99_ns", m.p99Ns.value_or(-1)},
              {"device_ns", m.deviceNs.value_or(-1)},
              {"load_ns", m.load.count},
              {"first_ns", m.first.count},
              {"warmup_ns", m.warmup.count},
              {"warmup_iterations", m.warmupIterations},
              {"compile_ns", countOrNull(m.compile)},
              {"memory", model::toJson(m.memory)},
              {"quality", m.quality ? model::toJson(*m.quality) : Json()},
              {"flags", model::toStrings(m.flags)},
              {"confirmation", m.confirmation},
              {"conditions", model::toJson(m.conditions)},
              {"applied", Json::array()},
              {"blocks", Json::array()},
              {"iterations", Json::array()}};
    for (const model::Applied& applied : m.applied)
        json["applied"].push_back(model::toJson(applied));
    for (const model::Block& block : m.blocks)
        json["blocks"].push_back(model::toJson(block));
    for (const base::Nanoseconds time : m.iterations)
        json["iterations"].push_back(time.count);
    return json;
}

/// One line an event, so that a difference is easy to find.
Json eventLines(const trace::Trace& trace)
{
    Json lines = Json::array();
    for (const trace::Series& series : trace.series) {
        const trace::EventColumns& e = series.events;
        const auto at = [](const auto& column, std::size_t i) { return column.empty() ? 0 : column[i]; };
        for (std::size_t i = 0; i < e.size(); ++i) {
            std::ostringstream line;
            line << series.track.value << ' ' << trace::toString(series.kind) << ' ' << e.start[i] << ' '
                 << e.duration[i] << ' ' << trace.strings.at(e.name[i]) << ' ' << at(e.correlation, i) << ' '
                 << at(e.link, i) << ' ' << at(e.detail, i) << ' ' << at(e.value, i) << ' ' << at(e.address, i);
            lines.push_back(line.str());
        }
    }
    return lines;
}

Json traceJson(const trace::Trace& trace)
{
    Json json{{"name", trace.name},
              {"source", trace.source},
              {"recorder_version", trace.recorderVersion},
              {"origins", {trace.originMonotonic, trace.originEpoch}},
              {"rank", {trace.rank, trace.worldSize}},
              {"details",
               {trace.details.kernels.size(), trace.details.copies.size(), trace.details.synchronizations.size(),
                trace.details.operators.size(), trace.details.memory.size(), trace.details.notes.size()}},
              {"tracks", Json::array()},
              {"devices", Json::array()},
              {"losses", Json::array()},
              {"cost", trace.cost ? intervalJson(trace.cost->ratio) : Json()},
              {"events", eventLines(trace)}};
    for (const trace::Track& t : trace.tracks)
        json["tracks"].push_back(
            {static_cast<int>(t.type), t.process, t.thread, t.device, t.context, t.stream, t.label, t.unit});
    for (const trace::DeviceProperties& d : trace.devices)
        json["devices"].push_back({d.id, d.name, d.multiprocessors, d.totalMemory, d.memoryBandwidth});
    for (const trace::Loss& loss : trace.losses)
        json["losses"].push_back({loss.time.count, trace::toString(loss.kind), loss.count,
                                  static_cast<int>(loss.severity), sentences::sentence(loss.reason)});
    return json;
}

/// What the typed calls make of the workspace.
Json describe(const Store& store)
{
    Json json{{"models", Json::array()}, {"studies", Json::array()}, {"traces", Json::array()}};
    for (const model::ModelRef& model : store.models().value())
        json["models"].push_back(model::toJson(model));
    for (const StudySummary& summary : store.studies().value()) {
        const model::Study study = store.study(summary.id).value();
        Json one{{"uuid", study.uuid},
                 {"name", study.name},
                 {"model", model::toJson(study.model)},
                 {"environment", model::toJson(study.environment)},
                 {"goal", model::toJson(study.goal)},
                 {"space", model::toJson(study.space)},
                 {"budget_ns", study.budget.count},
                 {"target", study.target},
                 {"state", model::toString(study.state)},
                 {"created", study.createdUtc},
                 {"command_line", study.commandLine},
                 {"trials", Json::array()}};
        for (const model::Trial& trial : store.trials(summary.id).value()) {
            const auto documents = [](const auto& list) {
                Json texts = Json::array();
                for (const auto& item : list.value())
                    texts.push_back(item.document);
                return texts;
            };
            one["trials"].push_back(
                {{"ordinal", trial.ordinal},
                 {"device", trial.device},
                 {"config", model::toJson(trial.config)},
                 {"hash", trial.hash},
                 {"state", model::toString(trial.state)},
                 {"attempt", trial.attempt},
                 {"reason",
                  {model::toString(trial.reason.kind), sentences::sentence(trial.reason.message), trial.reason.detail}},
                 {"started", trial.startedUtc},
                 {"finished", trial.finishedUtc},
                 {"measurement", measurementJson(trial.measurement)},
                 {"scenarios", documents(store.scenarios(trial.id))},
                 {"pipelines", documents(store.pipelines(trial.id))},
                 {"evaluations", documents(store.evaluations(trial.id))}});
        }
        if (const auto ceilings = store.ceilings(study.environment.devices.at(0)).value())
            one["ceilings"] = {ceilings->device, ceilings->backend, ceilings->rates.at(0).quantity,
                               intervalJson(ceilings->rates[0].rate), ceilings->rates[0].how};
        json["studies"].push_back(std::move(one));
    }
    for (const TraceSummary& summary : store.traces().value())
        json["traces"].push_back(traceJson(*store.trace(summary.id).value()));
    json["baselines"] = Json::array();
    for (const model::Baseline& baseline : store.baselines().value()) {
        json["baselines"].push_back(baseline.trial.value);
        json["baseline_names"].push_back(baseline.name);
    }
    if (const auto artifact = store.artifact("key").value())
        json["artifact"] = {artifact->kind, artifact->path.string(), artifact->compile.count, artifact->size.count};
    for (const Noise& noise : store.noise("machine").value())
        json["noise"].push_back({noise.protocol, noise.configuration, noise.ratios});
    for (const model::Experiment& e : store.experiments().value())
        json["experiments"].push_back({e.study, e.subject, e.change, e.at.machine, toString(e.at.taskType), e.at.engine,
                                       e.model, e.othersLoad, e.predictedLo, e.predictedHi, intervalJson(e.saved),
                                       toString(e.outcome), e.createdUtc});
    return Json::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Later versions may add members to objects; nothing else may differ.
void expectHolds(const Json& actual, const Json& expected, const std::string& place)
{
    if (expected.is_object()) {
        ASSERT_TRUE(actual.is_object()) << place;
        for (const auto& [key, value] : expected.items()) {
            ASSERT_TRUE(actual.contains(key)) << place << '/' << key;
            expectHolds(actual[key], value, place + "/" + key);
        }
    } else if (expected.is_array()) {
        ASSERT_TRUE(actual.is_array()) << place;
        ASSERT_EQ(actual.size(), expected.size()) << place;
        for (std::size_t i = 0; i < expected.size(); ++i)
            expectHolds(actual[i], expected[i], place + "/" + std::to_string(i));
    } else {
        EXPECT_EQ(actual, expected) << place;
    }
}

using WorkspaceVersion = StoreTest;

} // namespace

TEST_F(WorkspaceVersion, TheNewestHasItsFixture)
{
    const int newest = schemaMigrations().back().version;
    if (std::getenv("APERTUNE_UPDATE_GOLDEN") && !fs::exists(packed(newest))) {
        {
            Store store = open();
            writeSample(store);
            ASSERT_OK(base::writeFileAtomically(described(newest), describe(store).dump(1) + "\n"));
            ASSERT_OK(store.saveCopy(folder() / "copy.apertune"));
        }
        ASSERT_OK(base::writeFileAtomically(packed(newest), gzip("-9nc", folder() / "copy.apertune")));
    }
    EXPECT_TRUE(fs::exists(packed(newest))) << "write it with APERTUNE_UPDATE_GOLDEN=1";
    EXPECT_TRUE(fs::exists(described(newest)));
}

TEST_F(WorkspaceVersion, EveryVersionIsReadAndWritten)
{
    for (const Migration& step : schemaMigrations()) {
        const fs::path file = folder() / ("v" + std::to_string(step.version) + ".apertune");
        ASSERT_OK(base::writeFileAtomically(file, gzip("-dc", packed(step.version))));
        const Json expected = Json::parse(base::readFile(described(step.version)).value());
        expectHolds(describe(open(file, OpenMode::readOnly)), expected, "read v" + std::to_string(step.version));
        Store store = open(file);
        EXPECT_EQ(sentences::sentence(store.readOnlyReason()), "");
        expectHolds(describe(store), expected, "write v" + std::to_string(step.version));
        ASSERT_OK(store.checkIntegrity());
        ASSERT_OK(store.deleteStudy(store.studies().value().at(0).id));
    }
}

} // namespace apertune::store::test
