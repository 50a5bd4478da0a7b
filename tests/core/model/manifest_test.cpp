// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/model/model_manifest.h"
#include "core/model/model_ref.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>

namespace apertune::model::test {

namespace {

constexpr std::string_view kManifest = R"({
  "schema": "apertune.model/1",
  "name": "resnet50",
  "source": "torchvision:resnet50",
  "family": "classification",
  "weights": "random, seed 0",
  "content_hash": "abc123",
  "parameters": 25557032,
  "parameter_bytes": 102228128,
  "macs": 4089284608,
  "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 3, 224, 224], "batch_dim": 0, "new": 1}],
  "outputs": [{"name": "y", "dtype": "float32", "shape": [1, 1000], "batch_dim": null}],
  "dynamic_batch": false,
  "failing_batches": [{"batch": 3, "why": "ValueError: no threes"}],
  "files": {"torchscript": {"path": "model.ts"}, "exported": {"path": "model.pt2"}},
  "layers": [{"name": "conv1", "type": "Conv2d", "parameters": 9408, "macs": 118013952, "output_shape": [1, 64]}],
  "notes": ["traced"],
  "a member of later versions": {}
})";

class Manifest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        auto folder = base::TemporaryDir::create("manifest");
        ASSERT_TRUE(folder.ok());
        m_folder.emplace(std::move(folder).value());
    }
    std::filesystem::path folder() const { return m_folder->path(); }
    base::Result<ModelRef> read(std::string_view text) const
    {
        EXPECT_TRUE(base::writeFileAtomically(folder() / "manifest.json", text).ok());
        return readManifest(folder());
    }
    /// The good manifest with one place changed.
    base::Result<ModelRef> readWith(std::string_view from, std::string_view to) const
    {
        std::string text(kManifest);
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return read(text.replace(at, from.size(), to));
    }

private:
    std::optional<base::TemporaryDir> m_folder;
};

} // namespace

TEST_F(Manifest, IsReadWhole)
{
    const auto model = read(kManifest);
    ASSERT_TRUE(model.ok()) << sentences::describe(model.error());
    EXPECT_EQ(model->name, "resnet50");
    EXPECT_EQ(model->source, "torchvision:resnet50");
    EXPECT_EQ(model->taskType, model::TaskType::classification);
    EXPECT_EQ(model->weights, "random, seed 0");
    EXPECT_EQ(model->artifact, folder());
    EXPECT_EQ(model->contentHash, "abc123");
    EXPECT_EQ(model->parameters, 25'557'032);
    EXPECT_EQ(model->parameterBytes.count, 102'228'128);
    EXPECT_EQ(model->macs, 4'089'284'608);
    ASSERT_EQ(model->inputs.size(), 1u);
    EXPECT_EQ(model->inputs[0].name, "x");
    EXPECT_EQ(model->inputs[0].dtype, "float32");
    EXPECT_EQ(model->inputs[0].shape, (std::vector<std::int64_t>{1, 3, 224, 224}));
    EXPECT_EQ(model->inputs[0].batchDim, 0);
    EXPECT_FALSE(model->outputs.at(0).batchDim.has_value());
    EXPECT_FALSE(model->dynamicBatch);
    EXPECT_EQ(model->failingBatches, (std::map<int, std::string>{{3, "ValueError: no threes"}}));
    EXPECT_TRUE(model->hasExportedProgram);
    ASSERT_EQ(model->layers.size(), 1u);
    EXPECT_EQ(model->layers[0].type, "Conv2d");
    EXPECT_EQ(model->layers[0].macs, 118'013'952);
    EXPECT_EQ(model->layers[0].outputShape, (std::vector<std::int64_t>{1, 64}));
    EXPECT_EQ(model->notes, std::vector<std::string>{"traced"});
}

TEST_F(Manifest, MayLackWhatIsNotAlwaysKnown)
{
    const auto model = read(R"({"schema": "apertune.model/1", "name": "m", "source": "s", "content_hash": "h",
                                "inputs": [], "outputs": [], "macs": null, "files": {"exported": null}})");
    ASSERT_TRUE(model.ok()) << sentences::describe(model.error());
    EXPECT_EQ(model->taskType, model::TaskType::other);
    EXPECT_FALSE(model->macs.has_value());
    EXPECT_FALSE(model->hasExportedProgram);
    EXPECT_TRUE(model->dynamicBatch);
}

