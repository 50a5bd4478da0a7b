// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <nvinfer_stubs.h>

#include <cstdint>
#include <string>
#include <utility>

/// TensorRT as far as the plugin uses it, without a GPU: a "model" is a JSON text that says what the network is and
/// what goes wrong, a plan is the JSON of what was asked of the builder. Named libnvinfer.so.10, it is what the plugin
/// finds once it is loaded. A function that is not here ends the process with its name.
namespace nvinfer1 {

using Json = nlohmann::ordered_json;

inline ILogger* g_logger = nullptr; ///< logger of the plugin

inline void logError(const std::string& text)
{
    g_logger->log(ILogger::Severity::kERROR, text.c_str());
}

inline Dims dimsFrom(const Json& shape)
{
    Dims dims{};
    dims.nbDims = static_cast<std::int32_t>(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
        dims.d[i] = shape[i].get<std::int64_t>();
    return dims;
}

inline Json jsonFrom(const Dims& dims)
{
    Json shape = Json::array();
    for (std::int32_t i = 0; i < dims.nbDims; ++i)
        shape.push_back(dims.d[i]);
    return shape;
}

/// The base of what TensorRT calls an interface: the public class forwards to an implementation, which is this object.
class HostMemory final : public IHostMemory, public VHostMemoryStub
{
public:
    explicit HostMemory(std::string text) : m_text(std::move(text)) { IHostMemory::mImpl = this; }
    void* data() const noexcept override { return const_cast<char*>(m_text.data()); } // NOLINT: TensorRT's signature
    std::size_t size() const noexcept override { return m_text.size(); }

private:
    std::string m_text;
};

} // namespace nvinfer1
