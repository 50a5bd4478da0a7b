// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/ceilings.h"
#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/parse_request.h"
#include "plugins/libtorch/request.h"
#include "plugins/libtorch/session.h"

namespace {

using namespace apertune;

class LibTorch final : public plugins::Backend
{
public:
    plugins::Description describe() override { return libtorch::describeBackend(); }
    plugins::Opened open(const char* request) override
    {
        return libtorch::openSession(libtorch::parseRequest(request));
    }
    plugins::Fault classify(std::exception_ptr error, plugins::Phase phase) override
    {
        return libtorch::classify(error, phase);
    }
    plugins::MeasuredCeilings ceilings(const char* request) override
    {
        return libtorch::measureCeilings(libtorch::parseCeilingRequest(request));
    }
};

} // namespace

const apertune_plugin* apertune_plugin_entry()
{
    static LibTorch backend;
    return plugins::entry(backend);
}
