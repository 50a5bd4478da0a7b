// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/model/model_manifest.h"
#include "core/models/artifact_check.h"
#include "core/models/compile_cache.h"
#include "core/models/exporter_request.h"
#include "core/models/trust.h"
#include "core/sentences/sentences.h"
#include "tests/core/models/fake_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace apertune::models {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using model::OptLevel;
using model::Precision;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::EndsWith;
using testing::FakeExporter;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kFails =
    R"(echo '{"t":"error","code":"compile_failed","message":"AOTInductor could not compile it.","hint":"x"}'; exit 1)";

class Cache : public ::testing::Test
{
protected:
    Cache()
    {
        model.name = "net";
        model.artifact = fake.path() / "artifact";
        writeArtifact(model.artifact, "the weights");
        trustModel(model);
        model.hasExportedProgram = true;
        cpu.id = "cpu";
        cpu.name = "a CPU";
        cpu.isa = {"avx2"};
        gpu.id = "cuda:0";
        gpu.type = model::DeviceType::nvidiaGpu();
        gpu.name = "a GPU";
        gpu.uuid = "GPU-1234";
        gpu.computeMajor = 9;
    }
    /// An artifact whose manifest claims the same content hash whatever its files hold.
    static void writeArtifact(const fs::path& folder, const std::string& weights)
    {
        EXPECT_TRUE(base::writeFileAtomically(folder / "model.ts.pt", weights));
        EXPECT_TRUE(base::writeFileAtomically(
            folder / "manifest.json",
            R"({"schema":"apertune.model/1","name":"net","source":"s","content_hash":"abc","inputs":[],"outputs":[],)"
            R"("files":{"torchscript":{"path":"model.ts.pt"},"exported":null}})"));
    }
    static model::Config configuration(int batch = 1, Precision precision = Precision::fp32, int threads = 2)
    {
        return model::makeConfig(OptLevel::o3, precision, batch, threads, model::DeviceType::cpu());
    }
    auto get(const model::Config& config) { return cache.get(model, config, cpu, {}, {}); }
    std::vector<std::string> packages() { return fake.filesIn(base::userCacheDir() / "packages"); }

    FakeExporter fake;
    store::Store store = fake.openStore();
    CompileCache cache{store, fake.installation()};
    model::ModelRef model;
    model::Device cpu;
    model::Device gpu;
};

TEST_F(Cache, CompilesOnceAndRemembersTheTimeThatItTook)
{
    EXPECT_FALSE(cache.contains(model, configuration(), cpu));
    const auto made = get(configuration());
    ASSERT_TRUE(made) << sentences::describe(made.error());
    EXPECT_FALSE(made->cached);
    EXPECT_EQ(made->compile, base::fromSeconds(12.5));
    EXPECT_TRUE(fs::is_regular_file(made->path));
    EXPECT_TRUE(cache.contains(model, configuration(), cpu));

    const auto again = get(configuration());
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->cached);
    EXPECT_EQ(again->path, made->path);
    EXPECT_EQ(again->compile, base::fromSeconds(12.5));
    EXPECT_THAT(fake.calls(), SizeIs(1));
}

TEST_F(Cache, AnswersFromTheWorkspaceAfterARestart)
{
    ASSERT_TRUE(get(configuration()));
    CompileCache restarted(store, fake.installation());
    EXPECT_TRUE(restarted.contains(model, configuration(), cpu));
    EXPECT_TRUE(restarted.get(model, configuration(), cpu, {}, {})->cached);
    EXPECT_THAT(fake.calls(), SizeIs(1));
}

TEST_F(Cache, ServesAWorkspaceThatIsOpenForReadingOnly)
{
    auto view = fake.openStore(store::OpenMode::readOnly); // an export opens it like this while a sweep writes
    CompileCache reading(view, fake.installation());
    const auto made = reading.get(model, configuration(), cpu, {}, {});
    ASSERT_TRUE(made) << sentences::describe(made.error());
    EXPECT_FALSE(made->cached);
    EXPECT_TRUE(reading.get(model, configuration(), cpu, {}, {})->cached);
    EXPECT_TRUE(get(configuration())->cached) << "the writer finds what the reader made";
    fake.script(kFails);
    EXPECT_EQ(reading.get(model, configuration(2), cpu, {}, {}).error().code, ErrorCode::compileFailed);
}

