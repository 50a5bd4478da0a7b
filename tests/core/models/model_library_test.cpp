// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/model/model_manifest.h"
#include "core/models/artifact_check.h"
#include "core/models/exporter_process.h"
#include "core/models/model_library.h"
#include "core/models/model_name.h"
#include "core/models/usable_model.h"
#include "core/models/zoo.h"
#include "core/sentences/sentences.h"
#include "tests/core/models/fake_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <chrono>

namespace apertune::models {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using ::testing::ElementsAre;
using testing::FakeExporter;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Library : public ::testing::Test
{
protected:
    base::Result<model::ModelRef> importModel(const std::string& source, const std::string& name = {},
                                              const fs::path& weights = {})
    {
        ImportRequest request;
        request.source = source;
        request.name = name;
        request.weights = weights;
        return library.importModel(request, {}, {});
    }
    base::Result<model::ModelRef> resolve(const std::string& text) { return library.resolve(text, {}, {}); }

    /// A TorchScript file last changed an hour ago.
    fs::path modelFile(const std::string& name)
    {
        const fs::path file = fake.path() / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << "x";
        fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
        return file;
    }

    FakeExporter fake;
    fs::path models = base::userDataDir() / "models";
    store::Store store = fake.openStore();
    ModelLibrary library{store, fake.installation()};
};

TEST_F(Library, KeepsAnImportedModelByNameAndContent)
{
    const auto model = importModel("torchvision:resnet50");
    ASSERT_TRUE(model) << sentences::describe(model.error());
    EXPECT_EQ(model->name, "resnet50");
    EXPECT_EQ(model->artifact, models / "resnet50-5ddc1ce629d1");
    EXPECT_THAT(fake.filesIn(models), ElementsAre("resnet50-5ddc1ce629d1"));
    const auto kept = store.findModel("resnet50");
    ASSERT_TRUE(kept && *kept);
    EXPECT_EQ((*kept)->artifact, model->artifact);
    EXPECT_EQ((*kept)->source, "torchvision:resnet50");
}

TEST_F(Library, HandsTheExporterAbsolutePathsAndEverythingAskedFor)
{
    const fs::path file = modelFile("net.pt");
    ImportRequest request;
    request.source = fs::relative(file).string();
    request.name = "mine";
    request.inputShapes = {"x:float32:1x3x8x8", "y:int64:1x4"};
    ASSERT_TRUE(library.importModel(request, {}, {}));
    EXPECT_THAT(fake.calls().at(0), HasSubstr("export " + file.string() + " --out "));
    EXPECT_THAT(fake.calls().at(0), HasSubstr("--name mine --input-shape x:float32:1x3x8x8 --input-shape y:int64:1x4"));
    ASSERT_TRUE(importModel("resnet18", "weighted", fs::relative(file)));
    EXPECT_THAT(fake.calls().at(1), HasSubstr("--weights " + file.string()));
}

TEST_F(Library, WeightsThatAreNotThereAreToldBeforeAnythingStarts)
{
    const auto model = importModel("torchvision:resnet50", {}, "/nowhere/w.pt");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::notFound);
    EXPECT_EQ(sentences::sentence(model.error().message), "There is no weights file /nowhere/w.pt.");
    EXPECT_FALSE(model.error().hint.empty());
    EXPECT_THAT(fake.calls(), IsEmpty());
}

TEST_F(Library, AFailedImportLeavesNothing)
{
    fake.script(R"(mkdir -p "$OUT.partial-$$"; echo half > "$OUT.partial-$$/model.ts.pt"
echo '{"t":"error","code":"truncated","message":"The file is cut short.","hint":"Copy it again."}'; exit 2)");
    const auto model = importModel("torchvision:resnet50");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::corrupt);
    EXPECT_EQ(sentences::sentence(model.error().message), "The file is cut short.");
    EXPECT_THAT(fake.filesIn(models), IsEmpty());
    EXPECT_THAT(store.models().value(), IsEmpty());
}

