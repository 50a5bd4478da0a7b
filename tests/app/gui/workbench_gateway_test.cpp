// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/workbench_gateway.h"
#include "core/base/temporary_dir.h"
#include "core/exports/exporter.h"
#include "core/sentences/sentences.h"
#include "core/store/store.h"

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

TEST(WorkbenchGateway, PlansAnExportWhileTheWorkspaceIsWrittenTo)
{
    const auto dir = base::TemporaryDir::create("gateway");
    ASSERT_TRUE(dir);
    const std::filesystem::path file = dir->path() / "w.apertune";
    const auto writer = store::Store::open(file, store::OpenMode::readWrite);
    ASSERT_TRUE(writer);

    model::StudySnapshot snapshot;
    snapshot.study.model.name = "net";
    snapshot.study.model.artifact = (dir->path() / "gone").string();
    model::Device device;
    device.id = "cpu";
    snapshot.study.environment.devices.push_back(device);
    model::Trial trial;
    trial.id = model::TrialId{1};
    trial.device = device.id;
    trial.config.backend = "openvino";
    trial.state = model::TrialState::ok;
    snapshot.trials.push_back(trial);
    ASSERT_TRUE(exports::needsPackage(trial.config));

    // The file cannot be made of a model that is gone. That the workspace is open for writing is no reason.
    const auto planned =
        WorkbenchGateway().planExport(file, snapshot, trial.id, exports::ExportTarget::python, false, {});
    ASSERT_FALSE(planned);
    EXPECT_NE(planned.error().code, base::ErrorCode::busy) << sentences::describe(planned.error());
}

} // namespace
} // namespace apertune::gui
