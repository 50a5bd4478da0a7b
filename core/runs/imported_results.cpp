// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/imported_results.h"

#include "core/base/clock.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/model/imported.h"
#include "core/sentences/sentences.h"
#include "core/stats/summarize.h"

#include <algorithm>
#include <cmath>

namespace apertune::runs {

namespace {

using interchange::ForeignResult;

constexpr double kBlockNs = 20e6;
constexpr std::size_t kLongestFact = 1000;

base::Nanoseconds rounded(double ns)
{
    return {std::llround(ns)};
}

std::vector<model::Block> blocksOf(const std::vector<double>& passes)
{
    std::vector<model::Block> blocks;
    double wall = 0;
    std::int64_t iterations = 0;
    for (const double pass : passes) {
        wall += pass;
        ++iterations;
        if (wall < kBlockNs)
            continue;
        blocks.push_back({.iterations = iterations, .wall = rounded(wall)});
        wall = 0;
        iterations = 0;
    }
    // The rest alone would be a shorter block than the others.
    if (iterations > 0 && blocks.empty())
        blocks.push_back({.iterations = iterations, .wall = rounded(wall)});
    return blocks;
}

/// A name on one line that fits into tables. Commands can be longer than any table.
std::string shortened(const std::string& name, std::size_t most = 80)
{
    const std::string line = base::printableLine(name.substr(0, most + 1));
    if (line.size() <= most)
        return line;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U)
        --end;
    return line.substr(0, end) + "…";
}

void addFact(model::Measurement& measurement, std::string name, std::string words)
{
    measurement.applied.push_back({std::move(name), model::AppliedState::notApplicable, std::move(words)});
}

model::Measurement measurementOf(const ForeignResult& result, int batch)
{
    model::Measurement m;
    if (!result.passes.empty()) {
        m.blocks = blocksOf(result.passes);
        std::vector<base::Nanoseconds> passes;
        for (const double pass : result.passes)
            passes.push_back(rounded(pass));
        m.addPasses(passes);
        stats::summarize(m, batch);
    } else {
        const double value = result.median ? *result.median : *result.mean;
        m.latencyNs = {value, value, value, 0};
        const double rate = batch * 1e9 / value;
        m.throughput = {rate, rate, rate, 0};
        m.p50Ns = result.median;
        m.p90Ns = result.p90;
        m.p95Ns = result.p95;
        m.p99Ns = result.p99;
        m.flags.push_back(model::TrialFlag::notConverged);
        addFact(m, "statistic", result.median ? "median, as the tool states it" : "mean, as the tool states it");
    }
    // Passes overlap, so the rate does not follow from the latency of one.
    if (result.perSecond)
        m.throughput = {*result.perSecond, *result.perSecond, *result.perSecond, 0};
    m.deviceNs = result.deviceTime;
    m.load = rounded(result.load.value_or(0));
    m.first = rounded(result.first.value_or(0));
    m.flags.push_back(model::TrialFlag::qualityUnavailable);
    for (const base::Message& remark : result.remarks)
        addFact(m, std::string(model::kRemark), sentences::sentence(remark));
    addFact(m, "throughput",
            result.perSecond ? "as the tool counts it" : "from the latency: the file does not state it");
    if (!result.precision.empty())
        addFact(m, "precision", result.precision);
    if (!result.name.empty())
        addFact(m, "name", shortened(result.name, kLongestFact));
    for (const auto& [name, value] : result.settings)
        addFact(m, name, value);
    return m;
}

/// The precision that the words of a tool name; nullopt for words that name none or several. Beside others, FP32 is
/// only what layers fall back to.
std::optional<model::Precision> precisionOf(const std::string& words)
{
    std::vector<std::string> named = base::splitList(base::lower(words), '+');
    if (named.size() > 1)
        std::erase(named, "fp32");
    if (named.size() != 1)
        return std::nullopt;
    std::string word = named.front();
    // Some tools leave out the "p".
    if (word == "f32" || word == "f16")
        word.insert(1, "p");
    return model::precisionFromString(word);
}

bool isOnGpu(const interchange::ForeignResults& results, const ForeignResult& result)
{
    const std::string device = base::lower(result.device);
    return results.tool == "trtexec" || results.tool == "nvbench" || device.starts_with("gpu") ||
           device.find("nvidia") != std::string::npos;
}

/// What stands for parts of the configurations that the file does not state, in words. No file states a level.
std::string standInsOf(const interchange::ForeignResults& results)
{
    const bool precision = std::any_of(results.results.begin(), results.results.end(),
                                       [](const ForeignResult& result) { return !precisionOf(result.precision); });
    const bool batch = std::any_of(results.results.begin(), results.results.end(),
                                   [](const ForeignResult& result) { return result.batch == 0; });
    return precision && batch ? "O0, fp32 and b1" : precision ? "O0 and fp32" : batch ? "O0 and b1" : "O0";
}

/// What every imported study has: where it comes from. No model here has its hash.
model::Study studyOf(const interchange::ForeignResults& results, const ImportOrigin& origin)
{
    model::Study study;
    study.purpose = model::StudyPurpose::imported;
    study.model.name = shortened(origin.name);
    study.model.source = results.tool + ":" + origin.file;
    study.model.contentHash = origin.sha256;
    study.model.taskType = model::TaskType::other;
    study.commandLine = "apertune trial import " + origin.file;
    study.environment.engines = {{results.tool, results.version}};
    study.environment.settings = {{std::string(model::kImportedFrom), origin.file},
                                  {"imported SHA-256", origin.sha256}};
    return study;
}

/// The study of a measuring kit. Nothing stands in: its trials have their configurations and blocks.
ImportedStudy kitStudy(const interchange::KitRun& kit, model::Study study)
{
    study.model.taskType = kit.model.taskType;
    study.model.inputs = kit.model.inputs;
    model::Environment& environment = study.environment;
    environment.os = kit.environment.os;
    environment.kernel = kit.environment.kernel;
    environment.devices = kit.environment.devices;
    environment.devices.front().name = "imported: " + environment.devices.front().name;
    auto& settings = environment.settings;
    settings.insert(settings.end(), {{std::string(model::kPlatform), kit.platform},
                                     {std::string(model::kModelSource), kit.model.source},
                                     {"model SHA-256", kit.model.contentHash},
                                     {"kit SHA-256", kit.manifestHash},
                                     {"kit written by", "apertune " + kit.apertune},
                                     {"measured", kit.measuredUtc}});
    if (kit.standIn)
        settings.emplace_back(model::kStandInFor, kit.platformTitle);
    settings.insert(settings.end(), kit.environment.settings.begin(), kit.environment.settings.end());
    return {std::move(study), kit.trials};
}

} // namespace