TEST_F(Library, ACrashOrACancelLeavesNothing)
{
    fake.script(R"(mkdir -p "$OUT.partial-$$"; kill -KILL $$)");
    EXPECT_EQ(importModel("torchvision:resnet50").error().code, ErrorCode::crashed);
    EXPECT_THAT(fake.filesIn(models), IsEmpty());

    fake.script(R"(mkdir -p "$OUT.partial-$$"; echo '{"t":"progress","i":1,"n":1,"text":"x"}'; sleep 300)");
    std::stop_source stop;
    const auto cancelled = library.importModel(
        {"torchvision:resnet50", {}}, [&](const ExporterProgress&) { stop.request_stop(); }, stop.get_token());
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::cancelled);
    EXPECT_THAT(fake.filesIn(models), IsEmpty());
    EXPECT_THAT(store.models().value(), IsEmpty());
}

TEST_F(Library, AVariantWrapsTheSourceOfItsModel)
{
    const auto base = importModel("resnet50", "mine");
    ASSERT_TRUE(base) << sentences::describe(base.error());
    fake.succeed("weights in slices");
    const auto variant = library.resolveVariant(*base, {"slice", "4"}, {}, {});
    ASSERT_TRUE(variant) << sentences::describe(variant.error());
    EXPECT_EQ(variant->name, "mine-slice-4");
    EXPECT_EQ(variant->source, "sliced:4:torchvision:resnet50");
    EXPECT_THAT(fake.calls().at(1), HasSubstr("export sliced:4:torchvision:resnet50 --out "));
    ASSERT_TRUE(library.resolveVariant(*base, {"slice", "4"}, {}, {}));
    EXPECT_THAT(fake.calls(), SizeIs(2)) << "it is known";

    const auto second = library.resolveVariant(*variant, {"tile", "64x8"}, {}, {});
    ASSERT_FALSE(second);
    EXPECT_THAT(sentences::sentence(second.error().message), HasSubstr("is a variant of a variant"));
}

TEST_F(Library, AVariantOfAModelThatCannotBeImportedAgainWrapsItsTorchScript)
{
    auto base = importModel("torchvision:resnet50");
    ASSERT_TRUE(base) << sentences::describe(base.error());
    base->weights = "file trained.pt";
    fake.succeed("weights on tiles");
    const auto variant = library.resolveVariant(*base, {"tile", "64x8"}, {}, {});
    ASSERT_TRUE(variant) << sentences::describe(variant.error());
    EXPECT_EQ(variant->source, "tiled:64x8:" + (base->artifact / "model.ts.pt").string());
    EXPECT_EQ(variant->name, "resnet50-tile-64x8");

    base->files = {{"onnx", "model.onnx"}};
    const auto refused = library.resolveVariant(*base, {"tile", "64x8"}, {}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalidArgument);
    EXPECT_THAT(sentences::sentence(refused.error().message), HasSubstr("is a file of an engine"));
}

TEST_F(Library, SourcesOfVariantsAreReadLikeOthers)
{
    const auto model = importModel("tiled:64x8:zoo:unet@128");
    ASSERT_TRUE(model) << sentences::describe(model.error());
    EXPECT_EQ(model->source, "tiled:64x8:zoo:unet@128");
    EXPECT_EQ(model->name, "unet-tile-64x8-128px");
    const fs::path file = modelFile("net.py");
    ASSERT_TRUE(importModel("sliced:2:python:" + fs::relative(file).string() + ":make"));
    EXPECT_THAT(fake.calls().at(1), HasSubstr("export sliced:2:python:" + file.string() + ":make --out "));
    for (const char* source : {"sliced:1:resnet50", "sliced:2", "tiled:64:resnet50"}) {
        const auto refused = importModel(source);
        ASSERT_FALSE(refused) << source;
        EXPECT_THAT(sentences::sentence(refused.error().message), HasSubstr("is no variant of a source"));
    }
    EXPECT_EQ(importModel("sliced:2:no_such").error().code, ErrorCode::notFound);
}

TEST_F(Library, AnExporterThatLiesIsNotBelieved)
{
    fake.script(R"(echo '{"t":"done"}')");
    EXPECT_EQ(importModel("torchvision:resnet50").error().code, ErrorCode::notFound);
    fake.succeed("weights", "short");
    EXPECT_EQ(importModel("torchvision:resnet50").error().code, ErrorCode::corrupt);
    EXPECT_THAT(fake.filesIn(models), IsEmpty());
}

TEST_F(Library, WhatADeadImportLeftIsRemovedAndALivingOneIsNot)
{
    const std::string living = ".importing-" + std::to_string(::getppid()) + "-1";
    fs::create_directories(models / ".importing-4194999-1/artifact.partial-1");
    fs::create_directories(models / living);
    ASSERT_TRUE(importModel("resnet18"));
    EXPECT_THAT(fake.filesIn(models), ElementsAre(living, "resnet18-5ddc1ce629d1"));
}

