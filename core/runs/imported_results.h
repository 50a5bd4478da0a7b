// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/results/foreign_results.h"
#include "core/model/study.h"
#include "core/store/store.h"

#include <string>
#include <vector>

namespace apertune::runs {

/// Where imported results come from.
struct ImportOrigin
{
    std::string name;   ///< name of the model in the workspace
    std::string file;   ///< name of the file without its folder
    std::string sha256; ///< hash of the file's bytes
};

/// A study that is not stored yet, with its trials in the order of the file.
struct ImportedStudy
{
    model::Study study;
    std::vector<model::Trial> trials;
};

/// Makes a study of another tool's results (StudyPurpose::imported). Pure.
///
///  - The tool stands for the backend, its device gets a name of its own ("imported: …"), so that no trial is of a
///    class of machine with one of this machine.
///  - Single passes become blocks of at least 20 ms, from which the interval comes. Without passes the value has none,
///    and is the mean where the tool reports no median.
///  - The throughput is the tool's own, also where it does not follow from the latency.
///  - What the configuration cannot hold becomes a switch that is on (the name of the result, an unknown precision), or
///    an Applied with the tool's words. Each remark on the values is an Applied (model::kRemark).
///  - The trials of a measuring kit keep their configurations, blocks, quality and memory; only the device gets such a
///    name. Settings of the environment name the platform and the model's source (core/model/imported.h).
///  - A failed run is a failed trial. Trials have the state in which storeImported() leaves them.
ImportedStudy importedStudy(const interchange::ForeignResults& results, const ImportOrigin& origin);

/// Stores such a study with its measurements. Returns its id.
/// Failures: those of the store.
base::Result<model::StudyId> storeImported(store::Store& store, ImportedStudy imported);

} // namespace apertune::runs
