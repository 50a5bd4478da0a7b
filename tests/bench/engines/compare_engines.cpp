// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `apertune tune --backends all` recommends, against what people would run otherwise: torch.compile with
// max-autotune, ONNX Runtime's Python and OpenVINO's benchmark_app, each by its own means (rivals.py). For every model
// two questions: the shortest pass at batch 1, and the least time a sample at the best batch, where the rivals of
// OpenVINO and ONNX Runtime take the best of the same batches and torch.compile, which compiles for minutes, takes the
// recommended one. Weights, inputs, processors and threads are the same on all sides; where a 16-bit precision is
// recommended, a rival takes the better of it and fp32. With int8 among --precisions (not the default) a rival takes
// the better of fp32 and the 16-bit precision of the fastest float configuration, which is what it does by itself with
// the same file. Apertune's side is its worker with the recommended configuration; all sides stay open and measure
// blocks in turns, so that drift of the machine cancels in the ratio of a round. Ratio and interval are those of
// Apertune's own paired comparison (core/stats/compare.h) over the rounds; above 1 Apertune's configuration is faster.
//
//   compare_engines [--models torchvision:resnet50,…] [--batches 1,8,16] [--precisions fp32,bf16,int8] [--budget 2m]
//                   [--questions latency,throughput] [--rounds 15] [--block 1s]
//                   [--rivals torch.compile,onnxruntime,openvino:latency,openvino:throughput] [--store FILE] [--json]
//
// The defaults take an hour and a quarter on two processors. A rival that cannot run is a row with its reason. Nothing
// is asserted.

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"
#include "core/study/loaded_configuration.h"
#include "core/study/trial_request.h"
#include "core/worker/installation.h"
#include "core/worker/local_launcher.h"
#include "tests/bench/engines/rival.h"
#include "tests/bench/usage.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace apertune;
using base::Json;
using bench::Rival;

namespace {

struct Options
{
    std::vector<std::string> models{
        "torchvision:resnet50",      "torchvision:vit_b_16",           "torchvision:swin_t",
        "torchvision:convnext_tiny", "torchvision:mobilenet_v3_large", "torchvision:efficientnet_b0"};
    std::vector<std::string> rivals{"torch.compile", "onnxruntime", "openvino:latency", "openvino:throughput"};
    std::vector<std::string> questions{"latency", "throughput"};
    std::vector<int> batches{1, 8, 16};
    std::vector<model::Precision> precisions; ///< empty: tune's own
    base::Nanoseconds budget = base::fromSeconds(120);
    base::Nanoseconds block = base::fromSeconds(1);
    std::size_t rounds = 15;
    std::filesystem::path store = base::userCacheDir() / "bench-engines.apertune";
    bool json = false;
};

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "compare_engines: %s\n", why.c_str());
    std::exit(2);
}

template <typename T>
T orStop(base::Result<T> result)
{
    if (!result)
        stop(sentences::describe(result.error()));
    return std::move(result).value();
}

Options parse(int argc, char** argv)
{
    const bench::Usage usage(
        argc, argv,
        "compare_engines [--models torchvision:resnet50,…] [--batches 1,8,16] [--precisions fp32,bf16,int8]\n"
        "                       [--budget 2m] [--questions latency,throughput] [--rounds 15] [--block 1s]\n"
        "                       [--rivals torch.compile,onnxruntime,openvino:latency,openvino:throughput]\n"
        "                       [--store FILE] [--json]");
    Options options;
    const std::vector<std::string>& words = usage.words();
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--json") {
            options.json = true;
            continue;
        }
        if (i + 1 == words.size())
            usage.refuse(words[i]);
        const std::string& value = words[i + 1];
        if (words[i] == "--models")
            options.models = base::splitList(value);
        else if (words[i] == "--rivals")
            options.rivals = base::splitList(value);
        else if (words[i] == "--rounds")
            options.rounds = static_cast<std::size_t>(std::max(1, std::atoi(value.c_str())));
        else if (words[i] == "--questions")
            options.questions = base::splitList(value);
        else if (words[i] == "--precisions") {
            for (const std::string& name : base::splitList(value)) {
                const auto precision = model::precisionFromString(name);
                if (!precision)
                    stop("no precision is called " + name);
                options.precisions.push_back(*precision);
            }
        } else if (words[i] == "--budget")
            options.budget = orStop(base::parseDuration(value));
        else if (words[i] == "--block")
            options.block = orStop(base::parseDuration(value));
        else if (words[i] == "--store")
            options.store = value;
        else if (words[i] == "--batches") {
            options.batches.clear();
            for (const std::string& batch : base::splitList(value))
                options.batches.push_back(std::max(1, std::atoi(batch.c_str())));
        } else
            usage.refuse(words[i]);
        ++i;
    }
    return options;
}

