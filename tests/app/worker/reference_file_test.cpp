// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/reference_file.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "tests/app/worker/tensors.h"

#include <gmock/gmock.h>

#include <random>

namespace apertune::worker {
namespace {

using testing::floats;
using testing::handedOver;
using testing::integers;

struct ReferenceFile : ::testing::Test
{
    base::TemporaryDir dir = std::move(base::TemporaryDir::create("test")).value();
    std::filesystem::path file = dir.path() / "reference";
    KeptSet first{floats("scores", {2, 2}, {1, 2, 3, 4}), integers("labels", {2}, {7, -8})};
    KeptSet second{floats("", {}, {0.5F}), floats("none", {0, 4}, {})};

    void write()
    {
        ReferenceWriter writer(file);
        writer.addSet(handedOver(first));
        writer.addSet(handedOver(second));
        ASSERT_TRUE(writer.finish().ok());
    }
};

TEST_F(ReferenceFile, WhatIsWrittenIsReadBack)
{
    write();
    auto reader = ReferenceReader::open(file);
    ASSERT_TRUE(reader.ok());
    ASSERT_EQ(reader->sets(), 2u);
    for (const KeptSet& expected : {first, second}) {
        const auto set = reader->next();
        ASSERT_TRUE(set.ok());
        ASSERT_EQ(set->size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ((*set)[i].name, expected[i].name);
            EXPECT_EQ((*set)[i].dtype, expected[i].dtype);
            EXPECT_EQ((*set)[i].shape, expected[i].shape);
            EXPECT_EQ((*set)[i].floats, expected[i].floats);
            EXPECT_EQ((*set)[i].integers, expected[i].integers);
        }
    }
}

TEST_F(ReferenceFile, NothingAppearsBeforeItIsFinished)
{
    {
        ReferenceWriter writer(file);
        writer.addSet(handedOver(first));
        EXPECT_FALSE(std::filesystem::exists(file));
    }
    EXPECT_TRUE(std::filesystem::is_empty(dir.path())) << "and the part is gone";
}

TEST_F(ReferenceFile, AFolderThatDoesNotExistIsAFailure)
{
    ReferenceWriter writer(dir.path() / "missing" / "reference");
    writer.addSet(handedOver(first));
    const auto status = writer.finish();
    ASSERT_FALSE(status.ok());
    EXPECT_FALSE(status.error().hint.empty());
}

TEST_F(ReferenceFile, AMissingOrForeignFileIsAFailure)
{
    EXPECT_FALSE(ReferenceReader::open(file).ok());
    ASSERT_TRUE(base::writeFileAtomically(file, "something else entirely").ok());
    EXPECT_FALSE(ReferenceReader::open(file).ok());
}

TEST_F(ReferenceFile, ACutOrBentFileIsAFailureAndNeverACrash)
{
    write();
    const std::string good = *base::readFile(file);
    std::mt19937 random(3);
    for (int round = 0; round < 600; ++round) {
        std::string bent = good;
        if (round < static_cast<int>(good.size()))
            bent.resize(static_cast<std::size_t>(round));
        else
            bent[random() % bent.size()] = static_cast<char>(random());
        ASSERT_TRUE(base::writeFileAtomically(file, bent).ok());
        auto reader = ReferenceReader::open(file);
        for (std::uint32_t i = 0; reader.ok() && i < std::min(reader->sets(), 4u); ++i)
            if (!reader->next().ok())
                break;
    }
}

} // namespace
} // namespace apertune::worker
