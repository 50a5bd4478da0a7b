// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/model/model_manifest.h"
#include "core/models/artifact_check.h"
#include "core/models/model_library.h"
#include "core/models/trust.h"
#include "core/models/usable_model.h"
#include "core/sentences/sentences.h"
#include "tests/core/models/fake_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::models {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using testing::FakeExporter;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Trust : public ::testing::Test
{
protected:
    Trust()
    {
        setTrustQuestion([this](const Untrusted& something) {
            asked.push_back(sentences::sentence(something.what));
            return answer;
        });
    }
    ~Trust() override { setTrustQuestion({}); }

    void write(const fs::path& name, const std::string& text) const
    {
        // With the path in it, no other test writes the same content.
        ASSERT_TRUE(base::writeFileAtomically(fake.path() / name, text + fake.path().string()));
    }
    /// A model that lies outside of what imports here write.
    model::ModelRef modelFromElsewhere(const std::string& format = "torchscript",
                                       const std::string& file = "model") const
    {
        write("came-with-it/" + file, "code");
        EXPECT_TRUE(base::writeFileAtomically(
            fake.path() / "came-with-it/manifest.json",
            R"({"schema":"apertune.model/1","name":"net","source":"s","content_hash":"abc","inputs":[],"outputs":[],)"
            R"("files":{")" +
                format + R"(":{"path":")" + file + R"("}}})"));
        return model::readManifest(fake.path() / "came-with-it").value();
    }

    FakeExporter fake;
    store::Store store = fake.openStore();
    ModelLibrary library{store, fake.installation()};
    std::vector<std::string> asked;
    bool answer = false;
};

TEST_F(Trust, ASourceThatAWorkspaceNamesIsNotRunUnasked)
{
    write("evil.py", "make = evil");
    model::ModelRef model;
    model.name = "fast";
    model.source = "python:" + (fake.path() / "evil.py").string() + ":make";
    model.artifact = fake.path() / "gone";
    ASSERT_TRUE(store.putModel(model));
    const auto refused = library.resolve("fast", {}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_THAT(sentences::sentence(refused.error().message), HasSubstr("evil.py:make was not imported"));
    EXPECT_THAT(sentences::sentence(refused.error().hint), HasSubstr("--trust"));
    EXPECT_THAT(fake.calls(), IsEmpty());
    EXPECT_THAT(asked, SizeIs(1));

    answer = true;
    const auto imported = library.resolve("fast", {}, {});
    ASSERT_TRUE(imported) << sentences::describe(imported.error());
    EXPECT_THAT(fake.calls(), SizeIs(1));
    fs::remove_all(imported->artifact);
    ASSERT_TRUE(library.resolve("fast", {}, {}));
    EXPECT_THAT(asked, SizeIs(2)) << "a yes is remembered";
    fs::remove_all(imported->artifact);
    write("evil.py", "make = otherwise");
    ASSERT_TRUE(library.resolve("fast", {}, {}));
    EXPECT_THAT(asked, SizeIs(3)) << "another content is asked about again";
}

TEST_F(Trust, AModelThatCameWithItsWorkspaceIsNotOpenedUnasked)
{
    const model::ModelRef model = modelFromElsewhere();
    EXPECT_EQ(requireUsable(model).error().code, ErrorCode::unsupported);
    setTrustQuestion({});
    EXPECT_THAT(requireUsable(model).error().context, HasSubstr("came-with-it"));
    setTrustQuestion([](const Untrusted&) { return true; });
    EXPECT_TRUE(requireUsable(model));
    setTrustQuestion({});
    EXPECT_TRUE(requireUsable(model));
    const std::string record = base::readFile(base::userDataDir() / "trusted").value();
    EXPECT_THAT(record, HasSubstr("The model net (" + model.artifact.string() + ")\n"));
    EXPECT_EQ(record.find(' '), 64U);
    write("came-with-it/model", "other code");
    EXPECT_FALSE(requireUsable(model)) << "what was let is the content";
}

TEST_F(Trust, AWorkspaceCannotNameAFileOutsideOfATrustedModel)
{
    model::ModelRef imported = library.importModel({"torchvision:resnet18", "mine"}, {}, {}).value();
    ASSERT_TRUE(requireUsable(imported));
    write("evil.pt", "code");
    for (const char* format : {"torchscript", "onnx", "base"}) {
        model::ModelRef stranger = imported;
        stranger.files[format] = "../../../../evil.pt";
        EXPECT_FALSE(requireUsable(stranger)) << format;
    }
    model::ModelRef disguised = modelFromElsewhere("onnx", "model.onnx");
    write("came-with-it/evil.pt2", "code");
    disguised.files["onnx"] = "evil.pt2";
    EXPECT_FALSE(requireUsable(disguised)) << "the ending says who opens it";
}

TEST_F(Trust, AFileThatHoldsNoCodeNeedsNoTrust)
{
    EXPECT_TRUE(requireUsable(modelFromElsewhere("onnx", "model.onnx")));
    EXPECT_TRUE(requireUsable(modelFromElsewhere("openvino_ir", "model.xml")));
    EXPECT_FALSE(requireUsable(modelFromElsewhere("onnx", "model.pt")));
    EXPECT_FALSE(requireUsable(modelFromElsewhere("exported")));
    EXPECT_FALSE(requireUsable(modelFromElsewhere("a_format_of_tomorrow")));
    EXPECT_THAT(asked, SizeIs(3));
}

TEST_F(Trust, WhatTheUserNamedOrImportedIsNotAskedAbout)
{
    const auto imported = library.importModel({"torchvision:resnet18", "mine"}, {}, {});
    ASSERT_TRUE(imported);
    EXPECT_TRUE(requireUsable(*imported));
    const model::ModelRef elsewhere = modelFromElsewhere();
    const auto adopted = library.resolve(elsewhere.artifact.string(), {}, {});
    ASSERT_TRUE(adopted) << sentences::describe(adopted.error());
    EXPECT_TRUE(requireUsable(*adopted));
    write("net.pt", "TorchScript");
    const auto named = library.resolve((fake.path() / "net.pt").string(), {}, {});
    ASSERT_TRUE(named) << sentences::describe(named.error());
    fs::remove_all(named->artifact);
    EXPECT_TRUE(library.resolve(named->name, {}, {}));
    EXPECT_THAT(asked, IsEmpty());
}

TEST_F(Trust, AnExportedFolderFromElsewhereIsNotRunUnasked)
{
    write("export/run.py", "print()");
    write("export/model/model.pt", "code");
    const fs::path folder = fake.path() / "export";
    EXPECT_FALSE(requireTrustedFolder(folder));
    trustFolder(folder);
    EXPECT_TRUE(requireTrustedFolder(folder));
    write("export/build/CMakeCache.txt", "built");
    write("export/__pycache__/run.pyc", "ran");
    EXPECT_TRUE(requireTrustedFolder(folder)) << "it was built and run by hand";
    for (const char* name : {"export/run.py", "export/model/model.pt", "export/another.py"}) {
        write(name, "changed");
        EXPECT_FALSE(requireTrustedFolder(folder)) << name;
        trustFolder(folder);
    }
    fs::create_symlink("/etc/passwd", folder / "link");
    EXPECT_FALSE(requireTrustedFolder(folder));
}

} // namespace
} // namespace apertune::models
