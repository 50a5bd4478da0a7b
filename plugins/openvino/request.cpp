// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/request.h"

#include "plugins/support/fault.h"

namespace apertune::openvino {

namespace {

using plugins::Fault;

const plugins::BackendTraits kBackend{"openvino",
                                      {Precision::fp32, Precision::bf16, Precision::fp16, Precision::int8},
                                      "Choose fp32, bf16, fp16 or int8.",
                                      false};

} // namespace

const std::vector<Switch>& knownSwitches()
{
    static const std::vector<Switch> kSwitches{
        {"streams", "A pass is cut into parts that run side by side, each on threads of its own"},
        {"cpu_pinning", "Threads stay on their cores"},
        {"model_cache", "The compiled model is kept on the disk, which makes the next load faster"},
    };
    return kSwitches;
}

Request parseRequest(const char* json)
{
    Request request = plugins::readRequest(json, kBackend);
    if (!request.package || request.package->empty())
        throw Fault(APERTUNE_BAD_INPUT, "There is no file of the model that OpenVINO opens.",
                    "Write it first: it is made from the imported model on demand.");
    plugins::requireKnown(request, knownSwitches(), kBackend);
    return request;
}

} // namespace apertune::openvino