TEST_F(Cache, FindsWhatAnotherWorkspaceCompiled)
{
    ASSERT_TRUE(get(configuration()));
    auto second = fake.openStore(store::OpenMode::readWrite, "second.apertune");
    CompileCache other(second, fake.installation());
    EXPECT_TRUE(other.contains(model, configuration(), cpu));
    const auto found = other.get(model, configuration(), cpu, {}, {});
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->cached);
    EXPECT_THAT(fake.calls(), SizeIs(1));
}

TEST_F(Cache, EverythingThatDecidesTheContentMakesAnotherPackage)
{
    std::vector<std::string> paths;
    const auto add = [&](const model::ModelRef& ref, const model::Config& config, const model::Device& device) {
        const auto package = cache.get(ref, config, device, {}, {});
        ASSERT_TRUE(package) << sentences::describe(package.error());
        EXPECT_THAT(paths, Each(Not(package->path.string())));
        paths.push_back(package->path.string());
    };
    add(model, configuration(), cpu);
    add(model, configuration(2), cpu);
    add(model, configuration(1, Precision::bf16), cpu);
    add(model, configuration(1, Precision::fp32, 4), cpu);
    model::Config changed = configuration();
    changed.switches["channels_last"] = true;
    add(model, changed, cpu);
    changed = configuration();
    changed.switches["max_autotune"] = true;
    add(model, changed, cpu);
    model::Device device = cpu;
    device.isa.emplace_back("avx512f");
    add(model, configuration(), device);
    device = cpu;
    device.name = "another CPU";
    add(model, configuration(), device);
    add(model, configuration(), gpu);
    device = gpu;
    device.computeMajor = 8;
    add(model, configuration(), device);
    model::ModelRef ref = model;
    ref.artifact = fake.path() / "other";
    writeArtifact(ref.artifact, "other weights");
    trustModel(ref);
    add(ref, configuration(), cpu);
    EXPECT_THAT(fake.calls(), SizeIs(11));
}

TEST_F(Cache, AnArtifactThatClaimsTheHashOfAnotherModelNeitherFillsNorUsesItsEntries)
{
    model::ModelRef stranger = model;
    stranger.artifact = fake.path() / "stranger";
    writeArtifact(stranger.artifact, "a stranger's weights");
    trustModel(stranger);
    ASSERT_EQ(model::readManifest(stranger.artifact)->contentHash, model::readManifest(model.artifact)->contentHash);
    const auto poison = cache.get(stranger, configuration(), cpu, {}, {});
    ASSERT_TRUE(poison) << sentences::describe(poison.error());
    EXPECT_FALSE(cache.contains(model, configuration(), cpu));
    const auto genuine = get(configuration());
    ASSERT_TRUE(genuine);
    EXPECT_FALSE(genuine->cached);
    EXPECT_NE(genuine->path, poison->path);
}

TEST_F(Cache, TheSameModelImportedUnderTwoNamesSharesItsEntries)
{
    ASSERT_TRUE(get(configuration()));
    model::ModelRef renamed = model;
    renamed.artifact = fake.path() / "renamed";
    writeArtifact(renamed.artifact, "the weights");
    std::string manifest = base::readFile(renamed.artifact / "manifest.json").value();
    manifest.replace(manifest.find("net"), 3, "other");
    ASSERT_TRUE(base::writeFileAtomically(renamed.artifact / "manifest.json", manifest));
    EXPECT_TRUE(cache.contains(renamed, configuration(), cpu));
}

TEST_F(Cache, ANewTorchMakesNewPackages)
{
    worker::Installation installation = fake.installation();
    installation.torchRoot = fake.path() / "torch";
    fs::create_directories(installation.torchRoot);
    std::ofstream(installation.torchRoot / "version.py") << "__all__ = []\n__version__ = '2.11.0+cu130'\n";
    CompileCache versioned(store, installation);
    ASSERT_TRUE(versioned.get(model, configuration(), cpu, {}, {}));
    EXPECT_TRUE(versioned.contains(model, configuration(), cpu));
    std::ofstream(installation.torchRoot / "version.py") << "__version__ = '2.12.0'\n";
    EXPECT_FALSE(versioned.contains(model, configuration(), cpu));
}

