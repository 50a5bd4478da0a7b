// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/base/units.h"
#include "core/worker/installation.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apertune::bench {

/// One process of rivals.py that stays open and measures a block when asked. Whatever goes wrong with it becomes its
/// error(); it takes no more turns then.
class Rival
{
public:
    struct Setup
    {
        std::string name; ///< name in rivals.py
        std::filesystem::path artifact;
        std::vector<int> batches;            ///< batches to try; the rival keeps the best one
        std::vector<std::string> precisions; ///< precisions to try; the rival keeps the best one
        int threads = 0;
        std::filesystem::path onnx{};
        std::filesystem::path openvinoIr{};
        std::string cannot{}; ///< reason why the rival is not started; empty: none
    };

    /// Starts it and waits until it is ready, which takes a compiler minutes.
    Rival(const worker::Installation& installation, const Setup& setup);

    void measureOneBlock(base::Nanoseconds block);

    const std::string& name() const { return m_name; }
    const std::string& what() const { return m_what; }
    int batch() const { return m_batch; }
    const std::vector<double>& nsPerSample() const { return m_ns; } ///< a value for each turn
    const std::string& error() const { return m_error; }

private:
    /// The next line; nothing, and error() says why, when there is none within the limit.
    std::optional<std::string> readLine(base::Nanoseconds limit);

    std::string m_name;
    std::string m_what;
    int m_batch = 0;
    std::vector<double> m_ns;
    std::string m_error;
    std::string m_buffer;
    std::optional<base::ChildProcess> m_child;
};

} // namespace apertune::bench
