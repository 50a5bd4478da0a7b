// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/goal.h"
#include "core/model/search_space.h"
#include "core/models/model_library.h"
#include "core/report/exporter.h"
#include "core/runs/mixed_precision.h"
#include "core/runs/pipeline_run.h"
#include "core/runs/trace_run.h"
#include "core/scenario/scenario.h"
#include "core/study/study_request.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace apertune::cli {

/// What every verb takes.
struct Common
{
    std::filesystem::path store; ///< the workspace; never empty
    bool json = false;
    bool quiet = false;
    bool trust = false; ///< code from elsewhere may run (core/models/trust.md)
};

/// One structure a verb: the command line, checked and converted as far as that is possible without a workspace.
struct ModelImport
{
    Common common;
    models::ImportRequest request;
    models::ImportLimits limits;
};
struct ModelList
{
    Common common;
};
struct ModelZoo
{
    Common common;
};
struct ModelShow
{
    Common common;
    std::string name;
};
struct ModelDelete
{
    Common common;
    std::string name;
};
struct Tune
{
    Common common;
    std::string model; ///< empty only with `resume`
    study::StudyRequest request;
    std::vector<int> imageSizes{}; ///< pixels of a side; each a study of its own. Empty: the model's own size
    std::set<std::string> given{}; ///< the options that stand on the line, as "--levels"
    bool dryRun = false;
    bool resume = false;
    std::string resumeStudy; ///< empty: the newest unfinished one
    bool retryFailed = false;
    models::ImportLimits importLimits{};
    std::vector<scenario::Scenario> scenarios{}; ///< loads that the best trials are put under afterwards
    int loadTrials = 3;                          ///< … at most so many: the recommended one, then the front
};
struct Devices
{
    Common common;
};
struct Studies
{
    Common common;
};
struct Trials
{
    Common common;
    std::string study;
};
struct Show
{
    Common common;
    std::string what;
};
struct TraceTrial
{
    Common common;
    std::string trial;
    runs::TraceOptions options;
    bool metrics = false; ///< hardware counters too, in passes of their own
    bool graphs = false;  ///< --graphs was given
};
struct TraceList
{
    Common common;
};
struct TraceImport
{
    Common common;
    std::filesystem::path file;
    std::string name;  ///< empty: the file's
    bool only = false; ///< read and summarise, store nothing
};
struct TraceExport
{
    enum class Format { chrome, csv, nsys };
    Common common;
    std::string trace; ///< a file, or tr3, last
    std::filesystem::path out;
    Format format = Format::chrome;
};
struct Compare
{
    Common common;
    std::string a;
    std::string b;
    std::optional<double> gate{};
    std::optional<double> noiseFloor{}; ///< none: from the runs themselves
};
struct Delete
{
    Common common;
    std::vector<std::string> studies;
    bool yes = false;
};
/// Common::store is the damaged workspace.
struct Repair
{
    Common common;
    std::filesystem::path out; ///< empty: beside it
};
struct Export
{
    Common common;
    std::string trial;
    report::ExportTarget target = report::ExportTarget::json;
    std::filesystem::path dir;
    bool force = false;
    bool allBatches = false;
    bool noCheck = false; ///< do not run the program before the folder is there
};
struct Report
{
    enum class Format { html, csv, json };
    Common common;
    std::string study;
    std::filesystem::path out; ///< empty: stdout
    Format format = Format::html;
};
struct Verify
{
    Common common;
    std::filesystem::path dir; ///< an exported folder; where there is none of that name, a trial
};
/// One trial's configuration measured against itself.
struct NoiseFloor
{
    Common common;
    std::string trial = "best";
    std::string protocol = "normal";
    int pairs = 20;
};
/// A trial on labelled pictures.
struct EvaluateAccuracy
{
    Common common;
    std::string trial;
    std::filesystem::path data;
    int limit = 0; ///< 0: all
};
/// What each layer of an int8 trial costs.
struct EvaluateSensitivity
{
    Common common;
    std::string trial;
    bool refresh = false;
};
/// The fastest mix of int8 and float layers inside the bound.
struct SearchMixedPrecision
{
    Common common;
    std::string trial;
    runs::MixedPrecisionOptions mixedPrecision;
};
struct Gui
{
    Common common;
    std::vector<std::string> arguments; ///< handed on to apertune-gui
};
struct Query
{
    Common common;
    std::string sql;
    std::string trace; ///< empty: all, and the newest where there can be only one
    base::Nanoseconds timeout{};
    std::int64_t rows = 1'000'000;
    base::Bytes bytes{256 << 20};
    bool csv = false;
    bool tables = false; ///< list them; sql is empty then
};
/// A trace of the workspace or a file, told.
struct TraceReport
{
    Common common;
    std::string trace;
    std::vector<std::string> sections; ///< empty: all
    int rows = 20;
};
/// A finding of a stored trace, tried.
struct Prove
{
    Common common;
    std::string trace;
    std::vector<std::string> findings; ///< rules; empty: the most promising that can be tried
    bool all = false;
    base::Nanoseconds budget{};
};
/// What devices were measured to reach.
struct Ceilings
{
    Common common;
    std::string device;  ///< empty: all
    std::string backend; ///< empty: the first that can
    bool refresh = false;
};
/// A trial put under load.
struct RunScenario
{
    Common common;
    std::string trial;
    scenario::Scenario scenario;
};
/// A trial run from image to answer.
struct RunPipeline
{
    Common common;
    std::string trial;
    runs::PipelineRequest request;
};
/// What trials did under load so far.
struct ScenarioList
{
    Common common;
    std::string trial; ///< or a study; empty: the last study
};
/// --help and --version: text for stdout.
struct Print
{
    std::string text;
};

using Invocation =
    std::variant<Print, ModelImport, ModelList, ModelZoo, ModelShow, ModelDelete, Tune, Devices, Studies, Trials, Show,
                 TraceTrial, TraceList, TraceImport, TraceExport, Compare, Delete, Repair, NoiseFloor, Export, Report,
                 Verify, Gui, Query, TraceReport, Prove, Ceilings, RunScenario, ScenarioList, RunPipeline,
                 EvaluateAccuracy, EvaluateSensitivity, SearchMixedPrecision>;

} // namespace apertune::cli
