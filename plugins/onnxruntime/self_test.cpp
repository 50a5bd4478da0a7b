// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/self_test.h"

#include <array>
#include <cstdint>
#include <vector>

namespace apertune::ort {

namespace {

// Writers of the three kinds of protocol buffer fields that the tiny model needs. All lengths are below 128, one byte.
std::string number(int field, char value)
{
    return {static_cast<char>(field << 3), value};
}

std::string text(int field, const std::string& bytes)
{
    return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

std::string node(const char* type, const char* a, const char* b, const char* result)
{
    return text(1, a) + text(1, b) + text(2, result) + text(4, type);
}

/// The description of a float tensor [N, 3].
std::string value(const char* name)
{
    const std::string shape = text(1, text(2, "N")) + text(1, number(1, 3));
    return text(1, name) + text(2, text(1, number(1, kFloat) + text(2, shape)));
}

struct Wrong
{
    std::string what;
};

void expect(bool holds, const std::string& what)
{
    if (!holds)
        throw Wrong{what};
}

void readProviders(Library& engine)
{
    char** names = nullptr;
    int count = 0;
    engine.check(engine.api.availableProviders(&names, &count));
    expect(names && count > 0 && count < 100, "the list of providers is invalid");
    engine.providers.assign(names, names + count);
    engine.check(engine.api.releaseProviders(names, count));
    expect(engine.has("CPUExecutionProvider"), "it lists no CPU provider");
}

void checkOptions(const Library& engine, const Options* options)
{
    int has = 0;
    engine.check(engine.api.hasConfigEntry(options, "session.set_denormal_as_zero", &has));
    expect(has == 1, "an option that was set is not there");
    std::array<char, 8> read{};
    std::size_t size = read.size();
    engine.check(engine.api.getConfigEntry(options, "session.set_denormal_as_zero", read.data(), &size));
    expect(std::string(read.data()) == "0", "an option reads back as something else");
}

void checkInterface(const Library& engine, const EngineSession* session)
{
    // The interface is a table of addresses without types. Calling each function once with known values shows that this
    // library has the same order.
    const Api& api = engine.api;
    std::size_t count = 0;
    engine.check(api.inputCount(session, &count));
    expect(count == 2, "the model has " + std::to_string(count) + " inputs instead of 2");
    engine.check(api.outputCount(session, &count));
    expect(count == 1, "the model has " + std::to_string(count) + " outputs instead of 1");
    char* name = nullptr;
    engine.check(api.inputName(session, 0, engine.allocator, &name));
    expect(engine.take(name) == "x", "the input has another name");
    engine.check(api.outputName(session, 0, engine.allocator, &name));
    expect(engine.take(name) == "y", "the output has another name");

    const Handle<TypeInfo> type = make(engine, api.inputType, api.releaseTypeInfo, session, std::size_t{1});
    const TensorInfo* tensor = nullptr;
    engine.check(api.asTensorInfo(type.get(), &tensor));
    expect(tensor != nullptr, "the input is no tensor");
    int element = 0;
    std::size_t rank = 0;
    std::array<std::int64_t, 2> shape{};
    engine.check(api.elementType(tensor, &element));
    engine.check(api.rank(tensor, &rank));
    expect(element == kFloat && rank == shape.size(), "the input has another type");
    engine.check(api.shape(tensor, shape.data(), shape.size()));
    expect(shape[0] == -1 && shape[1] == 3, "the input has another shape");
}

void checkAnswer(const Library& engine, Value* answer, const std::vector<float>& x)
{
    const Api& api = engine.api;
    int is = 0;
    engine.check(api.isTensor(answer, &is));
    expect(is == 1, "the answer is no tensor");
    const Handle<TensorInfo> info =
        make(engine, api.tensorInfo, api.releaseTensorInfo, static_cast<const Value*>(answer));
    // The batch dimension is symbolic in the model, so its size is known from the answer only.
    std::array<std::int64_t, 2> shape{};
    engine.check(api.shape(info.get(), shape.data(), shape.size()));
    expect(shape[0] == 2 && shape[1] == 3, "the answer has another shape");
    void* data = nullptr;
    engine.check(api.tensorData(answer, &data));
    const auto* y = static_cast<const float*>(data);
    for (std::size_t i = 0; i < x.size(); ++i)
        expect(y[i] == 3.0F * x[i] + x[i], "3x+x is " + std::to_string(y[i]) + " at x = " + std::to_string(x[i]));
}

void runTinyModel(const Library& engine)
{
    const Api& api = engine.api;
    const auto options = make(engine, api.createOptions, api.releaseOptions);
    // Each option that sessions set is set once here, because a wrong slot would take the value for something else.
    engine.check(api.setGraphLevel(options.get(), kDisabled));
    engine.check(api.setIntraThreads(options.get(), 1));
    engine.check(api.setInterThreads(options.get(), 1));
    engine.check(api.setExecutionMode(options.get(), kSequential));
    engine.check(api.enableMemoryPattern(options.get()));
    engine.check(api.enableArena(options.get()));
    engine.check(api.addConfigEntry(options.get(), "session.set_denormal_as_zero", "0"));
    checkOptions(engine, options.get());

    const std::string model = tinyModel();
    const auto session =
        make(engine, api.createSessionFromArray, api.releaseSession, static_cast<const Env*>(engine.env),
             static_cast<const void*>(model.data()), model.size(), static_cast<const Options*>(options.get()));
    checkInterface(engine, session.get());

    std::vector<float> x{0.5F, -1.0F,  2.0F,
                         3.0F, -0.25F, 8.0F}; // values whose sums and products are exact in every order
    std::vector<float> w(x.size(), 3.0F);
    const std::array<std::int64_t, 2> shape{2, 3};
    const auto memory =
        make(engine, api.createCpuMemoryInfo, api.releaseMemoryInfo, int{kArenaAllocator}, int{kDefaultMemory});
    const auto over = [&](std::vector<float>& values) {
        return make(engine, api.createTensorOver, api.releaseValue, static_cast<const MemoryInfo*>(memory.get()),
                    static_cast<void*>(values.data()), values.size() * sizeof(float), shape.data(), shape.size(),
                    int{kFloat});
    };
    const auto first = over(x);
    const auto second = over(w);
    const std::array<const char*, 2> names{"x", "w"};
    const std::array<const Value*, 2> given{first.get(), second.get()};
    const char* result = "y";
    Value* answer = nullptr;
    engine.check(api.run(session.get(), nullptr, names.data(), given.data(), given.size(), &result, 1, &answer));
    expect(answer != nullptr, "a pass gave no answer");
    const Handle<Value> owned(answer, api.releaseValue);
    checkAnswer(engine, answer, x);

    // Binding has functions of its own, so a second pass goes through it.
    const auto binding = make(engine, api.createBinding, api.releaseBinding, session.get());
    for (std::size_t i = 0; i < names.size(); ++i)
        engine.check(api.bindInput(binding.get(), names[i], given[i]));
    engine.check(api.bindOutputToDevice(binding.get(), result, memory.get()));
    engine.check(api.runWithBinding(session.get(), nullptr, binding.get()));
}

void expectRefusal(const Library& engine)
{
    const auto options = make(engine, engine.api.createOptions, engine.api.releaseOptions);
    EngineSession* session = nullptr;
    // The way of errors is tested too: a library that takes everything would make each later check worthless.
    const std::string garbage = "this is no model";
    Status* status =
        engine.api.createSessionFromArray(engine.env, garbage.data(), garbage.size(), options.get(), &session);
    expect(status != nullptr, "garbage was taken for a model");
    try {
        engine.check(status);
    } catch (const EngineError& error) {
        expect(error.code > 0 && error.code < 100 && !error.text.empty(), "a refusal says nothing");
    }
}

} // namespace

std::string tinyModel()
{
    const std::string graph = text(1, node("Mul", "x", "w", "z")) + text(1, node("Add", "z", "x", "y")) +
                              text(2, "apertune") + text(11, value("x")) + text(11, value("w")) + text(12, value("y"));
    return number(1, 8) + text(8, number(2, 13)) + text(7, graph); // IR version, operator set, graph
}

std::string selfTest(Library& engine)
{
    try {
        // A null slot is a function that this library lacks.
#define APERTUNE_ORT_PRESENT(name, slot, result, arguments)                                                            \
    expect(engine.api.name != nullptr, "slot " #slot " (" #name ") is empty");
        APERTUNE_ORT_FUNCTIONS(APERTUNE_ORT_PRESENT)
#undef APERTUNE_ORT_PRESENT
        engine.check(engine.api.createEnv(kLogError, "apertune", &engine.env));
        engine.check(engine.api.disableTelemetry(engine.env));
        engine.check(engine.api.defaultAllocator(&engine.allocator));
        expect(engine.env && engine.allocator, "it made no environment");
        readProviders(engine);
        runTinyModel(engine);
        expectRefusal(engine);
        return "";
    } catch (const Wrong& wrong) {
        return wrong.what;
    } catch (const EngineError& error) {
        return "it refused the tiny model: " + error.text;
    }
}

} // namespace apertune::ort
