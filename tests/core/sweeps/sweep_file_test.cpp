// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/sweeps/sweep_file.h"
#include "core/sweeps/yaml_reader.h"

#include <gtest/gtest.h>

#include <array>

namespace apertune::sweeps {
namespace {

/// The entries of a text, one a line: "batches list 1 8".
std::string printed(const std::vector<SweepEntry>& entries)
{
    static constexpr std::array kForms{"text", "flag", "list", "map"};
    std::string text;
    for (const SweepEntry& entry : entries)
        text += entry.key + " " + kForms.at(static_cast<std::size_t>(entry.form)) + " " +
                base::join(entry.values, " ") + "\n";
    return text;
}

std::string read(std::string_view text)
{
    const auto entries = readSweep(text);
    EXPECT_TRUE(entries) << sentences::sentence(entries.error().message);
    return entries ? printed(*entries) : std::string();
}

std::string errorOf(std::string_view text)
{
    const auto entries = readSweep(text);
    EXPECT_FALSE(entries) << text.substr(0, 200);
    if (entries)
        return {};
    EXPECT_EQ(entries.error().code, base::ErrorCode::invalidArgument);
    EXPECT_NE(sentences::sentence(entries.error().hint), "");
    return sentences::sentence(entries.error().message);
}

constexpr const char* kYaml = R"(# a comment
schema: apertune.sweep/1
model: torchvision:resnet50
levels: [O0, O1]
batches:
  - 1
  - 8
budget: 2m
emulated: true
spread: false
calibration: "my photos: 2026"
switch:
  freeze: [on, off]
  channels_last: on
)";

constexpr const char* kEntries = "model text torchvision:resnet50\n"
                                 "levels list O0 O1\n"
                                 "batches list 1 8\n"
                                 "budget text 2m\n"
                                 "emulated flag true\n"
                                 "spread flag false\n"
                                 "calibration text my photos: 2026\n"
                                 "switch map freeze=on,off channels_last=on\n";

TEST(SweepFile, ReadsYaml)
{
    EXPECT_EQ(read(kYaml), kEntries);
}

TEST(SweepFile, ReadsJson)
{
    EXPECT_EQ(read(R"({
	"schema": "apertune.sweep/1", "model": "torchvision:resnet50",
	"levels": ["O0", "O1"], "batches": [1, 8], "budget": "2m", "emulated": true, "spread": false,
	"calibration": "my photos: 2026", "switch": {"freeze": ["on", "off"], "channels_last": true}
})"),
              kEntries);
    EXPECT_EQ(read(R"({"calibration": "a\/\u00e9 \"b\""})"), "calibration text a/é \"b\"\n");
}

TEST(SweepFile, KnowsTheLineOfEachKey)
{
    const auto entries = readSweep(kYaml);
    ASSERT_TRUE(entries);
    EXPECT_EQ(entries->front().line, 3);
    EXPECT_EQ(entries->back().line, 12);
}

TEST(SweepFile, WhatIsWrittenIsReadAgain)
{
    using Form = SweepEntry::Form;
    const std::vector<SweepEntry> entries{
        {"model", Form::text, {"on"}},
        {"levels", Form::list, {"O0", "null", "true", "a, b", "- c", "x:", "é", "😀"}},
        {"calibration", Form::text, {"/tmp/my \"photos\" #1\\"}},
        {"budget", Form::text, {"2m"}},
        {"emulated", Form::flag, {"true"}},
        {"switch", Form::map, {"freeze=on,off", "a b=off"}},
    };
    EXPECT_EQ(read(sweepYaml(entries)), printed(entries)) << sweepYaml(entries);
    EXPECT_EQ(read(sweepJson(entries)), printed(entries)) << sweepJson(entries);
}

TEST(SweepFile, SaysTheSameAsACommandLine)
{
    EXPECT_EQ(base::join(commandWords(readSweep(kYaml).value()), "|"),
              "torchvision:resnet50|--levels|O0,O1|--batches|1,8|--budget|2m|--emulated|--calibration|my photos: 2026|"
              "--switch|freeze=on,off|--switch|channels_last=on");
}