TEST_F(Library, ImportingAgainReplacesADamagedArtifact)
{
    const auto first = importModel("resnet18");
    ASSERT_TRUE(first);
    std::ofstream(first->artifact / "manifest.json") << "damaged";
    const auto second = importModel("resnet18");
    ASSERT_TRUE(second) << sentences::describe(second.error());
    EXPECT_EQ(second->artifact, first->artifact);
    EXPECT_TRUE(model::readManifest(second->artifact));
    EXPECT_THAT(fake.filesIn(models), SizeIs(1));
    EXPECT_THAT(store.models().value(), SizeIs(1));
}

TEST_F(Library, ANameBelongsToOneSource)
{
    ASSERT_TRUE(importModel("torchvision:resnet50", "net"));
    const auto other = importModel("torchvision:resnet18", "net");
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::invalidArgument);
    EXPECT_THAT(sentences::sentence(other.error().message),
                HasSubstr("already a model named net, from torchvision:resnet50"));
    EXPECT_THAT(fake.calls(), SizeIs(1)) << "found out before a minute was spent";
    EXPECT_TRUE(importModel("torchvision:resnet50", "net"));
}

TEST_F(Library, AMadeUpNameThatIsTakenGetsANumber)
{
    ASSERT_TRUE(importModel("torchvision:vgg11", "resnet50"));
    EXPECT_EQ(importModel("torchvision:resnet50")->name, "resnet50-2");
    EXPECT_EQ(importModel("timm:resnet50")->name, "resnet50-3");
    EXPECT_EQ(importModel("torchvision:resnet50")->name, "resnet50-2") << "the same source again is the same model";
    EXPECT_THAT(store.models().value(), SizeIs(3));
}

TEST_F(Library, NamesThatFoldersOrOptionsCannotHaveAreRefused)
{
    for (const char* name : {"a/b", "..", "-x", "a b", ".hidden", "caf\xc3\xa9"}) {
        const auto model = importModel("resnet18", name);
        ASSERT_FALSE(model) << name;
        EXPECT_EQ(model.error().code, ErrorCode::invalidArgument);
        EXPECT_THAT(sentences::sentence(model.error().hint), HasSubstr("for example"));
    }
    EXPECT_THAT(fake.calls(), IsEmpty());
}

TEST_F(Library, AReadOnlyWorkspaceTakesNoModels)
{
    const auto reader = fake.openStore(store::OpenMode::readOnly);
    ModelLibrary other(const_cast<store::Store&>(reader), fake.installation());
    const auto model = other.importModel({"resnet18", {}}, {}, {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::unsupported);
    EXPECT_THAT(fake.calls(), IsEmpty());
}

TEST_F(Library, AZooNameIsItsSourceImportedOnTheFlyAndOnlyOnce)
{
    const auto model = resolve("fasterrcnn_mobilenet");
    ASSERT_TRUE(model) << sentences::describe(model.error());
    EXPECT_EQ(model->name, "fasterrcnn_mobilenet");
    EXPECT_EQ(model->source, "torchvision:fasterrcnn_mobilenet_v3_large_320_fpn");
    ASSERT_TRUE(resolve("fasterrcnn_mobilenet"));
    ASSERT_TRUE(resolve("zoo:fasterrcnn_mobilenet"));
    ASSERT_TRUE(resolve("torchvision:fasterrcnn_mobilenet_v3_large_320_fpn"));
    EXPECT_THAT(fake.calls(), SizeIs(1));
}

TEST_F(Library, ANamedModelAtAnotherImageSizeIsAModelOfItsOwn)
{
    const auto small = resolve("resnet50@160");
    ASSERT_TRUE(small) << sentences::describe(small.error());
    EXPECT_EQ(small->source, "torchvision:resnet50@160");
    EXPECT_EQ(small->name, "resnet50-160px");
    EXPECT_EQ(resolve("torchvision:resnet50@0160")->name, small->name) << "two spellings are one model";
    EXPECT_EQ(resolve("resnet50")->name, "resnet50");
    for (const char* text : {"resnet50@", "resnet50@big", "torchvision:resnet50@-3"}) {
        const auto refused = resolve(text);
        ASSERT_FALSE(refused) << text;
        EXPECT_THAT(sentences::sentence(refused.error().message), HasSubstr("Invalid image size"));
    }
    ASSERT_TRUE(importModel("torchvision:resnet18", "mine"));
    EXPECT_EQ(resolve("mine@96")->source, "torchvision:resnet18@96");
    const auto file = resolve(modelFile("net.pt").string() + "@160");
    ASSERT_FALSE(file);
    EXPECT_THAT(sentences::sentence(file.error().message), HasSubstr("sets its own input sizes"));
}

TEST_F(Library, ASourceImportedUnderAnotherNameIsReused)
{
    ASSERT_TRUE(importModel("timm:convnext_nano", "mine"));
    EXPECT_EQ(resolve("timm:convnext_nano")->name, "mine");
    EXPECT_THAT(fake.calls(), SizeIs(1));
}

TEST_F(Library, OtherWeightsAreAnotherModel)
{
    model::ModelRef trained = importModel("torchvision:resnet18").value();
    trained.weights = "file trained.pt";
    ASSERT_TRUE(store.putModel(trained));
    EXPECT_EQ(resolve("torchvision:resnet18")->name, "resnet18-2");
}

TEST_F(Library, AFileIsImportedAgainOnlyWhenItHasChanged)
{
    const fs::path file = modelFile("net.pt");
    ASSERT_TRUE(resolve(file.string()));
    ASSERT_TRUE(resolve(fs::relative(file).string()));
    EXPECT_THAT(fake.calls(), SizeIs(1));
    fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::hours(1));
    fake.succeed("other weights");
    const auto changed = resolve(file.string());
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->name, "net");
    EXPECT_EQ(base::readFile(changed->artifact / "model.ts.pt").value(), "other weights");
    EXPECT_THAT(fake.calls(), SizeIs(2));
}

