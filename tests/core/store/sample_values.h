// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/store/store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace apertune::store::test {

/// Values with every field set to something that is not its default.
model::ModelRef sampleModel(const std::string& name = "resnet50");
model::Environment sampleEnvironment();
model::Study sampleStudy(const std::string& modelName = "resnet50");
/// Queued trials with distinct configurations.
std::vector<model::Trial> sampleTrials(int count);
model::Measurement sampleMeasurement(int blocks = 30, int iterations = 300);

/// Field by field, so that a member that one side forgets is found.
void expectEqual(const model::ModelRef& a, const model::ModelRef& b);
void expectEqual(const model::Environment& a, const model::Environment& b);
void expectEqual(const model::Study& a, const model::Study& b);
void expectEqual(const model::Trial& a, const model::Trial& b);
void expectEqual(const model::Measurement& a, const model::Measurement& b);

/// A workspace in a folder of its own.
class StoreTest : public ::testing::Test
{
protected:
    void SetUp() override;
    std::filesystem::path folder() const { return m_folder->path(); }
    std::filesystem::path file() const { return folder() / "runs.apertune"; }
    Store open(OpenMode mode = OpenMode::readWrite) const { return open(file(), mode); }
    /// Throws, and so fails the test, when the workspace cannot be opened.
    Store open(const std::filesystem::path& path, OpenMode mode = OpenMode::readWrite) const;

private:
    std::optional<base::TemporaryDir> m_folder;
};

/// The error as one line; fails the test when there is none.
template <typename T>
std::string errorOf(const base::Result<T>& result)
{
    EXPECT_FALSE(result.ok());
    return result.ok() ? std::string() : sentences::describe(result.error());
}

/// Leads a queued trial to `final`.
void finish(Store& store, model::Trial& trial, model::TrialState final = model::TrialState::ok);

} // namespace apertune::store::test

#define ASSERT_OK(expression)                                                                                          \
    do {                                                                                                               \
        const auto& okResult = (expression);                                                                           \
        ASSERT_TRUE(okResult.ok()) << ::apertune::sentences::describe(okResult.error());                               \
    } while (false)