TEST_F(Cache, WhatDoesNotDecideTheContentSharesThePackage)
{
    ASSERT_TRUE(get(configuration()));
    model::Config other = configuration();
    other.switches["cuda_graph"] = true;
    EXPECT_TRUE(get(other)->cached);
    other = configuration();
    other.precision = Precision::tf32;
    EXPECT_TRUE(get(other)->cached);
    model::Device twin = cpu;
    twin.clockMhz = 1234;
    EXPECT_TRUE(cache.get(model, configuration(), twin, {}, {})->cached);
    model::ModelRef renamed = model;
    renamed.name = "other";
    EXPECT_TRUE(cache.get(renamed, configuration(), cpu, {}, {})->cached);
}

TEST_F(Cache, ASwitchThatChangesTheArgumentsChangesThePackage)
{
    const auto before = get(configuration());
    ASSERT_TRUE(before) << sentences::describe(before.error());
    const auto argumentsOf = [&](const model::Config& config) {
        return compileRequest(model, config, cpu).value().arguments();
    };
    for (const model::SwitchInfo& info : model::switchCatalogue()) {
        if (info.name == "aoti")
            continue;
        model::Config flipped = configuration();
        flipped.switches[info.name] = !flipped.isOn(info.name);
        const bool compiled = !(info.compile == model::CompileArguments{});
        EXPECT_EQ(argumentsOf(flipped) != argumentsOf(configuration()), compiled) << info.name;
        const auto after = get(flipped);
        ASSERT_TRUE(after) << sentences::describe(after.error());
        EXPECT_EQ(after->path != before->path, compiled) << info.name;
    }
}

TEST_F(Cache, Tf32IsPartOfAPackageWhoseKernelsWereGenerated)
{
    model::Config tf32 = configuration();
    tf32.precision = model::Precision::tf32;
    model::Config fp32 = configuration();
    fp32.precision = model::Precision::fp32;
    const auto argumentsOf = [&](model::Config config, bool autotuned) {
        config.switches["max_autotune"] = autotuned;
        return compileRequest(model, config, gpu).value().arguments();
    };
    EXPECT_EQ(argumentsOf(tf32, false), argumentsOf(fp32, false)) << "libraries choose it at run time";
    EXPECT_NE(argumentsOf(tf32, true), argumentsOf(fp32, true));
}

TEST_F(Cache, AnotherExporterCompilesAnew)
{
    const auto before = get(configuration());
    ASSERT_TRUE(before) << sentences::describe(before.error());
    std::ofstream(fake.installation().exporter / "apertune_exporter/package.py") << "# another way";
    const auto after = get(configuration());
    ASSERT_TRUE(after);
    EXPECT_FALSE(after->cached);
    EXPECT_NE(after->path, before->path);
}

TEST_F(Cache, TellsTheExporterEverything)
{
    model::Config config = configuration(4, Precision::bf16, 3);
    config.switches["max_autotune"] = true;
    config.switches["channels_last"] = true;
    config.switches["sdpa_math"] = true;
    const auto made = get(config);
    ASSERT_TRUE(made);
    // The package is made in a folder of its own beside its place.
    EXPECT_THAT(fake.calls().at(0),
                AllOf(HasSubstr("-m apertune_exporter compile --artifact " + model.artifact.string() +
                                " --batch 4 --precision bf16 --device cpu --threads 3 --channels-last"
                                " --max-autotune --attention math --out " +
                                (made->path.parent_path() / ".importing-").string()),
                      EndsWith("/" + made->path.filename().string())));
    fake.script(R"(echo "{\"t\":\"error\",\"code\":\"io\",\"message\":\"sees $CUDA_VISIBLE_DEVICES\",\"hint\":\"\"}")");
    model::Config onGpu = model::makeConfig(OptLevel::o3, Precision::tf32, 1, 0, model::DeviceType::nvidiaGpu());
    EXPECT_EQ(sentences::sentence(cache.get(model, onGpu, gpu, {}, {}).error().message), "sees GPU-1234");
    EXPECT_THAT(fake.calls().at(1), HasSubstr("--precision fp32 --device cuda"));
    EXPECT_THAT(fake.calls().at(1), Not(HasSubstr("--threads")));
}

TEST_F(Cache, AFailedCompileIsPaidForOnce)
{
    fake.script(kFails);
    const auto first = get(configuration());
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code, ErrorCode::compileFailed);
    EXPECT_TRUE(cache.contains(model, configuration(), cpu)) << "the answer is known at once";
    fake.succeed();
    CompileCache restarted(store, fake.installation());
    const auto again = restarted.get(model, configuration(), cpu, {}, {});
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::compileFailed);
    EXPECT_EQ(sentences::sentence(again.error().message), "AOTInductor could not compile it.");
    EXPECT_NE(sentences::sentence(again.error().hint), "");
    EXPECT_THAT(fake.calls(), SizeIs(1));
}

