// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/fault.h"

#include <NvInfer.h>
#include <NvOnnxParser.h>

#include <memory>
#include <mutex>
#include <string>

namespace apertune::tensorrt {

using plugins::Fault;

/// The log of TensorRT. It keeps errors until take(). Any thread may call it.
class Log final : public nvinfer1::ILogger
{
public:
    void log(Severity severity, const char* text) noexcept override;

    /// Returns the errors since the last call, one per line.
    std::string take();

private:
    std::mutex m_mutex; ///< a leaf lock: no function is called while it is held
    std::string m_errors;
};

/// TensorRT's two libraries, bound. They live as long as the process.
struct Library
{
    std::string version; ///< "10.16.0"
    decltype(&createInferBuilder_INTERNAL) createBuilder = nullptr;
    decltype(&createInferRuntime_INTERNAL) createRuntime = nullptr;
    decltype(&createNvOnnxParser_INTERNAL) createParser = nullptr;

    std::unique_ptr<nvinfer1::IBuilder> builder() const;
    std::unique_ptr<nvinfer1::IRuntime> runtime() const;
    std::unique_ptr<nvonnxparser::IParser> parser(nvinfer1::INetworkDefinition& network) const;
};

/// Binds and checks TensorRT at the first call. It uses the first of these that exists: the libraries that the process
/// has loaded (the worker loads those of a wheel), the folder that APERTUNE_TENSORRT names, the system's libraries.
/// Throws Fault UNSUPPORTED when there are none, or when this build's headers do not fit their version. A call after a
/// failure fails in the same way.
const Library& library();

/// Returns the log of the process, which all TensorRT objects share.
Log& theLog();

/// Returns the fault for a TensorRT function that returned null, with the reason from the log. Out of memory is
/// recognized by its text. Any other fault has the status `otherwise`, and the message is `what` followed by TensorRT's
/// own line.
Fault failed(const std::string& what, apertune_status otherwise, const std::string& hint);

inline constexpr const char* kLeaveOut = "Leave TensorRT out for this model.";

/// Returns the object, or throws the fault of failed() if it is null.
template <typename T>
std::unique_ptr<T> made(std::unique_ptr<T> object, const std::string& what)
{
    if (!object)
        throw failed(what, APERTUNE_INTERNAL, "Install TensorRT again, or leave it out.");
    return object;
}

} // namespace apertune::tensorrt