/// A side of the comparison after its rounds.
struct Row
{
    std::string rival;
    std::string what;
    int batch = 0;
    std::vector<double> ns; ///< time of a sample in each round
    model::Interval ratio{};
    std::string error;
};

struct Part
{
    std::string model;
    std::string question;
    std::string recommended; ///< empty: nothing was recommended
    std::string error;
    int batch = 0;
    double ns = 0; ///< time of a sample
    std::vector<Row> rows;

    const Row* bestRival() const
    {
        const Row* best = nullptr;
        for (const Row& row : rows)
            if (row.error.empty() && (!best || stats::median(row.ns) < stats::median(best->ns)))
                best = &row;
        return best;
    }
};

class Comparison
{
public:
    explicit Comparison(const Options& options)
        : m_options(options), m_bench(orStop(engine::Workbench::open(options.store))),
          m_launcher(worker::makeLocalLauncher(worker::Installation::locate()))
    {
        m_limits.minBlock = options.block;
        m_limits.trialMost = std::max(m_limits.trialMost, options.block + options.block);
    }

    Part run(const std::string& source, bool latency)
    {
        Part part{source, latency ? "batch 1" : "best batch", {}, {}, 0, 0, {}};
        const auto model = m_bench->models().resolve(source, {}, {});
        if (!model) {
            part.error = sentences::describe(model.error());
            return part;
        }
        const auto snapshot = tuned(*model, latency);
        const model::Trial* trial =
            snapshot && snapshot->recommended ? snapshot->find(snapshot->recommended->trial) : nullptr;
        if (!trial) {
            part.error = snapshot ? "nothing could be recommended" : sentences::describe(snapshot.error());
            return part;
        }
        const auto device = std::find_if(m_bench->devices().begin(), m_bench->devices().end(),
                                         [&](const model::Device& d) { return d.id == trial->device; });
        part.recommended =
            (trial->config.backend == "libtorch" ? "libtorch " : "") + model::shortName(trial->config, device->type);
        if (trial->measurement.quality)
            part.recommended += ", cosine " + base::formatSignificant(trial->measurement.quality->cosine, 5);
        part.batch = trial->config.batch;
        measure(part, *snapshot, *trial, *device);
        return part;
    }

private:
    base::Result<model::StudySnapshot> tuned(const model::ModelRef& model, bool latency)
    {
        study::StudyRequest request;
        request.model = model;
        request.space.backends = {"all"};
        request.space.devices = {"cpu"};
        request.space.batches = latency ? std::vector<int>{1} : m_options.batches;
        request.space.precisions = m_options.precisions;
        request.goal.objective = latency ? model::Objective::latency : model::Objective::throughput;
        request.budget = m_options.budget;
        request.commandLine = "compare_engines";
        const auto runner = m_bench->makeRunner();
        std::fprintf(stderr, "%s: tuning for %s\n", model.name.c_str(), latency ? "latency" : "throughput");
        const auto report = [&](const study::StudyEvent& event) {
            if (event.kind == study::StudyEvent::Kind::trialFinished)
                std::fprintf(stderr, "  %d of %d configurations\r", event.done, event.total);
        };
        if (const auto outcome = runner->run(request, report, {}); !outcome)
            return outcome.error();
        return study::loadStudy(m_bench->store(), runner->studyId());
    }

