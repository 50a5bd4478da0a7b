// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"
#include "plugins/libtorch/report.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apertune::libtorch {

struct Request;

/// One model made ready for one configuration on one device; the functions are those of apertune_plugin.h.
/// All calls come from one thread. Every function may throw Fault or what LibTorch throws. No LibTorch type
/// shows here, so that the C glue compiles without its headers.
class Session
{
public:
    virtual ~Session() = default;

    virtual void run(std::uint32_t input) = 0;
    virtual void synchronize() = 0;
    virtual void finalize() = 0;
    virtual void startTimer() = 0;
    virtual std::uint64_t stopTimer() = 0; ///< nanoseconds of the device's clock; 0 on a CPU
    virtual void outputs(std::uint32_t input, const std::function<void(const apertune_tensor*, std::size_t)>& sink) = 0;
    virtual void resetPeaks() = 0;
    virtual Report report() = 0;

    /// Whether an allocation has failed since the session was made. Compiled packages turn such a failure
    /// into an exception that does not say so.
    virtual bool allocationFailed() const = 0;

    /// What this configuration offers to try when the model fails while running; "" for nothing special.
    virtual std::string adviceOnFailure() const = 0;
};

struct Opened
{
    std::unique_ptr<Session> session;
    std::uint64_t loadNanoseconds = 0;
    std::vector<std::string> notes;
    std::string temporaryFolder; ///< what the backend unpacked and removes on close(); empty: nothing
};

/// Sets the process-wide switches, loads the model, applies the configuration and makes the input sets.
Opened openSession(const Request& request);

struct DeviceInfo
{
    std::string id; ///< "cpu", "cuda:0"
    std::string name;
    std::int64_t memoryBytes = 0; ///< 0 on a CPU
    std::string capability;       ///< "9.0"; empty on a CPU
    std::string uuid;
    std::string driver;
};

struct BackendInfo
{
    std::string version;
    std::vector<DeviceInfo> devices;
    std::vector<std::string> notes;
};

BackendInfo describeBackend();

} // namespace apertune::libtorch