TEST_F(Library, APythonSourceNamesAFileAndACallable)
{
    const fs::path file = modelFile("net.py");
    const auto model = resolve("python:" + fs::relative(file).string() + ":make");
    ASSERT_TRUE(model) << sentences::describe(model.error());
    EXPECT_EQ(model->name, "make");
    EXPECT_EQ(model->source, "python:" + file.string() + ":make");
    EXPECT_EQ(resolve("python:" + file.string()).error().code, ErrorCode::invalidArgument);
    EXPECT_EQ(resolve("python:gone.py:make").error().code, ErrorCode::notFound);
}

TEST_F(Library, AFolderOfHuggingFaceIsASourceThatIsImportedAgainWhenAFileInItHasChanged)
{
    const fs::path config = modelFile("vit/config.json");
    const fs::path weights = modelFile("vit/model.safetensors");
    const auto model = resolve("hf:" + fs::relative(config.parent_path()).string());
    ASSERT_TRUE(model) << sentences::describe(model.error());
    EXPECT_EQ(model->name, "vit");
    EXPECT_EQ(model->source, "hf:" + config.parent_path().string());
    ASSERT_TRUE(resolve("hf:" + config.parent_path().string() + "/"));
    EXPECT_THAT(fake.calls(), SizeIs(1)) << "two spellings are one model";
    fs::last_write_time(weights, fs::file_time_type::clock::now() + std::chrono::hours(1));
    ASSERT_TRUE(resolve("hf:" + config.parent_path().string()));
    EXPECT_THAT(fake.calls(), SizeIs(2));
    const auto larger = resolve("hf:" + config.parent_path().string() + "@96");
    ASSERT_TRUE(larger) << sentences::describe(larger.error());
    EXPECT_EQ(larger->name, "vit-96px");
    EXPECT_EQ(larger->source, "hf:" + config.parent_path().string() + "@96");
    EXPECT_EQ(resolve("hf:" + config.string())->source, "hf:" + config.string());
}

TEST_F(Library, AFolderThatIsNotThereIsNotLookedForInTheNetwork)
{
    for (const char* text : {"hf:google/vit-base-patch16-224", "hf:vit", "diffusers:stabilityai/sdxl#unet"}) {
        const auto model = resolve(text);
        ASSERT_FALSE(model) << text;
        EXPECT_EQ(model.error().code, ErrorCode::notFound) << text;
        EXPECT_THAT(sentences::sentence(model.error().hint), HasSubstr("hf download")) << text;
    }
    EXPECT_THAT(fake.calls(), IsEmpty());
}

