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

/// What TensorRT says while it works; errors are kept until they are taken. Called from any thread.
class Log final : public nvinfer1::ILogger
{
public:
    void log(Severity severity, const char* text) noexcept override;

    /// The errors since the last call, a line each.
    std::string take();

private:
    std::mutex m_mutex; ///< a leaf: nothing is called while it is held
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

/// Binds and checks at the first call: the libraries that the process has loaded, as the worker does with a wheel's,
/// else those of the folder that APERTUNE_TENSORRT names, else the system's. Throws Fault UNSUPPORTED when there are
/// none, or of a version that the headers of this build do not fit. A failure is found again at every call.
const Library& library();

/// What TensorRT logs; of the whole process, as its objects share it.
Log& theLog();

/// A function of TensorRT gave nothing back: why, by what it logged. Memory that ran out is known by its text, anything
/// else is `otherwise` with TensorRT's own line behind `what`.
Fault failed(const std::string& what, apertune_status otherwise, const std::string& hint);

inline constexpr const char* kLeaveOut = "Leave TensorRT out for this model.";

/// The object, or throws what failed() says.
template <typename T>
std::unique_ptr<T> made(std::unique_ptr<T> object, const std::string& what)
{
    if (!object)
        throw failed(what, APERTUNE_INTERNAL, "Install TensorRT again, or leave it out.");
    return object;
}

} // namespace apertune::tensorrt
