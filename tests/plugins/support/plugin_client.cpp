// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/support/plugin_client.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace apertune::test {

namespace {

void appendText(void* user, const char* text, std::size_t size)
{
    static_cast<std::string*>(user)->append(text, size);
}

void takeTensors(void* user, const apertune_tensor* tensors, std::size_t count)
{
    auto& taken = *static_cast<std::vector<OutputTensor>*>(user);
    for (std::size_t i = 0; i < count; ++i) {
        const apertune_tensor& tensor = tensors[i];
        OutputTensor output{tensor.name, tensor.dtype, {tensor.shape, tensor.shape + tensor.rank}, {}};
        std::int64_t elements = 1;
        for (std::int64_t extent : output.shape)
            elements *= extent;
        for (std::int64_t e = 0; e < elements; ++e)
            output.values.push_back(tensor.dtype == APERTUNE_FLOAT32
                                        ? static_cast<double>(static_cast<const float*>(tensor.data)[e])
                                        : static_cast<double>(static_cast<const std::int64_t*>(tensor.data)[e]));
        taken.push_back(std::move(output));
    }
}

} // namespace

void* loadLibrary(const std::string& path, int flags)
{
    void* library = dlopen(path.c_str(), RTLD_NOW | flags);
    if (!library) {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): tests run in one thread
        ADD_FAILURE() << dlerror();
        std::abort();
    }
    return library;
}

Json describePlugin()
{
    std::string text;
    EXPECT_EQ(pluginUnderTest().describe(appendText, &text), APERTUNE_OK);
    return Json::parse(text);
}

std::string switchTable()
{
    std::string text = "| switch | what it does |\n|---|---|\n";
    const Json description = describePlugin();
    for (const Json& entry : description.at("switches"))
        if (entry.is_object())
            text +=
                "| `" + entry.at("name").get<std::string>() + "` | " + entry.at("summary").get<std::string>() + " |\n";
    return text;
}

bool hasCuda()
{
    const Json description = describePlugin();
    for (const Json& device : description.at("devices"))
        if (device.at("id") != "cpu")
            return true;
    return false;
}

Client::Client(const Configuration& configuration)
{
    Json switches = Json::object();
    for (const std::string& name : configuration.switches)
        if (name.starts_with('-'))
            switches[name.substr(1)] = false;
        else
            switches[name] = true;
    const bool absolute = configuration.artifact.starts_with('/');
    const Json request{{"artifact", absolute ? configuration.artifact : artifacts() + "/" + configuration.artifact},
                       {"device", configuration.device},
                       {"config",
                        {{"level", configuration.level},
                         {"precision", configuration.precision},
                         {"batch", configuration.batch},
                         {"threads", configuration.threads},
                         {"switches", switches}}},
                       {"package", configuration.package.empty() ? Json(nullptr) : Json(configuration.package)},
                       {"inputs", configuration.inputs}};
    std::string text;
    status = noted(pluginUnderTest().open(request.dump().c_str(), &m_session, appendText, &text));
    if (status == APERTUNE_OK)
        opened = Json::parse(text);
}

Client::~Client()
{
    close();
}

void Client::close()
{
    pluginUnderTest().close(m_session);
    m_session = nullptr;
}

apertune_status Client::noted(apertune_status result)
{
    if (result != APERTUNE_OK) {
        std::string text;
        pluginUnderTest().last_error(m_session, appendText, &text);
        error = Json::parse(text);
    }
    return result;
}

apertune_status Client::run(std::uint32_t input)
{
    return noted(pluginUnderTest().run(m_session, input));
}

apertune_status Client::warmUp()
{
    for (std::uint32_t input = 0; input < 4; ++input)
        if (const apertune_status result = run(input); result != APERTUNE_OK)
            return result;
    return noted(pluginUnderTest().synchronize(m_session));
}

apertune_status Client::finalize()
{
    return noted(pluginUnderTest().finalize(m_session));
}

std::vector<OutputTensor> Client::outputs(std::uint32_t input)
{
    std::vector<OutputTensor> taken;
    noted(pluginUnderTest().outputs(m_session, input, takeTensors, &taken));
    return taken;
}

Json Client::report()
{
    std::string text;
    if (noted(pluginUnderTest().report(m_session, appendText, &text)) != APERTUNE_OK)
        return {};
    return Json::parse(text);
}

std::string Client::state(const std::string& name)
{
    const Json answer = report();
    for (const Json& line : answer.at("applied"))
        if (line.at("switch") == name)
            return line.at("state");
    return "not reported";
}

std::string Client::evidence(const std::string& name)
{
    const Json answer = report();
    for (const Json& line : answer.at("applied"))
        if (line.at("switch") == name)
            return line.at("evidence");
    return "not reported";
}

apertune_status Client::resetPeaks()
{
    return noted(pluginUnderTest().reset_peaks(m_session));
}

std::uint64_t Client::deviceNanoseconds(int runs)
{
    std::uint64_t nanoseconds = 0;
    EXPECT_EQ(noted(pluginUnderTest().device_timer_start(m_session)), APERTUNE_OK);
    for (int i = 0; i < runs; ++i)
        run(static_cast<std::uint32_t>(i));
    EXPECT_EQ(noted(pluginUnderTest().device_timer_stop(m_session, &nanoseconds)), APERTUNE_OK);
    return nanoseconds;
}

std::vector<RecordedEvent> RecordedTrace::of(apertune_trace_kind kind) const
{
    std::vector<RecordedEvent> found;
    for (const RecordedEvent& e : events)
        if (e.event.kind == static_cast<std::uint32_t>(kind))
            found.push_back(e);
    return found;
}

apertune_status Client::startTrace(const apertune_trace_options& options)
{
    return noted(pluginUnderTest().trace_start(m_session, &options));
}

apertune_status Client::stopTrace(RecordedTrace& into)
{
    struct Taken
    {
        RecordedTrace& trace;
        std::vector<std::string> strings{""};
    } taken{into};
    return noted(pluginUnderTest().trace_stop(
        m_session,
        [](void* user, const apertune_trace_batch* batch) {
            auto& t = *static_cast<Taken*>(user);
            if (batch->string_count > 0 && batch->first_string != t.strings.size())
                return;
            t.strings.insert(t.strings.end(), batch->strings, batch->strings + batch->string_count);
            for (std::size_t i = 0; i < batch->event_count; ++i) {
                const apertune_trace_event& e = batch->events[i];
                t.trace.events.push_back({e, t.strings.at(e.name), t.strings.at(e.detail)});
            }
            t.trace.lost += batch->lost;
        },
        &taken));
}

double cosine(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.size() != b.size())
        return 0;
    double product = 0;
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += a[i] * b[i];
        first += a[i] * a[i];
        second += b[i] * b[i];
    }
    return product / std::sqrt(first * second);
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.size() != b.size())
        return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

} // namespace apertune::test