TEST_F(Library, AFolderThatWasGivenAsAFileIsNamedAsTheSourceThatItIs)
{
    const fs::path config = modelFile("vit/config.json");
    const auto model = importModel(config.parent_path().string());
    ASSERT_FALSE(model);
    EXPECT_THAT(sentences::sentence(model.error().hint), HasSubstr("hf:" + config.parent_path().string()));
    const fs::path index = modelFile("sd/model_index.json");
    EXPECT_THAT(sentences::sentence(importModel(index.parent_path().string()).error().hint),
                HasSubstr("diffusers:" + index.parent_path().string() + "#unet"));
}

TEST_F(Library, APartOfAPipelineIsAModelOfItsOwn)
{
    const auto unet = resolve("diffusers:sd_1_5#unet@256");
    ASSERT_TRUE(unet) << sentences::describe(unet.error());
    EXPECT_EQ(unet->name, "sd_1_5-unet-256px");
    EXPECT_EQ(unet->source, "diffusers:sd_1_5#unet@256");
    const fs::path pipeline = modelFile("sd/vae/config.json").parent_path().parent_path();
    const auto decoder = resolve("diffusers:" + fs::relative(pipeline).string() + "#vae_decoder");
    ASSERT_TRUE(decoder) << sentences::describe(decoder.error());
    EXPECT_EQ(decoder->name, "sd-vae_decoder");
    EXPECT_EQ(decoder->source, "diffusers:" + pipeline.string() + "#vae_decoder");
}

TEST_F(Library, AModelWhoseFilesAreGoneIsImportedAgain)
{
    const auto model = importModel("torchvision:resnet18", "net");
    ASSERT_TRUE(model);
    fs::remove_all(model->artifact);
    const auto again = resolve("net");
    ASSERT_TRUE(again) << sentences::describe(again.error());
    EXPECT_EQ(again->name, "net");
    EXPECT_TRUE(fs::exists(again->artifact / "manifest.json"));
}

TEST_F(Library, AModelOneOfWhoseFilesIsCutShortIsImportedAgain)
{
    const auto model = importModel("torchvision:resnet18", "net");
    ASSERT_TRUE(model);
    const fs::path manifest = model->artifact / "manifest.json";
    std::string text = base::readFile(manifest).value();
    const std::string described = "\"torchscript\":{";
    const auto at = text.find(described);
    ASSERT_NE(at, std::string::npos) << text;
    text.insert(at + described.size(), "\"bytes\":7,");
    ASSERT_TRUE(base::writeFileAtomically(manifest, text));
    ASSERT_TRUE(resolve("net"));
    EXPECT_THAT(fake.calls(), SizeIs(1)) << "it is whole";
    ASSERT_TRUE(base::writeFileAtomically(model->artifact / "model.ts.pt", "cut"));
    ASSERT_TRUE(resolve("net"));
    EXPECT_THAT(fake.calls(), SizeIs(2));
    ASSERT_TRUE(resolve("torchvision:resnet18"));
    EXPECT_THAT(fake.calls(), SizeIs(2)) << "it is whole again";
}

TEST_F(Library, AnEnginesFileIsItsOwnWeights)
{
    const fs::path file = modelFile("net.onnx");
    model::ModelRef model = importModel(file.string()).value();
    model.weights = "file net.onnx"; // the real exporter writes this
    ASSERT_TRUE(store.putModel(model));
    EXPECT_EQ(resolve(file.string())->name, "net");
    EXPECT_THAT(fake.calls(), SizeIs(1)) << "it is known already";
    fs::remove_all(model.artifact);
    ASSERT_TRUE(resolve("net"));
    EXPECT_THAT(fake.calls(), SizeIs(2)) << "it can be made again without being told the weights";
}

TEST_F(Library, AModelWithGivenWeightsWhoseFilesAreGoneSaysSo)
{
    model::ModelRef model = importModel("torchvision:resnet18", "net").value();
    model.weights = "file trained.pt";
    ASSERT_TRUE(store.putModel(model));
    fs::remove_all(model.artifact);
    const auto again = resolve("net");
    ASSERT_FALSE(again);
    EXPECT_THAT(sentences::sentence(again.error().message), HasSubstr("files of the model net are gone or damaged"));
    EXPECT_THAT(fake.calls(), SizeIs(1));
}

