// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/models/archive_check.h"
#include "core/models/model_library.h"
#include "core/models/trust.h"
#include "core/sentences/sentences.h"
#include "tests/core/models/fake_exporter.h"
#include "tests/core/models/zip_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace apertune::models {
namespace {

using testing::FakeExporter;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ZipMember;
using testing::zipOf;

/// Why an archive is refused; "" when it passes.
std::string faultOf(const std::string& bytes)
{
    const base::Message fault = archiveFault(bytes.size(), [&](std::uint64_t offset, std::span<char> into) {
        if (offset > bytes.size() || into.size() > bytes.size() - offset)
            return false;
        std::memcpy(into.data(), bytes.data() + offset, into.size());
        return true;
    });
    return fault.empty() ? std::string() : sentences::sentence(fault);
}

const ZipMember kCode{"net/code/model.py", "def forward(self): pass"};

TEST(ArchiveCheck, AnArchiveAsPyTorchWritesItPasses)
{
    EXPECT_EQ(faultOf(zipOf({kCode, {"net/data.pkl", "data"}, {"net/data/0", std::string(1 << 20, 'w')}})), "");
    EXPECT_EQ(faultOf(zipOf({kCode, {"net/data.pkl", "data"}}, true)), "");
    EXPECT_EQ(faultOf(zipOf({{"net/code/a.debug_pkl", std::string(1000, 'x'), 200'000}})), "") << "deflated code";
    EXPECT_EQ(faultOf(zipOf({{"net/", "", 0, 0040755}, {"net/..a", "two dots begin a name"}})), "");
    EXPECT_EQ(faultOf(zipOf({})), "");
    EXPECT_EQ(faultOf("no archive"), "");
    EXPECT_EQ(faultOf(""), "");
}

TEST(ArchiveCheck, WhatTheHostileArchivesOfTheReviewHaveIsRefused)
{
    for (const char* name : {"../../etc/cron.d/x", "net/../../x", "/etc/passwd", "net\\..\\x", "C:/x", "net/a\nb", ""})
        EXPECT_THAT(faultOf(zipOf({kCode, {name, "x"}})), HasSubstr("would be written outside of the folder")) << name;
    EXPECT_THAT(faultOf(zipOf({kCode, {"net/link", "/etc/passwd", 0, 0120777}})), HasSubstr("is a link"));
    EXPECT_THAT(faultOf(zipOf({kCode, {"net/pipe", "", 0, 0010644}})), HasSubstr("is a link"));
    EXPECT_THAT(faultOf(zipOf({kCode, {"net/x", "secret", 0, 0100644, 1}})), HasSubstr("encrypted"));
    EXPECT_THAT(faultOf(zipOf({kCode, kCode})), HasSubstr("\"net/code/model.py\" twice"));
    EXPECT_THAT(faultOf(zipOf(std::vector<ZipMember>(100'001, kCode))), HasSubstr("twice"))
        << "the count of 16 bits says less";
    std::vector<ZipMember> many;
    for (int i = 0; i < 100'001; ++i)
        many.push_back({"net/" + std::to_string(i), ""});
    EXPECT_THAT(faultOf(zipOf(many, true)), HasSubstr("it has 100001 members"));
    EXPECT_THAT(faultOf(zipOf({{"net/bomb", std::string(1 << 20, 'z'), 1U << 30}})),
                HasSubstr("\"net/bomb\" would unpack from 1.00 MiB to 1.00 GiB"));
    many.clear();
    for (int i = 0; i < 100; ++i)
        many.push_back({"net/" + std::to_string(i), std::string(100, 'z'), 16U << 20});
    EXPECT_THAT(faultOf(zipOf(many)), HasSubstr("it would unpack from"));
}

TEST(ArchiveCheck, AnArchiveThatLoadersReadDifferentlyIsRefused)
{
    const std::string good = zipOf({kCode, {"net/data.pkl", "data"}});
    EXPECT_THAT(faultOf("a program in front" + good), HasSubstr("contradicts"));
    EXPECT_THAT(faultOf(good + "behind"), HasSubstr("contradicts"));
    EXPECT_THAT(faultOf(good + good), HasSubstr("contradicts"));
    ZipMember other = kCode;
    other.nameInHeader = "net/code/other.py";
    EXPECT_THAT(faultOf(zipOf({other})), HasSubstr("contradicts"));
    // Two members at one place.
    std::string overlapping = zipOf({{"a", "same"}, {"a", "same"}});
    const std::size_t second = overlapping.rfind("PK\1\2");
    overlapping.replace(second + 42, 4, 4, '\0');
    overlapping[second + 46] = 'b';
    EXPECT_THAT(faultOf(overlapping), HasSubstr("contradicts"));
    for (std::size_t cut = 1; cut < good.size(); ++cut) {
        static_cast<void>(faultOf(good.substr(0, cut))); // Parts of an archive must not be read beyond their end.
        std::string flipped = good;
        flipped[cut] = static_cast<char>(flipped[cut] ^ 0xFF);
        static_cast<void>(faultOf(flipped));
    }
}

TEST(ArchiveCheck, AHostileArchiveIsRefusedBeforeTheExporterOpensIt)
{
    const FakeExporter fake;
    store::Store store = fake.openStore();
    ModelLibrary library{store, fake.installation()};
    const auto write = [&](const std::string& name, const std::string& bytes) {
        EXPECT_TRUE(base::writeFileAtomically(fake.path() / name, bytes));
        return (fake.path() / name).string();
    };
    const std::string traversal = zipOf({kCode, {"../../../x", "x"}});
    const auto importModel = [&](const std::string& source, const std::string& weights = {}) {
        ImportRequest request;
        request.source = source;
        request.weights = weights;
        return library.importModel(request, {}, {});
    };
    for (const bool asWeights : {false, true}) {
        const std::string file = write("net.pt", traversal);
        const auto refused = asWeights ? importModel("torchvision:resnet18", file) : importModel(file);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, base::ErrorCode::corrupt);
        EXPECT_THAT(sentences::sentence(refused.error().message), HasSubstr("../../../x"));
    }
    EXPECT_THAT(fake.calls(), IsEmpty());
    EXPECT_TRUE(importModel(write("good.pt", zipOf({kCode}))));
    // An artifact folder that comes with such an archive, and an exported folder.
    write("folder/model.ts.pt", traversal);
    write("folder/manifest.json",
          R"({"schema":"apertune.model/1","name":"n","source":"s","content_hash":"c","inputs":[],"outputs":[],)"
          R"("files":{"torchscript":{"path":"model.ts.pt"},"exported":null}})");
    EXPECT_THAT(sentences::sentence(library.resolve((fake.path() / "folder").string(), {}, {}).error().message),
                HasSubstr("is not opened"));
    write("exported/run.py", "print()");
    write("exported/model/model.pt", traversal);
    EXPECT_EQ(requireTrustedFolder(fake.path() / "exported").error().code, base::ErrorCode::corrupt);
}

} // namespace
} // namespace apertune::models
