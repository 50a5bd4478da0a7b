// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/tensorrt/fake_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace apertune::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<fs::path> filesOf(const std::string& folder, const std::string& ending)
{
    std::vector<fs::path> found;
    std::error_code ignored;
    for (fs::directory_iterator it(folder, ignored), end; it != end; ++it)
        if (it->path().extension() == ending)
            found.push_back(it->path());
    return found;
}

std::string firstNote(const Client& client)
{
    return client.opened.is_object() ? client.opened.at("notes").at(0).get<std::string>() : client.error.dump();
}

class TensorRtCache : public testing::Test
{
protected:
    void SetUp() override
    {
        pluginUnderTest();
        m_folder = freshCache();
    }
    std::string m_folder;
};

TEST_F(TensorRtCache, APlanIsBuiltOnceAndKept)
{
    const Configuration configuration = fakeConfiguration("cached");
    EXPECT_THAT(firstNote(Client(configuration)), HasSubstr("was built in"));
    Client again(configuration);
    EXPECT_THAT(firstNote(again), HasSubstr("was kept"));
    EXPECT_EQ(again.state("no_plan_cache"), "off");
    EXPECT_EQ(again.state("timing_cache"), "not_applicable");
    EXPECT_EQ(again.state("builder_optimization_level_3"), "off"); // it was off when the plan was built
    EXPECT_EQ(filesOf(m_folder, ".plan").size(), 1U);
}

TEST_F(TensorRtCache, WhatDecidesAPlanMakesOneOfItsOwn)
{
    std::vector<Configuration> configurations{
        fakeConfiguration("cached"), fakeConfiguration("cached", Json::object(), 2),
        fakeConfiguration("cached", Json::object(), 1, {"builder_optimization_level_3"}),
        fakeConfiguration("cached", Json::object(), 1, {"no_aux_streams"}),
        fakeConfiguration("another", {{"layers", {"conv"}}})};
    configurations.push_back(configurations[0]);
    configurations.back().precision = "fp16";
    for (const Configuration& configuration : configurations)
        EXPECT_THAT(firstNote(Client(configuration)), HasSubstr("was built in"));
    EXPECT_EQ(filesOf(m_folder, ".plan").size(), configurations.size());
    // The way in which passes are launched needs no plan of its own.
    EXPECT_THAT(firstNote(Client(fakeConfiguration("cached", Json::object(), 1, {"cuda_graph"}))),
                HasSubstr("was kept"));
}

TEST_F(TensorRtCache, ADamagedPlanIsBuiltAnew)
{
    const Configuration configuration = fakeConfiguration("cached");
    Client(configuration).close();
    for (const char* ending : {".plan", ".json"}) {
        ASSERT_EQ(filesOf(m_folder, ending).size(), 1U);
        std::ofstream(filesOf(m_folder, ending).front()) << "{}";
        Client client(configuration);
        EXPECT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
        EXPECT_THAT(firstNote(client), HasSubstr("was built in")) << ending;
        EXPECT_THAT(firstNote(Client(configuration)), HasSubstr("was kept")) << ending;
    }
}

TEST_F(TensorRtCache, NoPlanCacheKeepsNothing)
{
    const Configuration configuration = fakeConfiguration("cached", Json::object(), 1, {"no_plan_cache"});
    for (int i = 0; i < 2; ++i) {
        Client client(configuration);
        EXPECT_THAT(firstNote(client), HasSubstr("was built in"));
        EXPECT_EQ(client.state("no_plan_cache"), "on");
    }
    EXPECT_TRUE(filesOf(m_folder, ".plan").empty());
}

TEST_F(TensorRtCache, TimingsAreTakenOverAndDamagedOnesBegunAnew)
{
    const Configuration configuration =
        fakeConfiguration("cached", Json::object(), 1, {"timing_cache", "no_plan_cache"});
    Client first(configuration);
    EXPECT_EQ(first.state("timing_cache"), "on") << first.error;
    EXPECT_THAT(first.evidence("timing_cache"), HasSubstr("0 bytes of timings were there"));
    Client second(configuration);
    EXPECT_EQ(second.state("timing_cache"), "on");
    EXPECT_THAT(second.evidence("timing_cache"), testing::Not(testing::StartsWith("0 bytes")));
    ASSERT_EQ(filesOf(m_folder, ".cache").size(), 1U);
    std::ofstream(filesOf(m_folder, ".cache").front()) << "garbage";
    Client third(configuration);
    EXPECT_EQ(third.state("timing_cache"), "on") << third.error;
    EXPECT_THAT(third.evidence("timing_cache"), HasSubstr("0 bytes of timings were there"));
}

TEST_F(TensorRtCache, AFolderThatCannotBeWrittenCostsOnlyTime)
{
    fs::create_directories(fs::path(m_folder).parent_path());
    std::ofstream(m_folder) << "a file where the folder would be";
    Client client(fakeConfiguration("cached", Json::object(), 1, {"timing_cache"}));
    EXPECT_EQ(client.warmUp(), APERTUNE_OK) << client.error;
    EXPECT_EQ(client.state("timing_cache"), "requested_not_in_effect");
}

} // namespace
} // namespace apertune::test