TEST_F(Cache, AFailedCompileIsTriedAgainWhenAskedFor)
{
    fake.script(kFails);
    ASSERT_FALSE(get(configuration()));
    fake.succeed();
    cache.retryFailed();
    EXPECT_FALSE(cache.contains(model, configuration(), cpu));
    EXPECT_TRUE(get(configuration()));
    CompileCache restarted(store, fake.installation());
    EXPECT_TRUE(restarted.get(model, configuration(), cpu, {}, {})->cached) << "the success replaced the failure";
}

TEST_F(Cache, ACrashOrACancelIsNotHeldAgainstTheConfiguration)
{
    fake.script(R"(mkdir -p "$OUT.partial-$$"; kill -KILL $$)");
    EXPECT_EQ(get(configuration()).error().code, ErrorCode::crashed);
    EXPECT_THAT(packages(), IsEmpty()) << "nothing half-written stays";
    fake.script(R"(mkdir -p "$OUT.partial-$$"; echo '{"t":"progress","i":1,"n":6,"text":"Compiling"}'; sleep 300)");
    std::stop_source stop;
    const auto cancelled = cache.get(
        model, configuration(), cpu, [&](const ExporterProgress&) { stop.request_stop(); }, stop.get_token());
    EXPECT_EQ(cancelled.error().code, ErrorCode::cancelled);
    EXPECT_THAT(packages(), IsEmpty());
    fake.succeed();
    EXPECT_TRUE(get(configuration()));
}

TEST_F(Cache, WhatTheMachineLackedIsTriedAgainOnceItIsThere)
{
    fake.script(R"(echo '{"t":"error","code":"toolchain","message":"CUDA_HOME is not set.","hint":"x"}'; exit 1)");
    EXPECT_EQ(get(configuration()).error().code, ErrorCode::unsupported);
    EXPECT_FALSE(cache.contains(model, configuration(), cpu)) << "the failure is no answer for the next sweep";
    fake.succeed();
    EXPECT_TRUE(get(configuration()));
}

TEST_F(Cache, ADamagedPackageIsCompiledAgain)
{
    const auto made = get(configuration());
    ASSERT_TRUE(made);
    std::ofstream(made->path) << "cut";
    EXPECT_FALSE(cache.contains(model, configuration(), cpu));
    const auto again = get(configuration());
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->cached);
    fs::remove(made->path);
    EXPECT_FALSE(get(configuration())->cached);
    std::ofstream(made->path.string() + ".json") << "[]";
    EXPECT_FALSE(get(configuration())->cached);
    EXPECT_THAT(fake.calls(), SizeIs(4));
}

TEST_F(Cache, AnExporterThatLeavesNoPackageIsNotBelieved)
{
    fake.script(R"(echo '{"t":"done"}')");
    EXPECT_EQ(get(configuration()).error().code, ErrorCode::crashed);
}

TEST_F(Cache, AModelWithoutExportedProgramIsRefusedAtOnce)
{
    model.hasExportedProgram = false;
    EXPECT_EQ(get(configuration()).error().code, ErrorCode::unsupported);
    EXPECT_THAT(fake.calls(), IsEmpty());
}