ImportedStudy importedStudy(const interchange::ForeignResults& results, const ImportOrigin& origin)
{
    if (results.kit)
        return kitStudy(*results.kit, studyOf(results, origin));
    ImportedStudy imported;
    model::Study& study = imported.study;
    study = studyOf(results, origin);
    study.environment.settings.emplace_back(model::kStandIns, standInsOf(results));
    std::size_t ordinal = 0;
    for (const ForeignResult& result : results.results) {
        ++ordinal;
        const bool gpu = isOnGpu(results, result);
        model::Device device;
        device.id = gpu ? "cuda:0" : "cpu";
        device.type = gpu ? model::DeviceType::nvidiaGpu() : model::DeviceType::cpu();
        device.name = "imported: " + (result.device.empty() ? std::string("unknown device") : result.device);
        auto& devices = study.environment.devices;
        const auto same =
            std::find_if(devices.begin(), devices.end(), [&](const model::Device& d) { return d.name == device.name; });
        if (same != devices.end())
            device = *same;
        else if (gpu)
            device.id = "cuda:" + std::to_string(std::count_if(devices.begin(), devices.end(),
                                                               [](const auto& d) { return !d.type.isCpu(); }));
        if (same == devices.end())
            devices.push_back(device);
        model::Trial& trial = imported.trials.emplace_back();
        trial.device = device.id;
        trial.config.backend = results.tool;
        trial.config.batch = std::max(1, result.batch);
        const std::optional<model::Precision> precision = precisionOf(result.precision);
        trial.config.precision = precision.value_or(model::Precision::fp32);
        if (!precision)
            trial.config.switches["unknown precision"] = true;
        if (result.batch == 0)
            trial.config.switches["unknown batch"] = true;
        if (results.results.size() > 1)
            trial.config.switches[std::to_string(ordinal) + ": " + shortened(result.name)] = true;
        trial.state = result.failure.empty() ? model::TrialState::ok : model::TrialState::failed;
        if (result.failure.empty())
            trial.measurement = measurementOf(result, trial.config.batch);
        else
            trial.reason = {model::ReasonKind::crash, result.failure};
    }
    return imported;
}

base::Result<model::StudyId> storeImported(store::Store& store, ImportedStudy imported)
{
    std::vector<model::Trial> results = imported.trials;
    // A study begins with trials that wait.
    for (model::Trial& trial : imported.trials) {
        trial.measurement = {};
        trial.reason = {};
        trial.state = model::TrialState::queued;
    }
    imported.study.createdUtc = base::utcNow();
    if (const auto created = store.createStudy(imported.study, imported.trials); !created)
        return created.error();
    for (std::size_t i = 0; i < imported.trials.size(); ++i) {
        model::Trial& trial = imported.trials[i];
        trial.measurement = std::move(results[i].measurement);
        trial.reason = results[i].reason;
        for (const model::TrialState state : {model::TrialState::leased, model::TrialState::running, results[i].state})
            if (const auto moved = store.transition(trial, state); !moved)
                return moved.error();
    }
    if (const auto closed = store.setStudyState(imported.study.id, model::StudyState::finished); !closed)
        return closed.error();
    return imported.study.id;
}

} // namespace apertune::runs
