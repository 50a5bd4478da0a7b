// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/trial_request.h"

#include "core/model/device.h"
#include "core/models/errors.h"
#include "core/models/package_source.h"
#include "core/models/usable_model.h"
#include "core/study/errors.h"
#include "core/study/reasons.h"

#include <array>

namespace apertune::study {

using base::Error;
using base::ErrorCode;

base::Result<ConfigurationRequest> requestOf(const RunContext& context, const model::Study& study,
                                             const model::Trial& trial, const PhaseSink& phase, std::stop_token stop)
{
    const model::Device* device = model::findDevice(context.devices, trial.device);
    if (!device)
        return Error{ErrorCode::unsupported,
                     base::message<errors::kDeviceNotHere>(trial.device),
                     {},
                     base::message<errors::kRunWhereMeasured>()};
    if (auto whole = models::requireUsable(study.model); !whole)
        return whole.error();
    ConfigurationRequest request = requestFor(study, trial.config, *device);
    // Most configurations open the model's own artifact.
    if (!trial.config.isCompiled() && !(context.packages && context.packages->needed(study.model, trial.config)))
        return request;
    if (!context.packages)
        return Error{ErrorCode::unsupported,
                     base::message<reasons::kNothingCompiles>(),
                     {},
                     base::message<models::errors::kNameTorch>()};
    phase(Phase::compile, {});
    const auto observer = [&](const models::ExporterProgress& progress) {
        // The exporter's log is not progress that a user could follow.
        if (!progress.isLog)
            phase(Phase::compile, base::foreignText(progress.text));
    };
    auto package = context.packages->get(study.model, trial.config, *device, observer, stop);
    if (!package)
        return package.error();
    request.package = package->path;
    return request;
}

namespace {

ErrorCode codeOf(model::ReasonKind kind)
{
    switch (kind) {
    case model::ReasonKind::outOfMemory:
        return ErrorCode::outOfMemory;
    case model::ReasonKind::crash:
    case model::ReasonKind::deviceLost:
        return ErrorCode::crashed;
    case model::ReasonKind::hang:
    case model::ReasonKind::timeout:
        return ErrorCode::timeout;
    case model::ReasonKind::modelThrew:
        return ErrorCode::modelThrew;
    case model::ReasonKind::badInput:
        return ErrorCode::invalidArgument;
    case model::ReasonKind::unsupported:
        return ErrorCode::unsupported;
    default:
        return ErrorCode::internal;
    }
}

} // namespace

Error toError(const worker::WorkerError& failure)
{
    if (failure.cancelled)
        return {ErrorCode::cancelled, base::message<errors::kAgainCancelled>()};
    return {codeOf(failure.reason.kind),
            failure.reason.message,
            {},
            failure.reason.detail.empty() ? base::message<errors::kMeasureAgain>()
                                          : base::foreignText(failure.reason.detail)};
}

} // namespace apertune::study