TEST_F(Cache, WithoutACompilerItSaysSoButStillServesWhatItHas)
{
    ASSERT_TRUE(get(configuration()));
    CompileCache bare(store, worker::Installation{});
    EXPECT_FALSE(bare.available());
    EXPECT_TRUE(bare.get(model, configuration(), cpu, {}, {})->cached);
    const auto refused = bare.get(model, configuration(2), cpu, {}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

TEST_F(Cache, CompilesOneAtATimeAndTheSecondFindsWhatTheFirstMade)
{
    fake.script(R"(echo begin >> "$(dirname "$OUT")/../../order"; sleep 0.3
printf 'package' > "$OUT"; echo '{"compile_seconds":1,"bytes":7}' > "$OUT.json"
echo end >> "$(dirname "$OUT")/../../order"; echo '{"t":"done"}')");
    std::atomic<int> cached{0};
    const auto work = [&](int batch) { cached += get(configuration(batch))->cached; };
    std::vector<std::thread> threads;
    for (int batch : {1, 1, 2})
        threads.emplace_back(work, batch);
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(cached, 1);
    EXPECT_EQ(base::readFile(base::userCacheDir() / "order").value(), "begin\nend\nbegin\nend\n");
}

TEST_F(Cache, WaitingForAnotherCompileCanBeCancelled)
{
    fake.script(R"(echo '{"t":"progress","i":1,"n":6,"text":"x"}'; sleep 300)");
    std::stop_source first;
    std::atomic<bool> running{false};
    std::thread busy([&] {
        (void)cache.get(
            model, configuration(), cpu, [&](const ExporterProgress&) { running = true; }, first.get_token());
    });
    while (!running)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::stop_source second;
    second.request_stop();
    EXPECT_EQ(cache.get(model, configuration(2), cpu, {}, second.get_token()).error().code, ErrorCode::cancelled);
    first.request_stop();
    busy.join();
    EXPECT_THAT(fake.calls(), SizeIs(1));
}

TEST_F(Cache, APackageOfEveryBatchIsMadeOnceForAll)
{
    model::Config config = configuration(4);
    config.switches["aoti_dynamic_batch"] = true;
    const auto made = get(config);
    ASSERT_TRUE(made) << sentences::describe(made.error());
    EXPECT_THAT(fake.calls().back(), HasSubstr("--dynamic-batch"));
    EXPECT_THAT(fake.calls().back(), Not(HasSubstr("--batch 4")));
    config.batch = 1;
    EXPECT_TRUE(cache.contains(model, config, cpu));
    EXPECT_EQ(get(config)->path, made->path);
    EXPECT_NE(get(configuration(4))->path, made->path);
    EXPECT_THAT(fake.calls().back(), HasSubstr("--batch 4"));
}

TEST_F(Cache, WeightsAreFrozenUnlessTheSwitchIsOff)
{
    const auto frozen = get(configuration());
    ASSERT_TRUE(frozen) << sentences::describe(frozen.error());
    EXPECT_THAT(fake.calls().back(), Not(HasSubstr("--no-freezing")));
    model::Config loose = configuration();
    loose.switches["freeze"] = false;
    EXPECT_NE(get(loose)->path, frozen->path);
    EXPECT_THAT(fake.calls().back(), HasSubstr("--no-freezing"));
}

TEST_F(Cache, AnInt8PackageIsMadeForEachWayOfCalibratingAndSaysWhich)
{
    fake.script(R"(printf 'package' > "$OUT"
cat > "$OUT.json" <<END
{"compile_seconds":20,"bytes":7,"quantization":
 {"calibration":"64 generated samples","method":"PT2E","weight_bits":8,"layers":["conv"],"kernels":{},"float_kernels":{}}}
END
echo '{"t":"done","package":"'"$OUT"'"}')");
    cpu.isa = {"avx2", "avx_vnni"};
    model::Config config = configuration(2, Precision::int8);
    config.quantization = model::Quantization{};
    const auto made = get(config);
    ASSERT_TRUE(made) << sentences::describe(made.error());
    EXPECT_EQ(made->calibration, "64 generated samples; PT2E, 8-bit weights");
    EXPECT_THAT(fake.calls().back(), HasSubstr("--precision int8"));
    EXPECT_THAT(fake.calls().back(), HasSubstr("--calibration-samples 64"));
    EXPECT_THAT(fake.calls().back(), Not(HasSubstr("--narrow-weights")));
    const auto again = get(config);
    EXPECT_TRUE(again->cached);
    EXPECT_EQ(again->calibration, made->calibration);

    config.quantization->samples = 8;
    EXPECT_FALSE(get(config)->cached);
    fs::create_directories(fake.path() / "photos");
    config.quantization->images = (fake.path() / "photos").string();
    EXPECT_FALSE(get(config)->cached);
    EXPECT_THAT(fake.calls().back(), HasSubstr("--calibration " + config.quantization->images));
    EXPECT_TRUE(get(config)->cached);
    std::ofstream(fake.path() / "photos/new.png") << "a picture";
    EXPECT_FALSE(get(config)->cached);
    cpu.isa = {"avx2"};
    EXPECT_FALSE(get(config)->cached);
    EXPECT_THAT(fake.calls().back(), HasSubstr("--narrow-weights"));
}

class Int8 : public Cache
{
protected:
    Int8()
    {
        std::filesystem::create_directories(fake.path() / "plugins");
        std::ofstream(fake.path() / "plugins/engine.json") << R"({"title":"Engine","formats":["onnx"]})";
        model.files = {{"torchscript", "model.ts.pt"}};
        config.backend = "engine";
        config.precision = Precision::int8;
        config.quantization = model::Quantization{};
        fake.script(R"(mkdir -p "$OUT"; printf 'model' > "$OUT/model.onnx"
cat > "$OUT/format.json" <<END
{"file":"model.onnx","bytes":5,"seconds":3,"dynamic_batch":true,"quantization":
 {"layers":["stem","head"],"calibration":"64 generated samples","method":"static QDQ","weight_bits":7}}
END
echo '{"t":"done","artifact":"'"$OUT"'"}')");
    }
    static worker::Installation with(worker::Installation installation, const fs::path& plugins)
    {
        installation.plugins = plugins;
        return installation;
    }
    auto get() { return engines.get(model, config, cpu, {}, {}); }

    CompileCache engines{store, with(fake.installation(), fake.path() / "plugins")};
    model::Config config;
};

TEST_F(Int8, ModelsAreMadeOnceForEachWayOfCalibrating)
{
    const auto made = get();
    ASSERT_TRUE(made) << sentences::describe(made.error());
    EXPECT_EQ(made->calibration, "64 generated samples; static QDQ, 7-bit weights");
    EXPECT_THAT(fake.calls().back(),
                AllOf(HasSubstr("--from "), HasSubstr("--precision int8 --calibration-samples 64 --narrow-weights")));
    EXPECT_TRUE(get()->cached);
    EXPECT_TRUE(engines.contains(model, config, cpu));
    ASSERT_THAT(fake.calls(), SizeIs(2)); // the float model first: int8 is made of it
    EXPECT_THAT(fake.calls().front(), Not(HasSubstr("int8")));
    EXPECT_THAT(fake.calls().back(), HasSubstr("/model.onnx"));

    config.batch = 4; // one file serves every batch
    EXPECT_TRUE(get()->cached);
    config.quantization->samples = 8;
    EXPECT_FALSE(get()->cached);
    config.quantization->floatLayers = {"stem"};
    EXPECT_FALSE(get()->cached);
    EXPECT_THAT(fake.calls().back(), HasSubstr("--float-layer=stem"));
    cpu.isa.emplace_back("avx512_vnni");
    EXPECT_FALSE(get()->cached);
    EXPECT_THAT(fake.calls().back(), Not(HasSubstr("--narrow-weights")));
    const std::size_t calls = fake.calls().size();
    config.quantization.reset(); // float
    EXPECT_TRUE(get()->cached);
    EXPECT_THAT(fake.calls(), SizeIs(calls));
}

TEST_F(Int8, AnEngineWithoutZeroPointsGetsAnotherFile)
{
    EXPECT_FALSE(get()->cached);
    EXPECT_THAT(fake.calls().back(), Not(HasSubstr("--symmetric-activations")));
    std::ofstream(fake.path() / "plugins/engine.json")
        << R"({"title":"Engine","formats":["onnx"],"int8_activations":"symmetric"})";
    EXPECT_FALSE(get()->cached);
    EXPECT_THAT(fake.calls().back(), HasSubstr("--symmetric-activations"));
    EXPECT_TRUE(get()->cached);
}

TEST_F(Int8, AConvertedFileOfAnArtifactThatClaimsTheHashOfAnotherModelIsNotUsedForIt)
{
    model::ModelRef stranger = model;
    stranger.artifact = fake.path() / "stranger";
    writeArtifact(stranger.artifact, "a stranger's weights");
    trustModel(stranger);
    ASSERT_TRUE(engines.get(stranger, config, cpu, {}, {}));
    EXPECT_FALSE(engines.contains(model, config, cpu));
    EXPECT_EQ(convertedFile(model, "onnx", 1), fs::path());
    EXPECT_FALSE(get()->cached);
}

TEST_F(Int8, AFloatFileThatWasWrittenIsFoundWithoutWritingOne)
{
    EXPECT_EQ(convertedFile(model, "onnx", 1), fs::path());
    EXPECT_THAT(fake.calls(), IsEmpty());
    ASSERT_TRUE(get()); // int8 is made of the float file
    const fs::path found = convertedFile(model, "onnx", 4);
    EXPECT_TRUE(fs::is_regular_file(found)) << "one file serves every batch";
    config.quantization.reset();
    config.precision = Precision::fp32;
    EXPECT_EQ(found, get()->path);
    EXPECT_EQ(convertedFile(model, "openvino_ir", 1), fs::path());
    EXPECT_THAT(fake.calls(), SizeIs(2));
}

TEST_F(Int8, OtherImagesAreAnotherCalibration)
{
    const fs::path photos = fake.path() / "photos";
    fs::create_directories(photos / "cat");
    std::ofstream(photos / "cat/1.png") << "1";
    config.quantization->images = photos;
    EXPECT_FALSE(get()->cached);
    EXPECT_TRUE(get()->cached);
    EXPECT_THAT(fake.calls().back(), HasSubstr("--calibration " + photos.string()));
    std::ofstream(photos / "cat/2.png") << "2";
    EXPECT_FALSE(get()->cached);
    // Another image of the same name, size and time.
    const auto time = fs::last_write_time(photos / "cat/2.png");
    std::ofstream(photos / "cat/2.png") << "3";
    fs::last_write_time(photos / "cat/2.png", time);
    EXPECT_FALSE(get()->cached);
    // The same images in another place, which are newer.
    fs::copy(photos, fake.path() / "moved", fs::copy_options::recursive);
    config.quantization->images = fake.path() / "moved";
    EXPECT_TRUE(get()->cached);
}

TEST_F(Cache, ALinkToAnotherFileOfTheArtifactIsAnotherModel)
{
    std::ofstream(model.artifact / "one.bin") << "1";
    std::ofstream(model.artifact / "two.bin") << "2";
    fs::create_symlink("one.bin", model.artifact / "weights.bin");
    const std::string one = artifactKey(model.artifact).value();
    fs::remove(model.artifact / "weights.bin");
    fs::create_symlink("two.bin", model.artifact / "weights.bin");
    EXPECT_NE(artifactKey(model.artifact).value(), one);
    fs::create_directories(model.artifact / "a");
    fs::create_directories(model.artifact / "b");
    std::ofstream(model.artifact / "a/w") << "a";
    std::ofstream(model.artifact / "b/w") << "b";
    fs::create_symlink("a", model.artifact / "folder");
    const std::string first = artifactKey(model.artifact).value();
    fs::remove(model.artifact / "folder");
    fs::create_symlink("b", model.artifact / "folder");
    EXPECT_NE(artifactKey(model.artifact).value(), first);
}

TEST_F(Int8, OfAnEnginesOwnFileIsMadeOfThatFile)
{
    model.files = {{"onnx", "model.onnx"}};
    EXPECT_FALSE(get()->cached);
    config.quantization.reset();
    EXPECT_EQ(get()->path, model.artifact / "model.onnx");
}

} // namespace
} // namespace apertune::models
