// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/export_gateway.h"
#include "app/gui/gateway/job_gateway.h"
#include "app/gui/gateway/study_gateway.h"
#include "app/gui/gateway/trace_gateway.h"

namespace apertune::gui {

/// Where the window meets disk and engine. Only what wires the window sees all of it; pages see the parts they use.
class Gateway : public StudyGateway, public TraceGateway, public ExportGateway, public JobGateway
{
};

} // namespace apertune::gui