TEST_F(Library, AnArtifactFolderIsUsedWhereItLies)
{
    const auto made = importModel("torchvision:resnet18", "net");
    ASSERT_TRUE(made);
    const fs::path copy = fake.path() / "copy";
    fs::copy(made->artifact, copy, fs::copy_options::recursive);
    auto second = fake.openStore(store::OpenMode::readWrite, "second.apertune");
    ModelLibrary other(second, fake.installation());
    const auto adopted = other.resolve(fs::relative(copy).string(), {}, {});
    ASSERT_TRUE(adopted) << sentences::describe(adopted.error());
    EXPECT_EQ(adopted->name, "net");
    EXPECT_EQ(adopted->artifact, copy);
    EXPECT_TRUE(second.findModel("net").value());
    EXPECT_EQ(other.importModel({copy.string(), "renamed"}, {}, {})->name, "renamed");

    model::ModelRef taken = *made;
    taken.contentHash = "another";
    ASSERT_TRUE(second.putModel(taken));
    EXPECT_THAT(sentences::sentence(other.resolve(copy.string(), {}, {}).error().message),
                HasSubstr("already another model named net"));
}

TEST_F(Library, AnArtifactFolderThatClaimsTheContentHashOfAnotherModelIsRefused)
{
    // The hash that the exporter writes for these files, as Python computed it.
    const std::string genuine = "d9584437498be5771d79b5e5a6471f84aa1974df10354ad3ea1481e4ab6d6a71";
    const auto write = [&](const std::string& folder, const std::string& weights, const std::string& claim) {
        EXPECT_TRUE(base::writeFileAtomically(fake.path() / folder / "model.ts.pt", weights));
        EXPECT_TRUE(base::writeFileAtomically(fake.path() / folder / "inputs/0.bin", "0123"));
        EXPECT_TRUE(base::writeFileAtomically(
            fake.path() / folder / "manifest.json",
            R"({"schema":"apertune.model/1","name":")" + folder + R"(","source":"s","content_hash":")" + claim +
                R"(","exporter":1,"inputs":[{"name":"Größe","dtype":"float32","shape":[1],"batch_dim":0,)"
                R"("file":"inputs/0.bin","samples":1,"sha256":"1be2e452b46d7a0d9656bbb1f768e8248eba1b75baed65f5d99eafa948899a6a"}],)"
                R"("outputs":[{"name":"y","dtype":"float32","shape":[1,2],"batch_dim":null}],)"
                R"("files":{"torchscript":{"path":"model.ts.pt"},"exported":null}})"));
        return (fake.path() / folder).string();
    };
    const auto first = resolve(write("first", "weights", genuine));
    ASSERT_TRUE(first) << sentences::describe(first.error());
    EXPECT_EQ(first->contentHash, genuine);
    const auto poison = resolve(write("poison", "other weights", genuine));
    ASSERT_FALSE(poison);
    EXPECT_EQ(poison.error().code, ErrorCode::corrupt);
    EXPECT_THAT(sentences::sentence(poison.error().message), HasSubstr("does not match its files"));
    EXPECT_TRUE(resolve(write("unhashed", "other weights", "none"))) << "it claims to be no other model";
}

TEST_F(Library, CodeInAnImportThatClaimsTheContentHashOfAnotherModelDoesNotReplaceItsFiles)
{
    const auto genuine = importModel("torchvision:resnet50", "net");
    ASSERT_TRUE(genuine) << sentences::describe(genuine.error());
    fake.succeed("poison", genuine->contentHash);
    const auto poison = importModel(modelFile("poison.pt").string());
    ASSERT_FALSE(poison);
    EXPECT_EQ(poison.error().code, ErrorCode::corrupt);
    EXPECT_THAT(sentences::sentence(poison.error().message), HasSubstr("does not match its files"));
    // It also claims to be named like the other one.
    fake.script(R"(mkdir -p "$OUT"; cp ')" + genuine->artifact.string() + R"('/* "$OUT"; echo '{"t":"done"}')");
    const auto named = importModel(modelFile("again.pt").string());
    ASSERT_TRUE(named) << sentences::describe(named.error());
    EXPECT_EQ(named->name, "again");
    EXPECT_EQ(base::readFile(genuine->artifact / "model.ts.pt").value(), "weights");
    EXPECT_THAT(fake.filesIn(models), SizeIs(2));
}

