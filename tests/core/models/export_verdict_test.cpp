// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/export_tolerance.h"
#include "core/models/export_verdict.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::models {
namespace {

using base::Json;

probe::MachineLoad quiet()
{
    probe::MachineLoad load;
    load.windows = 5;
    load.others = 0.01;
    return load;
}

probe::MachineLoad busy()
{
    probe::MachineLoad load;
    load.windows = load.contended = 5;
    load.others = 0.6;
    return load;
}

/// What the exported program says: 10 ms [9.8, 10.2] were expected.
Json measuring(const char* verdict, double median, double lo, double hi, double tolerance = 0.1, double cosine = 1)
{
    return {{"verdict", verdict},
            {"measured_ms", {{"median", median}, {"lo", lo}, {"hi", hi}}},
            {"expected_ms", {{"median", 10.0}, {"lo", 9.8}, {"hi", 10.2}}},
            {"tolerance", tolerance},
            {"quality", {{"cosine", cosine}, {"at_least", 0.99}, {"nan_count", 0}}}};
}

std::string revised(Json document, const probe::MachineLoad& load, const Json& check = {})
{
    EXPECT_TRUE(reviseVerdict(document, load, check).ok());
    return document["verdict"];
}

TEST(Envelope, ABusyMachineIsNotCalledASlowModel)
{
    EXPECT_EQ(revised(measuring("outside", 42.3, 40, 45), busy()), "cannot_tell");
    EXPECT_EQ(revised(measuring("outside", 42.3, 40, 45), quiet()), "outside") << "a regression";
    EXPECT_EQ(revised(measuring("inside", 10.5, 10.4, 10.6), quiet()), "inside");
    EXPECT_EQ(revised(measuring("inside", 10.5, 10.4, 10.6), busy()), "inside") << "load makes nothing faster";
    EXPECT_EQ(revised(measuring("outside", 5, 4.9, 5.1), busy()), "outside");
    Json document = measuring("outside", 42.3, 40, 45);
    EXPECT_TRUE(reviseVerdict(document, busy(), {}).ok());
    EXPECT_NE(document["notes"][0].get<std::string>().find("other programs had 60.0 % of its processors"),
              std::string::npos)
        << document;
    EXPECT_EQ(document["load"]["contended"], 5);
}

TEST(Envelope, ADamagedDocumentIsAFailure)
{
    for (const char* member : {"measured_ms", "expected_ms", "tolerance"}) {
        Json document = measuring("outside", 42.3, 40, 45);
        document.erase(member);
        EXPECT_EQ(reviseVerdict(document, quiet(), {}).error().code, base::ErrorCode::corrupt) << member;
    }
    EXPECT_EQ(verdictOf(Json::object()), ProgramVerdict::cannotTell);
    EXPECT_TRUE(hasOtherOutputs(Json::object()));
}

TEST(Envelope, ANoisyTrialDoesNotLetTwiceTheTimePass)
{
    Json document = measuring("inside", 20, 19.5, 20.5, 1.06);
    EXPECT_TRUE(reviseVerdict(document, quiet(), {}).ok());
    EXPECT_EQ(document["verdict"], "outside");
    EXPECT_EQ(document["tolerance"], model::kMostTolerance);
    // What the trial itself left open is no regression.
    document = measuring("inside", 13, 12.9, 13.1, 1.06);
    document["expected_ms"] = {{"median", 10.0}, {"lo", 6.5}, {"hi", 13.5}};
    EXPECT_EQ(revised(document, quiet()), "cannot_tell");
}

TEST(Envelope, OtherOutputsAreOutsideWhateverTheLoad)
{
    EXPECT_EQ(revised(measuring("outside", 20, 19.9, 20.1, 0.1, 0.5), busy()), "outside");
}

TEST(Envelope, KeepsWhatTheProgramItselfCannotTell)
{
    Json document = measuring("cannot_tell", 11.5, 11.3, 11.7);
    document["notes"] = {"from Python, where each call costs up to 0.1 ms on top"};
    EXPECT_TRUE(reviseVerdict(document, busy(), {}).ok());
    EXPECT_EQ(document["verdict"], "cannot_tell");
    EXPECT_EQ(document["notes"].size(), 1u);
}

TEST(Envelope, OfATrialWithoutAnIntervalUsesItsMedian)
{
    Json document = measuring("inside", 20, 19.5, 20.5, 1.06);
    document["expected_ms"] = {{"median", 10.0}, {"lo", nullptr}, {"hi", nullptr}};
    EXPECT_EQ(revised(document, quiet()), "outside");
}

/// Adds the drift reading: the model took `ratio` times its time, which was `ms`.
Json withDrift(Json document, double ms, double ratio)
{
    document["sentinel_ms"] = {{"median", ms}, {"lo", ms * 0.99}, {"hi", ms * 1.01}};
    document["to_sentinel"] = {{"median", ratio}, {"lo", ratio * 0.99}, {"hi", ratio * 1.01}};
    return document;
}

TEST(Envelope, AMachineThatBecameSlowerIsNotCalledASlowModel)
{
    const Json then = withDrift(Json::object(), 40, 0.25);
    Json document = withDrift(measuring("outside", 19, 18.9, 19.1), 76, 0.25);
    EXPECT_TRUE(reviseVerdict(document, quiet(), then).ok());
    EXPECT_EQ(document["verdict"], "cannot_tell");
    EXPECT_DOUBLE_EQ(document["machine"], 1.9);
    EXPECT_NE(document["notes"][0].get<std::string>().find("takes 1.900 times as long as at the export"),
              std::string::npos)
        << document;
    EXPECT_EQ(revised(withDrift(measuring("outside", 19, 18.9, 19.1), 40, 0.475), quiet(), then), "outside")
        << "the model alone became slower";
    EXPECT_EQ(revised(withDrift(measuring("outside", 30, 29.9, 30.1), 76, 0.39), quiet(), then), "outside")
        << "the model became slower than the machine did";
    EXPECT_EQ(revised(withDrift(measuring("outside", 19, 18.9, 19.1, 0.1, 0.5), 76, 0.25), quiet(), then), "outside")
        << "other outputs";
    EXPECT_EQ(revised(withDrift(measuring("inside", 10, 9.9, 10.1), 76, 0.13), quiet(), then), "inside");
    EXPECT_EQ(revised(measuring("outside", 19, 18.9, 19.1), quiet(), then), "outside") << "a GPU has no drift reading";
}

TEST(Envelope, WhatIsWithinTheNoiseFloorOfTheMachineIsNotCalledSlower)
{
    Json document = measuring("inside", 14, 13.9, 14.1, 0.5);
    document["noise_floor"] = 0.45;
    EXPECT_EQ(revised(document, quiet()), "cannot_tell");
    document["measured_ms"] = {{"median", 15}, {"lo", 14.8}, {"hi", 15.2}};
    EXPECT_EQ(revised(document, quiet()), "outside") << "worse beyond the noise floor";
}

} // namespace
} // namespace apertune::models
