// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/library.h"
#include "plugins/onnxruntime/options.h"
#include "plugins/onnxruntime/request.h"
#include "plugins/support/artifact.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apertune::ort {

/// The reference inputs of a request in host memory, and the engine's values that refer to it. The measured session and
/// the sessions that record share them.
class Inputs
{
public:
    Inputs(const Library& engine, const plugins::Artifact& artifact, const Request& request);

    std::size_t sets() const { return m_sets.size(); }
    const std::vector<const Value*>& set(std::uint32_t input) const { return m_sets[input % m_sets.size()].values; }
    /// The host memory to which the value of one input of a set refers.
    void* memory(std::uint32_t input, std::size_t port) { return m_sets[input % m_sets.size()].data[port].get(); }
    const std::vector<plugins::InputSpec>& specs() const { return m_specs; }
    std::int64_t batch() const { return m_batch; }

private:
    struct Free
    {
        void operator()(void* data) const { std::free(data); } // NOLINT: aligned memory
    };
    struct Set
    {
        std::vector<std::unique_ptr<void, Free>> data;
        std::vector<Handle<Value>> owned;
        std::vector<const Value*> values;
    };

    std::vector<plugins::InputSpec> m_specs;
    std::int64_t m_batch;
    std::vector<Set> m_sets;
};

/// The engine's statistics of the CPU arena.
struct ArenaFigures
{
    std::int64_t peak = 0;        ///< highest number of bytes in use since the model was loaded
    std::int64_t allocations = 0; ///< number of allocations so far
};

/// One loaded model.
///
/// REQUIRES: `inputs` outlives it.
class Engine
{
public:
    /// Loads the file. With `profile`, see makeOptions(). Throws Fault BAD_INPUT when its inputs are not those of the
    /// artifact, Fault UNSUPPORTED when it cannot take the batch, and EngineError.
    Engine(const Library& engine, const std::filesystem::path& file, const Request& request, const Inputs& inputs,
           const std::optional<std::filesystem::path>& profile = {});

    /// Runs one pass to its end.
    void run(std::uint32_t input);

    /// Runs one pass and returns its outputs, in host memory.
    std::vector<Handle<Value>> outputs(std::uint32_t input);

    const std::vector<std::string>& outputNames() const { return m_outputNames; }
    const Options* options() const { return m_options.get(); }
    EngineSession* session() const { return m_session.get(); }

    /// Returns nothing when there is no arena, or when this version of the engine does not count.
    std::optional<ArenaFigures> arena() const;

private:
    void readInterface(const Request& request, const Inputs& inputs);
    void bindAll(const Request& request);

    const Library& m_engine;
    const Inputs& m_inputs;
    Handle<Options> m_options;
    Handle<EngineSession> m_session;
    Handle<Allocator> m_arena;
    std::vector<std::string> m_inputNames;
    std::vector<std::string> m_outputNames;
    std::vector<const char*> m_inputPointers;
    std::vector<const char*> m_outputPointers;
    std::vector<Value*> m_results;           ///< outputs of the pass in flight
    std::vector<Handle<Binding>> m_bindings; ///< one for each input set; empty: io_binding is off
};

} // namespace apertune::ort
