// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/engines/rival.h"

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/worker/local_launcher.h"

#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include <array>

namespace apertune::bench {

using base::Json;
using base::Nanoseconds;

namespace {

constexpr Nanoseconds kReady = base::fromSeconds(30 * 60);
constexpr Nanoseconds kBlockGrace = base::fromSeconds(120); ///< benchmark_app loads the model in it

} // namespace

Rival::Rival(const worker::Installation& installation, const Setup& setup) : m_name(setup.name), m_error(setup.cannot)
{
    if (!m_error.empty())
        return;
    std::vector<std::string> batches;
    for (const int batch : setup.batches)
        batches.push_back(std::to_string(batch));
    std::vector<std::string> engines;
    for (const auto& folder : installation.engines)
        engines.push_back(folder.string());
    const std::string threads = std::to_string(setup.threads);
    auto child = base::ChildProcess::start(
        {{installation.python.string(), APERTUNE_RIVALS, setup.name, "--artifact", setup.artifact.string(), "--batches",
          base::join(batches, ","), "--threads", threads, "--precisions", base::join(setup.precisions, ","), "--onnx",
          setup.onnx.string(), "--ir", setup.openvinoIr.string(), "--cpus", worker::oneCpuPerCore(), "--log",
          "/dev/null"},
         {{"APERTUNE_ENGINES", base::join(engines, ":")},
          {"OMP_NUM_THREADS", threads},
          {"MKL_NUM_THREADS", threads},
          {"LD_LIBRARY_PATH", std::nullopt},
          {"CUDA_VISIBLE_DEVICES", ""}},
         {}});
    if (!child) {
        m_error = sentences::sentence(child.error().message);
        return;
    }
    m_child.emplace(std::move(*child));
    const auto line = readLine(kReady);
    const Json ready = line ? Json::parse(*line, nullptr, false) : Json();
    if (ready.is_object() && ready.contains("batch")) {
        m_batch = ready.value("batch", 0);
        m_what = ready.value("what", "");
    } else if (m_error.empty()) {
        m_error = ready.is_object() ? ready.value("error", "no reason given") : "its answer is unreadable";
    }
}

void Rival::measureOneBlock(Nanoseconds block)
{
    if (!m_error.empty())
        return;
    const std::string request = std::to_string(block.seconds()) + "\n";
    if (::write(m_child->stdinFd(), request.data(), request.size()) != static_cast<ssize_t>(request.size())) {
        m_error = "it ended between two blocks";
        return;
    }
    const auto line = readLine(block + block + kBlockGrace);
    const Json answer = line ? Json::parse(*line, nullptr, false) : Json();
    if (answer.is_object() && answer.contains("ns"))
        m_ns.push_back(answer.value("ns", 0.0));
    else if (m_error.empty())
        m_error = answer.is_object() ? answer.value("error", "no reason given") : "its answer is unreadable";
}

std::optional<std::string> Rival::readLine(Nanoseconds limit)
{
    const Nanoseconds end = base::monotonicNow() + limit;
    while (true) {
        if (const auto at = m_buffer.find('\n'); at != std::string::npos) {
            std::string line = m_buffer.substr(0, at);
            m_buffer.erase(0, at + 1);
            return line;
        }
        if (base::monotonicNow() > end) {
            m_error = "it gave no answer within " + base::formatDuration(limit);
            return std::nullopt;
        }
        pollfd waiting{m_child->stdoutFd(), POLLIN, 0};
        ::poll(&waiting, 1, 1000);
        std::array<char, 4096> bytes{};
        const ssize_t count = ::read(m_child->stdoutFd(), bytes.data(), bytes.size());
        if (count == 0) {
            m_error = "it ended without an answer";
            return std::nullopt;
        }
        if (count > 0)
            m_buffer.append(bytes.data(), static_cast<std::size_t>(count));
    }
}

} // namespace apertune::bench
