// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/claims/claim_check.h"
#include "core/model/model_ref.h"
#include "core/model/search_space.h"

#include <string>
#include <vector>

namespace apertune::claims {

/// A study that measures one or several claims.
struct ClaimStudy
{
    std::string model; ///< source or name, as users type it
    model::SearchSpace space;
    std::vector<std::string> claims; ///< ids

    std::size_t configurations() const; ///< size of the space's cross product
};

/// A run of a model from image to answer that measures claims about stages.
struct ClaimPipeline
{
    std::string model;
    std::string device;
    std::vector<std::string> claims;
};

/// The measurements that are missing before more claims can have a verdict.
struct ClaimPlan
{
    std::vector<ClaimStudy> studies;
    std::vector<ClaimPipeline> pipelines; ///< after the studies; each needs a measured trial of its model
    std::vector<std::string> imports;     ///< sources of models whose layers are looked at
    std::vector<std::string> ceilings;    ///< ids of devices whose copy rates are measured

    bool empty() const { return studies.empty() && pipelines.empty() && imports.empty() && ceilings.empty(); }
};

/// Plans what is missing.
///
/// - Without `models`, every figure that is not measured yet or has the verdict "cannot tell" is measured with the
///   example that it names.
/// - With `models`, every figure that accepts one of them and has no pair of it yet is measured with it. Changes of the
///   model need the models that they name and are left out.
/// - A figure whose configuration did not run before is planned again, because an engine may have come since.
/// - Studies of a model that differ in the batches alone become one.
ClaimPlan planClaims(const std::vector<ClaimCheck>& checks, const std::vector<model::Device>& devices,
                     const std::vector<model::ModelRef>& models);

} // namespace apertune::claims
