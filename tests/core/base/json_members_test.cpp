// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_members.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::base::test {

TEST(JsonMembers, AStringIsReadAndEverythingElseIsEmpty)
{
    const Json object = {{"name", "cpu"}, {"count", 3}, {"none", nullptr}};
    EXPECT_EQ(textMember(object, "name"), "cpu");
    EXPECT_EQ(textMember(object, "count"), "");
    EXPECT_EQ(textMember(object, "none"), "");
    EXPECT_EQ(textMember(object, "absent"), "");
}

TEST(JsonMembers, OnlyTheStringsOfAnArrayAreRead)
{
    const Json object = {{"list", Json::array({"a", 1, "b", nullptr})}, {"text", "a"}};
    EXPECT_EQ(textMembers(object, "list"), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(textMembers(object, "text").empty());
    EXPECT_TRUE(textMembers(object, "absent").empty());
}

} // namespace apertune::base::test