    /// The precision of the recommended configuration, or where that is int8, of the fastest one that is not.
    static model::Precision fastestFloat(const model::StudySnapshot& snapshot, const model::Trial& recommended)
    {
        const auto isFloat = [](const model::Trial& trial) {
            return trial.config.precision != model::Precision::int8 && trial.config.precision != model::Precision::fp8;
        };
        const model::Trial* fastest = isFloat(recommended) ? &recommended : nullptr;
        for (const model::Trial& trial : snapshot.trials)
            if (!isFloat(recommended) && isFloat(trial) && trial.state == model::TrialState::ok &&
                (!fastest || trial.measurement.throughput.value > fastest->measurement.throughput.value))
                fastest = &trial;
        return fastest ? fastest->config.precision : model::Precision::fp32;
    }

    Rival::Setup setupFor(const std::string& name, const model::StudySnapshot& snapshot, const model::Trial& trial,
                          const model::Device& device)
    {
        const model::ModelRef& model = snapshot.study.model;
        Rival::Setup setup{name, model.artifact, {trial.config.batch}, {}, trial.config.threads, {}, {}, {}};
        if (setup.threads == 0)
            setup.threads = device.cores;
        if (snapshot.study.goal.objective == model::Objective::throughput && name != "torch.compile")
            setup.batches = m_options.batches;
        // None of its switches: those are of its own engine.
        model::Config other;
        other.precision = fastestFloat(snapshot, trial);
        other.batch = trial.config.batch;
        other.threads = trial.config.threads;
        setup.precisions = {"fp32"};
        if (other.precision != model::Precision::fp32)
            setup.precisions.emplace_back(model::toString(other.precision));
        for (const auto& [engine, file] :
             {std::pair("onnxruntime", &setup.onnx), std::pair("openvino", &setup.openvinoIr)}) {
            if (!name.starts_with(engine))
                continue;
            other.backend = engine;
            const auto package = m_bench->compileCache().get(model, other, device, {}, {});
            if (package)
                *file = package->path;
            else
                setup.cannot = sentences::sentence(package.error().message);
        }
        return setup;
    }

    void measure(Part& part, const model::StudySnapshot& snapshot, const model::Trial& trial,
                 const model::Device& device)
    {
        const auto report = [&](study::Phase phase, const base::Message&) {
            std::fprintf(stderr, "%s: %s\n", part.model.c_str(), std::string(toString(phase)).c_str());
        };
        const auto configuration =
            study::requestOf(m_bench->runContext(trial.device), snapshot.study, trial, report, {});
        if (!configuration) {
            part.error = sentences::describe(configuration.error());
            return;
        }
        std::vector<std::unique_ptr<Rival>> rivals;
        const bool latency = snapshot.study.goal.objective == model::Objective::latency;
        for (const std::string& name : m_options.rivals)
            if (!latency || name != "openvino:throughput") {
                std::fprintf(stderr, "%s: %s gets ready\n", part.model.c_str(), name.c_str());
                rivals.push_back(
                    std::make_unique<Rival>(worker::Installation::locate(), setupFor(name, snapshot, trial, device)));
            }
        auto opened = study::openConfiguration(*m_launcher, *configuration, m_limits, {});
        if (!opened) {
            part.error = opened.error().sentence();
            return;
        }
        auto& ours = *opened;
        for (std::size_t round = 0; round < m_options.rounds; ++round) {
            std::fprintf(stderr, "  round %zu of %zu   \r", round + 1, m_options.rounds);
            for (std::size_t i = 0; i <= rivals.size(); ++i) {
                const std::size_t side = (round + i) % (rivals.size() + 1);
                if (side < rivals.size())
                    rivals[side]->measureOneBlock(m_options.block);
                else if (const auto status = study::measureOneBlock(ours, m_limits, {}); !status) {
                    part.error = status.error().sentence();
                    return;
                }
            }
        }
        std::vector<double> own = ours.nsPerPass();
        for (double& ns : own)
            ns /= part.batch;
        part.ns = stats::median(own);
        for (const auto& rival : rivals)
            part.rows.push_back(row(*rival, own));
    }

