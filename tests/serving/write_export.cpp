// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the export of a small ONNX model for the tests of servers:
//
//   write_export ENGINE TARGET BATCH WAIT_MS OUT
//
// The model is x [N, 3, 16, 16] -> y [N, 10]. Its manifest says how images are prepared, and its trial was measured as
// 2 ms a pass.
#include "core/exports/write_export.h"

#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/units.h"
#include "core/exports/exporter.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/support/sample_study.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>

namespace apertune::test {

/// The folder that makeArtifact() writes to.
const std::string& artifacts()
{
    static const base::TemporaryDir dir = std::move(base::TemporaryDir::create("serving")).value();
    static const std::string folder = dir.path().string();
    return folder;
}

} // namespace apertune::test

namespace {

using namespace apertune;

std::filesystem::path artifactWithImages()
{
    const std::filesystem::path folder = test::makeArtifact("small model", test::convolutionModel());
    base::Json manifest = model::parseJson(base::readFile(folder / "manifest.json").value()).value();
    manifest["preprocessing"] = {{"resize", 20},
                                 {"crop", 16},
                                 {"mean", {0.4, 0.5, 0.6}},
                                 {"std", {0.2, 0.25, 0.3}},
                                 {"interpolation", "bilinear"}};
    if (!base::writeFileAtomically(folder / "manifest.json", manifest.dump()))
        std::exit(1);
    return folder;
}

model::Config configOf(const std::string& engine, int batch)
{
    model::Config config;
    config.backend = engine;
    config.level = model::OptLevel::o2;
    config.batch = batch;
    config.threads = 1;
    // Bound memory is what a server must fill again for every pass.
    if (engine == "onnxruntime")
        config.switches = {{"graph_extended", true}, {"io_binding", true}, {"no_spinning", true}};
    return config;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 6)
        return 2;
    const auto target = base::valueOf(exports::kExportTargets, argv[2]);
    if (!target)
        return 2;
    model::StudySnapshot study = test::sampleStudy();
    model::ModelRef& model = study.study.model;
    model.name = "small model";
    model.artifact = artifactWithImages();
    model.outputs = {{"y", "float32", {1, 10}, 0}};
    study.trials = {test::measuredTrial(1, configOf(argv[1], std::atoi(argv[3])), 2.0, 0.01)};
    exports::ServingChoice serving;
    serving.batchWait = base::fromSeconds(std::atof(argv[4]) / 1000);
    const auto files =
        exports::planExport(study, study.trials[0], *target, model.artifact / "model.onnx", {}, {}, serving);
    const auto written = files ? exports::writeExport(*files, argv[5], true)
                               : base::Result<std::vector<std::filesystem::path>>(files.error());
    if (!written) {
        std::cerr << sentences::sentence(written.error().message) << '\n';
        return 1;
    }
    return 0;
}
