// SPDX-License-Identifier: GPL-3.0-or-later
// The engine is known by the slots of a table. A library that is not what it says is found out before any measuring.
#include "plugins/onnxruntime/export/onnxruntime_api.h"
#include "tests/plugins/onnxruntime/onnx_models.h"
#include "tests/plugins/support/plugin_client.h"
#include "tests/support/section.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>

namespace apertune::test {
namespace {

using testing::HasSubstr;

struct Outcome
{
    int status = -1; ///< status of describe(); -1: the process died
    std::string message;
};

/// Calls describe() of the plugin in a process of its own, where `library` stands for the engine.
Outcome describeWith(const std::string& library, const std::string& fake, const std::string& real = {})
{
    std::filesystem::create_directories(artifacts());
    int ends[2];
    if (::pipe(ends) != 0)
        return {};
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("APERTUNE_ONNXRUNTIME", library.c_str(), 1);
        ::setenv("FAKE_ORT", fake.c_str(), 1);
        if (!real.empty())
            ::setenv("FAKE_ORT_REAL", real.c_str(), 1);
        // A copy of its own: the plugin keeps the engine that it found.
        const std::string copy = artifacts() + "/plugin-" + std::to_string(::getpid()) + ".so";
        std::filesystem::copy_file(APERTUNE_TEST_PLUGIN, copy);
        void* plugin = ::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
        std::filesystem::remove(copy);
        const auto entry = reinterpret_cast<const apertune_plugin* (*)()>(
            plugin ? ::dlsym(plugin, APERTUNE_PLUGIN_ENTRY_SYMBOL) : nullptr);
        if (!entry)
            ::_exit(99);
        std::string text;
        const auto append = [](void* user, const char* bytes, std::size_t size) {
            static_cast<std::string*>(user)->append(bytes, size);
        };
        const apertune_status status = entry()->describe(append, &text);
        if (status != APERTUNE_OK)
            entry()->last_error(nullptr, append, &text);
        if (::write(ends[1], text.data(), text.size()) < 0)
            ::_exit(98);
        ::_exit(status);
    }
    ::close(ends[1]);
    Outcome outcome;
    char buffer[4096];
    for (ssize_t size = 0; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        outcome.message.append(buffer, static_cast<std::size_t>(size));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status))
        outcome.status = WEXITSTATUS(status);
    return outcome;
}

TEST(OnnxRuntimeBinding, NeedsNoEngineToSayThatThereIsNone)
{
    if (::dlsym(RTLD_DEFAULT, "OrtGetApiBase"))
        GTEST_SKIP() << "another test of this process has loaded the engine";
    const Outcome outcome = describeWith("", "");
    EXPECT_EQ(outcome.status, APERTUNE_UNSUPPORTED);
    EXPECT_THAT(outcome.message, HasSubstr("ONNX Runtime was not found"));
    EXPECT_THAT(outcome.message, HasSubstr("pip install onnxruntime"));
}

TEST(OnnxRuntimeBinding, RefusesALibraryThatIsNotThere)
{
    const Outcome outcome = describeWith("/nowhere/libonnxruntime.so", "");
    EXPECT_EQ(outcome.status, APERTUNE_INTERNAL);
    EXPECT_THAT(outcome.message, HasSubstr("/nowhere/libonnxruntime.so"));
}

TEST(OnnxRuntimeBinding, RefusesALibraryThatIsAnotherThing)
{
    const Outcome outcome = describeWith(APERTUNE_TEST_PLUGIN, "");
    EXPECT_EQ(outcome.status, APERTUNE_INTERNAL);
    EXPECT_THAT(outcome.message, HasSubstr("it has no OrtGetApiBase"));
}

TEST(OnnxRuntimeBinding, RefusesVersionsItDoesNotKnow)
{
    for (const char* version : {"version:1.13.9", "version:2.0.0", "version:0.5.0"}) {
        const Outcome outcome = describeWith(APERTUNE_TEST_FAKE, version);
        EXPECT_EQ(outcome.status, APERTUNE_UNSUPPORTED) << version;
        EXPECT_THAT(outcome.message, HasSubstr("is not supported: this backend needs 1.14 or a later 1.x"));
    }
    for (const char* version : {"no_version", "version:nightly"})
        EXPECT_THAT(describeWith(APERTUNE_TEST_FAKE, version).message, HasSubstr("does not say its version"));
}