    static Row row(const Rival& rival, const std::vector<double>& own)
    {
        Row row{rival.name(), rival.what(), rival.batch(), rival.nsPerSample(), {}, rival.error()};
        if (row.error.empty()) {
            const std::span<const double> baseline(row.ns);
            const std::span<const double> candidate(own);
            stats::CompareOptions options;
            options.pairing = stats::Pairing::paired;
            row.ratio = stats::compare({baseline}, {candidate}, options).ratio;
        }
        return row;
    }

    Options m_options;
    std::unique_ptr<engine::Workbench> m_bench;
    std::unique_ptr<worker::Launcher> m_launcher;
    worker::RunLimits m_limits;
};

Json toJson(const Part& part)
{
    Json rows = Json::array();
    for (const Row& row : part.rows) {
        Json json{{"rival", row.rival}};
        if (!row.error.empty())
            json["error"] = row.error;
        else
            json.update({{"what", row.what},
                         {"batch", row.batch},
                         {"ms_per_sample", stats::median(row.ns) * 1e-6},
                         {"ratio", {{"value", row.ratio.value}, {"lo", row.ratio.lo}, {"hi", row.ratio.hi}}},
                         {"rounds", row.ns.size()}});
        rows.push_back(std::move(json));
    }
    const Row* best = part.bestRival();
    return {{"schema", "apertune.bench-engines/1"},
            {"model", part.model},
            {"question", part.question},
            {"recommended", part.recommended},
            {"error", part.error.empty() ? Json(nullptr) : Json(part.error)},
            {"batch", part.batch},
            {"ms_per_sample", part.ns * 1e-6},
            {"best_rival", best ? Json(best->rival) : Json(nullptr)},
            {"rivals", std::move(rows)}};
}

void print(const Part& part)
{
    if (part.recommended.empty() || !part.error.empty()) {
        std::printf("%s, %s: %s\n", part.model.c_str(), part.question.c_str(), part.error.c_str());
        return;
    }
    std::printf("%s, %s: %s, %.3f ms a sample\n", part.model.c_str(), part.question.c_str(), part.recommended.c_str(),
                part.ns * 1e-6);
    for (const Row& row : part.rows)
        if (row.error.empty())
            std::printf("  %s %-20s b%-3d %9.3f ms  ratio %.3f [%.3f, %.3f]  %zu rounds  (%s)\n",
                        &row == part.bestRival() ? "*" : " ", row.rival.c_str(), row.batch,
                        stats::median(row.ns) * 1e-6, row.ratio.value, row.ratio.lo, row.ratio.hi, row.ns.size(),
                        row.what.c_str());
        else
            std::printf("    %-20s cannot run: %s\n", row.rival.c_str(), row.error.c_str());
}

} // namespace

int main(int argc, char** argv)
{
    const Options options = parse(argc, argv);
    std::signal(SIGPIPE, SIG_IGN); // a rival that died is a row
    Comparison comparison(options);
    int near = 0;
    int faster = 0;
    int compared = 0;
    for (const std::string& model : options.models)
        for (const std::string& question : options.questions) {
            const Part part = comparison.run(model, question == "latency");
            if (options.json)
                std::puts(toJson(part).dump().c_str());
            else
                print(part);
            std::fflush(stdout);
            if (const Row* best = part.error.empty() ? part.bestRival() : nullptr) {
                ++compared;
                near += best->ratio.value >= 0.98;
                faster += best->ratio.lo > 1;
            }
        }
    if (!options.json)
        std::printf("\nAgainst the best rival (*): at least 0.98 in %d of %d, faster beyond doubt in %d. Above 1 the "
                    "recommended configuration is faster; paired by rounds, 95 %% interval.\n",
                    near, compared, faster);
    return 0;
}