TEST_F(Manifest, MayHoldNullForWhatIsNotKnown)
{
    const auto model = read(R"({"schema": "apertune.model/1", "name": "m", "source": "s", "content_hash": "h",
                                "family": null, "weights": null, "parameters": null, "parameter_bytes": null,
                                "macs": null, "inputs": [], "outputs": [], "dynamic_batch": null,
                                "failing_batches": null, "notes": null,
                                "files": {"torchscript": {"path": null}, "exported": null},
                                "layers": [{"name": "anchors", "type": null, "parameters": null, "macs": null,
                                            "output_shape": null}]})");
    ASSERT_TRUE(model.ok()) << sentences::describe(model.error());
    EXPECT_EQ(model->taskType, model::TaskType::other);
    EXPECT_TRUE(model->dynamicBatch);
    ASSERT_EQ(model->layers.size(), 1u);
    EXPECT_EQ(model->layers[0].name, "anchors");
    EXPECT_TRUE(model->layers[0].outputShape.empty());
    const auto without = read(R"({"schema": "apertune.model/1", "name": "m", "source": "s", "content_hash": "h",
                                  "inputs": [], "outputs": [], "layers": null, "files": {}})");
    EXPECT_TRUE(without.ok()) << sentences::describe(without.error());
}

TEST_F(Manifest, ThatIsMissingIsNotFound)
{
    EXPECT_EQ(readManifest(folder()).error().code, base::ErrorCode::notFound);
    EXPECT_EQ(readManifest(folder() / "nowhere").error().code, base::ErrorCode::notFound);
}

TEST_F(Manifest, OfANewerSchemaIsUnsupported)
{
    const auto model = readWith("apertune.model/1", "apertune.model/2");
    EXPECT_EQ(model.error().code, base::ErrorCode::unsupported);
    EXPECT_NE(sentences::sentence(model.error().message).find("apertune.model/2"), std::string::npos);
    EXPECT_FALSE(model.error().hint.empty());
}

TEST_F(Manifest, ThatIsDamagedSaysWhereAndWhatToDo)
{
    const auto expectCorrupt = [&](const base::Result<ModelRef>& model, const std::string& word) {
        ASSERT_FALSE(model.ok()) << word;
        EXPECT_EQ(model.error().code, base::ErrorCode::corrupt);
        EXPECT_NE(sentences::sentence(model.error().message).find(word), std::string::npos)
            << sentences::sentence(model.error().message);
        EXPECT_EQ(model.error().context, (folder() / "manifest.json").string());
        EXPECT_FALSE(model.error().hint.empty());
    };
    expectCorrupt(read(""), "parse error");
    expectCorrupt(read(kManifest.substr(0, kManifest.size() / 2)), "parse error");
    expectCorrupt(read("[1, 2]"), "array");
    expectCorrupt(read(std::string(100'000, '[')), "parse error");
    expectCorrupt(readWith("\"name\": \"resnet50\",", ""), "name");
    expectCorrupt(readWith("\"content_hash\"", "\"hash\""), "content_hash");
    expectCorrupt(readWith("[1, 3, 224, 224]", "\"1x3\""), "type must be");
    expectCorrupt(readWith("25557032", "\"many\""), "type must be");
    expectCorrupt(readWith("\"files\"", "\"data\""), "files");
    expectCorrupt(readWith("[\"traced\"]", "[1]"), "type must be");
}

} // namespace apertune::model::test