TEST_F(Library, AModelWhoseWorkspaceStatesTheContentHashOfAnotherOneIsNotMeasured)
{
    auto model = importModel("torchvision:resnet50").value();
    EXPECT_TRUE(requireUsable(model));
    model.contentHash = std::string(64, 'a');
    const auto refused = requireUsable(model);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
    EXPECT_THAT(sentences::sentence(refused.error().message), HasSubstr("does not match its files"));
    model.contentHash = "a word";
    EXPECT_TRUE(requireUsable(model));
}

TEST_F(Library, AFolderThatHappensToHaveAZooNameIsNotInTheWay)
{
    const fs::path before = fs::current_path();
    fs::create_directories(fake.path() / "unet");
    fs::current_path(fake.path());
    const auto model = resolve("unet");
    fs::current_path(before);
    ASSERT_TRUE(model) << sentences::describe(model.error());
    EXPECT_EQ(model->source, "zoo:unet");
}

TEST_F(Library, UnknownNamesAreToldWithTheNearestKnownOne)
{
    ASSERT_TRUE(importModel("resnet18", "segmenter"));
    const auto hintFor = [&](const char* text) {
        const auto result = resolve(text);
        EXPECT_FALSE(result) << text;
        return result ? std::string()
                      : sentences::sentence(result.error().message) + " " + sentences::sentence(result.error().hint);
    };
    EXPECT_THAT(hintFor("segmenterr"), HasSubstr("Did you mean segmenter?"));
    EXPECT_THAT(hintFor("resnet5O"), HasSubstr("Did you mean resnet50?"));
    EXPECT_THAT(hintFor("xyzzy"), HasSubstr("There is no model \"xyzzy\". Use a model"));
    EXPECT_THAT(hintFor("tochvision:resnet50"), HasSubstr("Did you mean torchvision:resnet50?"));
    EXPECT_THAT(hintFor("dir/net.pt"), HasSubstr("There is no file dir/net.pt."));
    EXPECT_THAT(hintFor("timm:"), HasSubstr("There is no model or source"));
    EXPECT_THAT(hintFor(fake.path().c_str()), HasSubstr("is a folder, not a model"));
}

TEST(LibraryNames, AreMadeFromTheSource)
{
    EXPECT_EQ(defaultName("torchvision:resnet50"), "resnet50");
    EXPECT_EQ(defaultName("timm:resnet50.a1_in1k"), "resnet50.a1_in1k");
    EXPECT_EQ(defaultName("python:a/b.py:make"), "make");
    EXPECT_EQ(defaultName("x/y.pt"), "y");
    EXPECT_EQ(defaultName("/odd:place/my net.pt"), "my_net");
    EXPECT_EQ(defaultName("..."), "model");
}

TEST(Zoo, IsTheExportersOwnList)
{
    worker::Installation installation = worker::Installation::locate();
    installation.exporter = APERTUNE_TEST_EXPORTER;
    if (installation.torchRoot.empty())
        GTEST_SKIP() << "there is no Python with torch here, and the exporter lists its zoo with it";
    base::ChildCommand command;
    command.argv = {installation.python.string(), "-m", "apertune_exporter", "list", "--json"};
    command.environment["PYTHONPATH"] = installation.exporter.string();
    command.environment["PYTHONDONTWRITEBYTECODE"] = "1";
    auto child = base::ChildProcess::start(command);
    ASSERT_TRUE(child) << sentences::describe(child.error());
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(child->stdoutFd(), buffer, sizeof buffer);
        if (got > 0)
            text.append(buffer, static_cast<std::size_t>(got));
        else if (got == 0)
            break;
        else
            ::usleep(10000);
    }
    std::vector<std::string> theirs;
    for (const auto& entry : base::Json::parse(text))
        theirs.push_back(entry["name"].get<std::string>() + "|" + entry["source"].get<std::string>() + "|" +
                         entry["family"].get<std::string>() + "|" + entry["parameters"].dump() + "|" +
                         entry["description"].get<std::string>());
    std::vector<std::string> ours;
    for (const ZooEntry& entry : zoo())
        ours.push_back(entry.name + "|" + entry.source + "|" + std::string(toString(entry.task)) + "|" +
                       std::to_string(entry.parameters) + "|" + sentences::sentence(entry.summary));
    EXPECT_EQ(ours, theirs);
}

} // namespace
} // namespace apertune::models
