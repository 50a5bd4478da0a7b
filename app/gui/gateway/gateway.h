// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/engine_gateway.h"
#include "app/gui/gateway/export_gateway.h"
#include "app/gui/gateway/job_gateway.h"
#include "app/gui/gateway/study_gateway.h"
#include "app/gui/gateway/trace_gateway.h"

namespace apertune::gui {

/// The only way from the window to disk and engine. Only the code that wires the window sees all of it; pages see the
/// parts that they use.
class Gateway : public StudyGateway, public TraceGateway, public ExportGateway, public JobGateway, public EngineGateway
{
};

} // namespace apertune::gui
