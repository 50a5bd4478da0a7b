// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/tensorrt/library.h"

#include "plugins/support/backend.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <new>
#include <utility>

namespace apertune::tensorrt {

namespace {

constexpr const char* kInfer = "libnvinfer.so.10";
constexpr const char* kParser = "libnvonnxparser.so.10";
constexpr const char* kInstall =
    "Add it with: pip install \"tensorrt-cu13<11\" in a Python environment that APERTUNE_ENGINES names, or name the "
    "folder of its libraries in APERTUNE_TENSORRT.";
static_assert(NV_TENSORRT_MAJOR == 10, "the sonames above are those of TensorRT 10");

constexpr std::size_t kMostKept = 8000;
constexpr std::size_t kLongestLine = 300;

/// Opens a library by its bare name, which also finds one that the process has loaded from elsewhere.
void* open(const char* name)
{
    if (void* loaded = ::dlopen(name, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL))
        return loaded;
    const char* folder = std::getenv("APERTUNE_TENSORRT");
    const std::filesystem::path file = folder && *folder ? std::filesystem::path(folder) / name : name;
    if (void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL))
        return library;
    const char* reason = ::dlerror();
    throw Fault(APERTUNE_UNSUPPORTED, std::string("TensorRT was not found: ") + name + " does not load. " + kInstall,
                kInstall, reason ? reason : "");
}

template <typename Function>
void bind(void* from, const char* file, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(::dlsym(from, name));
    if (!function)
        throw Fault(APERTUNE_INTERNAL, std::string(file) + " is not TensorRT's: it has no " + name + ".", kInstall);
}

std::string versionText(int number)
{
    return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
}

Library loadLibraries()
{
    Library engine;
    void* infer = open(kInfer);
    void* parser = open(kParser);
    int (*version)() = nullptr;
    bind(infer, kInfer, "getInferLibVersion", version);
    bind(infer, kInfer, "createInferBuilder_INTERNAL", engine.createBuilder);
    bind(infer, kInfer, "createInferRuntime_INTERNAL", engine.createRuntime);
    bind(parser, kParser, "createNvOnnxParser_INTERNAL", engine.createParser);
    const int number = version();
    engine.version = versionText(number);
    // Within a major version, function tables only grow. A newer library therefore serves older headers.
    if (number / 10000 != NV_TENSORRT_MAJOR || number < NV_TENSORRT_VERSION)
        throw Fault(APERTUNE_UNSUPPORTED,
                    "TensorRT " + engine.version + " is not supported: this build was made for " +
                        versionText(NV_TENSORRT_VERSION) + " or a later 10.x.",
                    "Install such a version of TensorRT, or build Apertune with the headers of this one.");
    return engine;
}

bool mentionsOutOfMemory(const std::string& text)
{
    for (const char* phrase : {"out of memory", "OutOfMemory", "Requested amount of GPU memory", "insufficient memory",
                               "allocation failure", "std::bad_alloc"})
        if (text.find(phrase) != std::string::npos)
            return true;
    return false;
}

/// The first error of the log. The later ones are its consequences.
std::string essentialLine(const std::string& text)
{
    std::string line = text.substr(0, text.find('\n'));
    if (line.size() > kLongestLine)
        line = line.substr(0, kLongestLine) + "…";
    while (!line.empty() && (line.back() == '.' || line.back() == ' '))
        line.pop_back();
    return line.empty() ? "no reason given" : line;
}

} // namespace

void Log::log(Severity severity, const char* text) noexcept
{
    if (severity > Severity::kERROR || !text)
        return;
    try {
        const std::lock_guard lock(m_mutex);
        if (m_errors.size() < kMostKept)
            m_errors += (m_errors.empty() ? "" : "\n") + std::string(text);
    } catch (const std::bad_alloc&) { // NOLINT: the line is lost, but the failure is still reported
    }
}

std::string Log::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_errors, {});
}

Log& theLog()
{
    static Log log;
    return log;
}

std::unique_ptr<nvinfer1::IBuilder> Library::builder() const
{
    return made(std::unique_ptr<nvinfer1::IBuilder>(
                    static_cast<nvinfer1::IBuilder*>(createBuilder(&theLog(), NV_TENSORRT_VERSION))),
                "TensorRT makes no builder");
}

std::unique_ptr<nvinfer1::IRuntime> Library::runtime() const
{
    return made(std::unique_ptr<nvinfer1::IRuntime>(
                    static_cast<nvinfer1::IRuntime*>(createRuntime(&theLog(), NV_TENSORRT_VERSION))),
                "TensorRT makes no runtime");
}

std::unique_ptr<nvonnxparser::IParser> Library::parser(nvinfer1::INetworkDefinition& network) const
{
    return made(std::unique_ptr<nvonnxparser::IParser>(
                    static_cast<nvonnxparser::IParser*>(createParser(&network, &theLog(), NV_ONNX_PARSER_VERSION))),
                "TensorRT makes no ONNX parser");
}

const Library& library()
{
    static const Library engine = loadLibraries();
    return engine;
}

Fault failed(const std::string& what, apertune_status otherwise, const std::string& hint)
{
    const std::string text = theLog().take();
    if (mentionsOutOfMemory(text))
        return {APERTUNE_OUT_OF_MEMORY, "Memory ran out in TensorRT: " + essentialLine(text) + ".",
                "Use a smaller batch or a 16-bit precision, or free memory on the device.", plugins::shortened(text)};
    return {otherwise, what + ": " + essentialLine(text) + ".", hint, plugins::shortened(text)};
}

} // namespace apertune::tensorrt
