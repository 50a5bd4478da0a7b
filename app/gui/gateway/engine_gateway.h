// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/worker/engine_packages.h"

#include <stop_token>
#include <string>

namespace apertune::gui {

/// Adds and removes inference engines of this installation. The calls block, so they belong into a task. Afterwards
/// StudyGateway::probe() tells the new state.
class EngineGateway
{
public:
    virtual ~EngineGateway() = default;

    /// Installs an engine into Apertune's own folder, from the package index that pip is configured for.
    /// Failures: those of worker::addEngine().
    virtual base::Result<worker::AddedEngine> addEngine(const worker::EngineState& engine,
                                                        const worker::AddObserver& observer, std::stop_token stop) = 0;

    /// Removes what addEngine() installed. Returns its size. Failures: those of worker::removeEngine().
    virtual base::Result<base::Bytes> removeEngine(const std::string& backend) = 0;
};

} // namespace apertune::gui
