// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::cli {

using base::Json;

namespace {

struct Ceilings
{
    std::string device;  ///< empty: all devices
    std::string backend; ///< empty: the first backend that can measure them
    bool refresh = false;
};

bool isCopy(const std::string& quantity)
{
    return quantity == "copy" || quantity == "pinned" || quantity == "pageable";
}

std::string nameOf(const std::string& quantity)
{
    if (quantity == "copy")
        return "copy, read + written";
    return isCopy(quantity) ? "copy from " + quantity + " host memory" : "matrix product " + quantity;
}

Json document(const model::Device& device, const model::DeviceCeilings& measured)
{
    Json rates = Json::array();
    for (const model::Ceiling& c : measured.rates)
        rates.push_back({{"quantity", c.quantity},
                         {"unit", isCopy(c.quantity) ? "bytes/s" : "FLOP/s"},
                         {"median", c.rate.value},
                         {"lo", c.rate.lo},
                         {"hi", c.rate.hi},
                         {"confidence", c.rate.confidence},
                         {"samples", c.samples},
                         {"how", c.how}});
    return {{"device", device.id},
            {"name", device.name},
            {"backend", measured.backend},
            {"measured", measured.measuredUtc},
            {"rates", std::move(rates)}};
}

std::string text(const model::Device& device, const model::DeviceCeilings& measured, int width)
{
    text::TextTable table({{"Ceiling"},
                           {"Rate", text::Align::right},
                           {"95 % interval", text::Align::right},
                           {"Blocks", text::Align::right, false, 1},
                           {"How", text::Align::left, true}});
    for (const model::Ceiling& c : measured.rates) {
        const auto rate = [](double value) { return base::formatSignificant(value * 1e-9, 3); };
        table.addRow({nameOf(c.quantity), rate(c.rate.value) + (isCopy(c.quantity) ? " GB/s" : " GFLOP/s"),
                      rate(c.rate.lo) + " to " + rate(c.rate.hi), std::to_string(c.samples), c.how});
    }
    return device.id + "  " + device.name + ", by " + measured.backend + " on " + measured.measuredUtc + "\n\n" +
           table.render(width);
}

int run(const Ceilings& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto workbench = engine::Workbench::open(session.common.store);
    if (!workbench)
        return terminal.fail(workbench.error());
    Json list = Json::array();
    std::string output;
    for (const model::Device& device : (*workbench)->devices()) {
        // An empty name stands for all devices.
        if (!options.device.empty() && device.id != options.device)
            continue;
        terminal.status("Measuring what " + device.id + " reaches …");
        const auto measured =
            (*workbench)->ceilings(device, options.refresh, session.interrupt.token(), options.backend);
        terminal.status({});
        if (!measured)
            return terminal.fail(measured.error());
        list.push_back(document(device, *measured));
        output += (output.empty() ? "" : "\n") + text(device, *measured, terminal.width());
    }
    if (list.empty())
        return terminal.fail(base::plainError(base::ErrorCode::notFound,
                                              "There is no device \"" + options.device + "\" here.", {},
                                              "`apertune device list` lists them."));
    terminal.document({{"schema", "apertune.ceilings/1"}, {"devices", std::move(list)}});
    terminal.text(output);
    return kDone;
}

Action declareDeviceCeilings(CLI::App& app)
{
    auto options = std::make_shared<Ceilings>();
    app.add_option("--device", options->device, "Device to measure (default: all)")->type_name("DEVICE");
    app.add_option("--backend", options->backend, "Backend to measure with (default: first that supports it)")
        ->type_name("NAME");
    app.add_flag("--refresh", options->refresh, "Measure again, even if the workspace has results");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb deviceCeilingsVerb()
{
    return {.path = {"device", "ceilings"},
            .group = Group::manage,
            .summary = "Measure the arithmetic and copy rates that the devices reach",
            .examples = R"(  apertune device ceilings                  measured once, then kept in the workspace
  apertune device ceilings --device cpu --refresh)",
            .takes = Takes::worker,
            .documents = {{"apertune.ceilings/1",
                           "`devices` (`device`, `name`, `backend`, `measured`, `rates`: `quantity` (a precision, "
                           "`copy`, `pinned`, `pageable`), `unit`, `median`, `lo`, `hi`, `confidence`, `samples`, "
                           "`how`)"}},
            .declare = declareDeviceCeilings};
}

} // namespace apertune::cli
