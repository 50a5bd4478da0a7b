// SPDX-License-Identifier: GPL-3.0-or-later
// The OpenVINO backend of plugins/api. plugins/support makes the C boundary.
#include "plugins/openvino/fault.h"
#include "plugins/openvino/session.h"

#include <chrono>

namespace {

using namespace apertune::openvino;
using apertune::plugins::Description;
using apertune::plugins::Fault;
using apertune::plugins::Opened;
using apertune::plugins::Phase;

class OpenVino final : public apertune::plugins::Backend
{
public:
    Description describe() override { return describeBackend(); }

    Opened open(const char* request) override
    {
        const auto begin = std::chrono::steady_clock::now();
        Opened opened;
        opened.session = openSession(parseRequest(request));
        const auto load = std::chrono::steady_clock::now() - begin;
        opened.loadNanoseconds =
            static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(load).count());
        return opened;
    }

    Fault classify(std::exception_ptr error, Phase phase) override
    {
        const char* hint = "Leave OpenVINO out for this model.";
        switch (phase) {
        case Phase::describing:
            return faultOf(error, APERTUNE_INTERNAL, "OpenVINO does not start", "Install the openvino package again.");
        case Phase::opening:
            return faultOf(error, APERTUNE_BAD_INPUT, "OpenVINO cannot open the model", hint);
        case Phase::running:
            break;
        }
        return faultOf(error, APERTUNE_MODEL_THREW, "The model failed in OpenVINO", hint);
    }
};

} // namespace

const apertune_plugin* apertune_plugin_entry()
{
    static OpenVino s_backend;
    return apertune::plugins::entry(s_backend);
}
