// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/fault.h"

#include "plugins/support/backend.h"

#include <c10/util/Exception.h>

#include <array>
#include <new>
#include <utility>

namespace apertune::libtorch {

namespace {

using plugins::shortened;

bool mentionsOutOfMemory(std::string_view text)
{
    // These messages are known by text, because a compiled package or a library in between loses the exception's type.
    constexpr std::array<std::string_view, 6> kPhrases{"DefaultCPUAllocator: can't allocate memory",
                                                       "CUDA out of memory",
                                                       "CUDA error: out of memory",
                                                       "CUBLAS_STATUS_ALLOC_FAILED",
                                                       "CUDNN_STATUS_ALLOC_FAILED",
                                                       "CUSOLVER_STATUS_ALLOC_FAILED"};
    for (std::string_view phrase : kPhrases)
        if (text.find(phrase) != std::string_view::npos)
            return true;
    return false;
}

/// The codes of cudaError_t after which the context is dead. Their numbers are part of CUDA's ABI.
bool isSticky(int code)
{
    constexpr std::array kCodes{214 /*ECC*/,
                                700 /*illegal address*/,
                                702 /*launch timeout*/,
                                710 /*device assert*/,
                                714 /*hardware stack*/,
                                715 /*illegal instruction*/,
                                716 /*misaligned*/,
                                717 /*address space*/,
                                718 /*invalid pc*/,
                                719 /*launch failure*/,
                                720 /*cooperative size*/,
                                999 /*unknown*/};
    for (int sticky : kCodes)
        if (code == sticky)
            return true;
    return false;
}

/// Recognizes the same errors by CUDA's texts, because TorchScript's interpreter loses the exception's type.
bool mentionsLostDevice(std::string_view text)
{
    constexpr std::array<std::string_view, 9> kPhrases{"an illegal memory access was encountered",
                                                       "an illegal instruction was encountered",
                                                       "unspecified launch failure",
                                                       "device-side assert triggered",
                                                       "misaligned address",
                                                       "uncorrectable ECC error encountered",
                                                       "the launch timed out and was terminated",
                                                       "hardware stack error",
                                                       "invalid program counter"};
    constexpr std::string_view kCuda = "CUDA error: ";
    const std::size_t found = text.find(kCuda);
    if (found == std::string_view::npos)
        return false;
    for (std::string_view phrase : kPhrases)
        if (text.substr(found + kCuda.size()).starts_with(phrase))
            return true;
    return false;
}

Fault outOfMemory(const std::string& text)
{
    return {APERTUNE_OUT_OF_MEMORY, "Memory ran out: " + essentialLine(text),
            "Use a smaller batch or a 16-bit precision, or free memory on the device.", shortened(text)};
}

Fault deviceLost(const std::string& text)
{
    return {APERTUNE_DEVICE_LOST, "The device stopped working: " + essentialLine(text),
            "The process must be replaced. If it happens again with this model, look at the driver's log (dmesg).",
            shortened(text)};
}

Fault fromText(const std::string& text, Phase phase)
{
    if (mentionsOutOfMemory(text))
        return outOfMemory(text);
    if (mentionsLostDevice(text))
        return deviceLost(text);
    switch (phase) {
    case Phase::opening:
        return {
            APERTUNE_BAD_INPUT, "LibTorch cannot load the model: " + essentialLine(text),
            "Import the model again; if it fails again, the model or this configuration is not usable with LibTorch.",
            shortened(text)};
    case Phase::running:
        return {APERTUNE_MODEL_THREW, "The model failed while running: " + essentialLine(text),
                "Try another batch or precision; run the model in Python with the same input shapes to see the cause.",
                shortened(text)};
    case Phase::describing:
        break;
    }
    return {APERTUNE_INTERNAL, "LibTorch failed: " + essentialLine(text), "Check the LibTorch installation.",
            shortened(text)};
}

} // namespace

std::string essentialLine(std::string_view text)
{
    // Only the interpreter's messages begin with the trace and end with the cause. CUDA's advice may follow it.
    constexpr std::string_view kInterpreter = "The following operation failed in the TorchScript interpreter";
    constexpr std::string_view kCause = "RuntimeError: ";
    const bool last = text.starts_with(kInterpreter);
    if (const std::size_t cause = text.rfind(std::string("\n") + std::string(kCause));
        last && cause != std::string_view::npos)
        return essentialLine(text.substr(cause + 1));
    std::string_view found;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos)
            continue;
        line = line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
        found = line;
        if (!last)
            break;
    }
    for (std::string_view prefix : {"RuntimeError: ", "CUDA error: "})
        if (found.starts_with(prefix))
            found.remove_prefix(prefix.size());
    return found.empty() ? "no message" : std::string(found.substr(0, 300));
}

Fault classify(std::exception_ptr error, Phase phase)
{
    try {
        std::rethrow_exception(error);
    } catch (const Fault& fault) {
        return fault;
    } catch (const c10::OutOfMemoryError& e) {
        return outOfMemory(e.what_without_backtrace());
    } catch (const c10::AcceleratorError& e) {
        const std::string text = e.what_without_backtrace();
        constexpr int kMemoryAllocation = 2; // cudaErrorMemoryAllocation
        if (e.get_error_code() == kMemoryAllocation)
            return outOfMemory(text);
        return isSticky(e.get_error_code()) ? deviceLost(text) : fromText(text, phase);
    } catch (const c10::Error& e) {
        return fromText(e.what_without_backtrace(), phase);
    } catch (const std::bad_alloc&) {
        return outOfMemory("the host has no memory left");
    } catch (const std::exception& e) {
        return fromText(e.what(), phase);
    } catch (...) {
        return {APERTUNE_INTERNAL, "LibTorch threw something that is not an exception.", "Please report it."};
    }
}

} // namespace apertune::libtorch