TEST(SweepFile, NonsenseIsRefusedWithItsLine)
{
    EXPECT_EQ(errorOf(""), "A sweep file has keys with values, and this one has none.");
    EXPECT_EQ(errorOf("# nothing\n"), "A sweep file has keys with values, and this one has none.");
    EXPECT_EQ(errorOf("- a\n"), "A sweep file has keys with values, and this one has none.");
    EXPECT_EQ(errorOf("just words"), "A sweep file has keys with values, and this one has none.");
    EXPECT_EQ(errorOf("levels: O0\nbatches:\n"), "The key batches in line 2 has no value.");
    EXPECT_EQ(errorOf("levels: ~"), "The key levels in line 1 has no value.");
    EXPECT_EQ(errorOf("{\"levels\": null}"), "The key levels in line 1 has no value.");
    EXPECT_EQ(errorOf("levels: []"), "The key levels in line 1 has no value.");
    EXPECT_EQ(errorOf("levels: ''"), "The key levels in line 1 has no value.");
    EXPECT_EQ(errorOf("levels: [O0,\n  '']"), "The key levels in line 2 has no value.");
    EXPECT_EQ(errorOf("levels: [O0, [O1]]"),
              "The list of levels in line 1 holds something else than words and numbers.");
    EXPECT_EQ(errorOf("switch: {freeze: {on: off}}"),
              "The list of switch in line 1 holds something else than words and numbers.");
    EXPECT_EQ(errorOf("a: 1\nb: 2\na: 3\n"), "Line 3 has the key a for the second time.");
    EXPECT_EQ(errorOf("switch:\n  freeze: on\n  freeze: off\n"), "Line 3 has the key freeze for the second time.");
    EXPECT_EQ(errorOf("[a]: 1\n"), "The key in line 1 is not a word, or a very long one.");
    EXPECT_EQ(errorOf("a: 1\n---\nb: 2\n"), "A second document begins in line 2, and a sweep file has one.");
    EXPECT_EQ(errorOf("a: \"\\u0000\""), "The value in line 1 has a line feed or a control character.");
    EXPECT_TRUE(errorOf("a: [1, 2\nb: 3\n").starts_with("Line 2 is neither YAML nor JSON: "));
    EXPECT_TRUE(errorOf("a: 1\n\tb: 2\n").starts_with("Line 2 is neither YAML nor JSON: "));
}

TEST(SweepFile, AnotherDocumentOfApertuneIsNamed)
{
    const auto config = readSweep("{\"schema\": \"apertune.config/1\", \"model\": {\"a\": [{\"b\": [1]}]}}");
    ASSERT_FALSE(config);
    EXPECT_EQ(sentences::sentence(config.error().message),
              "Line 1 names the schema apertune.config/1, which is not that of a sweep file.");
    EXPECT_NE(sentences::sentence(config.error().hint).find("apertune-sweep.yaml"), std::string::npos);
    EXPECT_NE(errorOf("schema: apertune.sweep/2").find("apertune.sweep/2"), std::string::npos);
    EXPECT_NE(errorOf("schema: [a]").find("Line 1 names the schema"), std::string::npos);
}

TEST(SweepFile, AHostileFileIsRefusedBeforeItIsBuilt)
{
    EXPECT_NE(errorOf("a: &x [1, 1]\nb: [*x, *x]\n").find("Line 1 has an anchor or an alias"), std::string::npos);
    EXPECT_NE(errorOf("a: *x\n").find("Line 1 has an anchor or an alias"), std::string::npos);
    EXPECT_NE(errorOf("a: !!python/object:os.system x\n").find("Line 1 has a tag"), std::string::npos);
    EXPECT_NE(errorOf("a: !b [1]\n").find("Line 1 has a tag"), std::string::npos);
    EXPECT_NE(errorOf("a: " + std::string(20, '[') + std::string(20, ']')).find("Line 1 nests lists or maps deeper"),
              std::string::npos);
    for (const std::string unit : {"[", "{", "- ", "? ", "{a: ", "[\n"}) {
        std::string deep;
        while (deep.size() + unit.size() <= kMostYamlBytes)
            deep += unit;
        EXPECT_NE(errorOf(deep), "") << unit;
    }
    EXPECT_EQ(errorOf(std::string(kMostYamlBytes + 1, '#')), "A sweep file has at most 256 KiB.");
    std::string binary(1000, '\0');
    for (std::size_t i = 0; i < binary.size(); ++i)
        binary[i] = static_cast<char>(i * 37);
    EXPECT_NE(errorOf(binary), "");
}

TEST(SweepFile, ALongFileIsNotReadToItsEnd)
{
    const auto endless = readSweepFile("/dev/zero");
    ASSERT_FALSE(endless);
    EXPECT_EQ(sentences::sentence(endless.error().message), "A sweep file has at most 256 KiB.");
    EXPECT_EQ(endless.error().context, "/dev/zero");
    EXPECT_EQ(readSweepFile("/nowhere/sweep.yaml").error().code, base::ErrorCode::notFound);
    const auto dir = base::TemporaryDir::create("sweep");
    ASSERT_TRUE(dir);
    EXPECT_EQ(readSweepFile(dir->path()).error().code, base::ErrorCode::invalidArgument);
    ASSERT_TRUE(base::writeFileAtomically(dir->path() / "sweep.yaml", kYaml));
    EXPECT_EQ(printed(readSweepFile(dir->path() / "sweep.yaml").value()), kEntries);
}

} // namespace
} // namespace apertune::sweeps
