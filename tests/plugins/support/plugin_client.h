// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace apertune::test {

using Json = nlohmann::ordered_json;

/// The plugin, loaded once as the worker loads it: its engine by absolute path, then the plugin. Each test program has
/// its own.
const apertune_plugin& pluginUnderTest();

/// dlopen() with RTLD_NOW and `flags`. Where it cannot be loaded, the test program says why and ends.
void* loadLibrary(const std::string& path, int flags);

/// The folder of the artifacts, made if need be. Each test program has its own.
const std::string& artifacts();

/// The plugin's own answer to describe().
Json describePlugin();

/// The switches that are the backend's own, as a table of the manual.
std::string switchTable();

/// Whether describe() lists a CUDA device.
bool hasCuda();

struct Configuration
{
    std::string artifact;                   ///< name below artifacts(), or an absolute path
    std::vector<std::string> switches = {}; ///< switches that are on; "-freeze" is off
    std::string precision = "fp32";
    int batch = 1;
    std::string device = "cpu";
    std::string package = {};
    int inputs = 2;
    std::string level = "O0";
    int threads = 2;
};

struct OutputTensor
{
    std::string name;
    apertune_dtype dtype;
    std::vector<std::int64_t> shape;
    std::vector<double> values;
};

/// Everything that one recording handed over, its texts looked up.
struct RecordedEvent
{
    apertune_trace_event event;
    std::string name;
    std::string shapes;
};

struct RecordedTrace
{
    std::vector<RecordedEvent> events;
    std::uint64_t lost = 0;

    std::vector<RecordedEvent> of(apertune_trace_kind kind) const;
};

/// A session that is closed at the end of its scope. A failed open leaves `status` and `error`.
class Client
{
public:
    explicit Client(const Configuration& configuration);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    apertune_status status = APERTUNE_INTERNAL; ///< status of open()
    Json opened;                                ///< open()'s answer
    Json error;                                 ///< last_error() after the last call that failed

    apertune_status run(std::uint32_t input);
    apertune_status warmUp(); ///< four passes, the status of the first that fails
    apertune_status finalize();
    std::vector<OutputTensor> outputs(std::uint32_t input); ///< empty on failure
    Json report();
    std::string state(const std::string& name);    ///< state of one switch in report()
    std::string evidence(const std::string& name); ///< evidence for one switch in report()
    apertune_status resetPeaks();
    std::uint64_t deviceNanoseconds(int runs);
    apertune_status startTrace(const apertune_trace_options& options);
    apertune_status stopTrace(RecordedTrace& into);
    void close();

private:
    apertune_status noted(apertune_status result);

    apertune_session* m_session = nullptr;
};

/// Cosine of the angle between two results; 0 when they differ in size.
double cosine(const std::vector<double>& a, const std::vector<double>& b);
double largestDifference(const std::vector<double>& a, const std::vector<double>& b);

} // namespace apertune::test