TEST(OnnxRuntimeBinding, RefusesALibraryWithoutTheTableOfItsOwnVersion)
{
    const Outcome outcome = describeWith(APERTUNE_TEST_FAKE, "no_table");
    EXPECT_EQ(outcome.status, APERTUNE_INTERNAL);
    EXPECT_THAT(outcome.message, HasSubstr("does not offer the interface of its own version"));
}

TEST(OnnxRuntimeBinding, NamesAnEmptySlot)
{
    const Outcome outcome = describeWith(APERTUNE_TEST_FAKE, "hole:30");
    EXPECT_EQ(outcome.status, APERTUNE_INTERNAL);
    EXPECT_THAT(outcome.message, HasSubstr("slot 30 (inputCount) is empty"));
}

TEST(OnnxRuntimeBinding, PassesOnWhatAnEngineThatRefusesEverythingSays)
{
    const Outcome outcome = describeWith(APERTUNE_TEST_FAKE, "refuse");
    EXPECT_EQ(outcome.status, APERTUNE_INTERNAL);
    EXPECT_THAT(outcome.message, HasSubstr("the fake refuses"));
}

TEST(OnnxRuntimeBinding, HasEachSlotOnceAndInTheOrderOfTheVersions)
{
    std::set<int> slots;
    int last = -1;
#define CHECK_SLOT(name, slot, result, arguments)                                                                      \
    EXPECT_GT(slot, last) << #name;                                                                                    \
    last = slot;                                                                                                       \
    EXPECT_TRUE(slots.insert(slot).second) << #name;
    APERTUNE_ORT_FUNCTIONS(CHECK_SLOT)
    // Each version of the interface ends at a slot that can never change: 14 ends at 238, 23 at 389.
    EXPECT_LE(last, 238);
    APERTUNE_ORT_NEWER_FUNCTIONS(CHECK_SLOT)
    EXPECT_LE(last, 389);
#undef CHECK_SLOT
}

TEST(OnnxRuntimeBinding, TakesTheRealLibraryThroughACopyOfItsTable)
{
    NEEDS_ONNXRUNTIME();
    const Outcome outcome = describeWith(APERTUNE_TEST_FAKE, "real", realLibrary());
    EXPECT_EQ(outcome.status, APERTUNE_OK) << outcome.message;
}

/// Each is wrong by one: what a table that lost or gained a function would do.
TEST(OnnxRuntimeBinding, TheSelfTestFindsExchangedSlots)
{
    NEEDS_ONNXRUNTIME();
    for (const char* swap : {"swap:1,2", "swap:7,8", "swap:8,9", "swap:30,31", "swap:36,37", "swap:33,34", "swap:49,48",
                             "swap:60,61", "swap:61,62", "swap:64,65", "swap:69,70", "swap:125,124", "swap:130,129",
                             "swap:133,134", "swap:136,137", "swap:237,236", "swap:238,237"}) {
        const Outcome outcome = describeWith(APERTUNE_TEST_FAKE, swap, realLibrary());
        EXPECT_NE(outcome.status, APERTUNE_OK) << swap;
    }
}

TEST(OnnxRuntimeBinding, ItsSwitchesStandInTheManual)
{
    NEEDS_ONNXRUNTIME();
    if (hasCuda())
        GTEST_SKIP() << "with a GPU's provider there are more; the page names them below the table";
    expectSection(APERTUNE_MANUAL "/reference/switches.md", "onnxruntime", switchTable());
}

TEST(OnnxRuntimeBinding, DescribesItsLevelsSwitchesAndDevices)
{
    NEEDS_ONNXRUNTIME();
    const Json description = describePlugin();
    EXPECT_EQ(description.at("name"), "onnxruntime");
    EXPECT_EQ(description.at("formats"), Json({"onnx"}));
    EXPECT_EQ(description.at("devices").at(0).at("id"), "cpu");
    EXPECT_THAT(description.at("precisions").get<std::vector<std::string>>(), testing::Contains("fp32"));
    const Json& levels = description.at("levels");
    EXPECT_TRUE(levels.at("O0").empty());
    EXPECT_EQ(levels.at("O1"), Json({"graph_basic"}));
    EXPECT_EQ(levels.at("O2"), Json({"graph_extended"}));
    EXPECT_EQ(levels.at("O3"), Json({"graph_all"}));
    std::set<std::string> names;
    for (const Json& entry : description.at("switches"))
        names.insert(entry.is_object() ? entry.at("name") : entry);
    for (const auto& [level, on] : levels.items())
        for (const Json& name : on)
            EXPECT_TRUE(names.contains(name)) << level << " " << name;
}

} // namespace
} // namespace apertune::test
