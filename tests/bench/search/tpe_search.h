// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/search/searcher.h"

#include <filesystem>
#include <memory>
#include <string>

namespace apertune::search::bench {

/// Optuna's TPE in a Python process of its own: a rival in bench_search. One thread.
class TpeProcess
{
public:
    /// Failures: unsupported, with how to get Optuna; io.
    static base::Result<std::unique_ptr<TpeProcess>> start(const std::filesystem::path& python,
                                                           const std::filesystem::path& script);
    virtual ~TpeProcess() = default;
    virtual std::string version() const = 0;
    /// A fresh study over the task. A trial measures a configuration by the full protocol, as its users have it, or
    /// `quick`: as briefly as racing looks at one first. It stops when the measuring budget is spent. A process that
    /// went away ends the search. The process must outlive it, and searches may not overlap.
    virtual std::unique_ptr<search::Searcher> make(const search::SearchTask& task, std::uint64_t seed, bool quick) = 0;
};

} // namespace apertune::search::bench
