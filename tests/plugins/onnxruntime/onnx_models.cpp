// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plugins/onnxruntime/onnx_models.h"

#include "tests/plugins/support/plugin_client.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace apertune::test {

namespace fs = std::filesystem;

namespace {

std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}

std::string number(int field, std::int64_t value)
{
    return varint(static_cast<std::uint64_t>(field) << 3) + varint(static_cast<std::uint64_t>(value));
}

std::string text(int field, const std::string& bytes)
{
    return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string integers(const std::string& name, const std::vector<std::int64_t>& values)
{
    std::string bytes = text(1, name);
    for (const std::int64_t value : values)
        bytes += number(8, value);
    return bytes + number(20, 7);
}

std::string node(const std::string& type, const std::vector<std::string>& inputs, const std::string& output,
                 const std::vector<std::string>& attributes = {})
{
    std::string bytes;
    for (const std::string& input : inputs)
        bytes += text(1, input);
    bytes += text(2, output) + text(3, output + "_node") + text(4, type);
    for (const std::string& attribute : attributes)
        bytes += text(5, attribute);
    return text(1, bytes);
}

std::string weights(const std::string& name, const std::vector<std::int64_t>& shape, float scale, float shift = 0)
{
    std::size_t count = 1;
    std::string bytes;
    for (const std::int64_t extent : shape) {
        count *= static_cast<std::size_t>(extent);
        bytes += number(1, extent);
    }
    std::string raw(count * sizeof(float), '\0');
    for (std::size_t i = 0; i < count; ++i) {
        const float value = shift + scale * std::sin(static_cast<float>(i * 7 + name.size()));
        std::memcpy(raw.data() + i * sizeof value, &value, sizeof value);
    }
    return text(5, bytes + number(2, 1) + text(8, name) + text(9, raw));
}

/// Whole numbers of one byte: uint8 (2) or int8 (3).
std::string bytesOf(const std::string& name, int type, const std::vector<std::int64_t>& shape, int step)
{
    std::size_t count = 1;
    std::string bytes;
    for (const std::int64_t extent : shape) {
        count *= static_cast<std::size_t>(extent);
        bytes += number(1, extent);
    }
    std::string raw;
    for (std::size_t i = 0; i < count; ++i)
        raw += static_cast<char>(static_cast<int>(i) * step % 100);
    return text(5, bytes + number(2, type) + text(8, name) + text(9, raw));
}

std::string value(int field, const std::string& name, std::int64_t batch, const std::vector<std::int64_t>& rest)
{
    std::string shape = text(1, batch > 0 ? number(1, batch) : text(2, "N"));
    for (const std::int64_t extent : rest)
        shape += text(1, number(1, extent));
    return text(field, text(1, name) + text(2, text(1, number(1, 1) + text(2, shape))));
}

std::string model(const std::string& graph)
{
    return number(1, 8) + text(8, number(2, 17)) + text(7, graph + text(2, "test"));
}

std::string block(const std::string& name, const std::string& input, std::int64_t from, std::int64_t to)
{
    const auto w = name + "_w";
    std::string bytes = node("Conv", {input, w}, name + "_c", {integers("pads", {1, 1, 1, 1})});
    bytes += node("BatchNormalization", {name + "_c", name + "_s", name + "_b", name + "_m", name + "_v"}, name + "_n");
    bytes += node("Relu", {name + "_n"}, name + "_r");
    bytes +=
        weights(w, {to, from, 3, 3}, 0.3F) + weights(name + "_s", {to}, 0.1F, 1) + weights(name + "_b", {to}, 0.1F);
    return bytes + weights(name + "_m", {to}, 0.1F) + weights(name + "_v", {to}, 0.1F, 1);
}

} // namespace

std::string convolutionModel(std::int64_t batch)
{
    return model(block("one", "x", 3, 16) + block("two", "one_r", 16, 32) +
                 node("GlobalAveragePool", {"two_r"}, "pooled") + node("Flatten", {"pooled"}, "flat") +
                 node("Gemm", {"flat", "last_w"}, "y") + weights("last_w", {32, 10}, 0.5F) +
                 value(11, "x", batch, {3, 16, 16}) + value(12, "y", batch, {10}));
}

std::string quantizedModel()
{
    std::string graph =
        node("QuantizeLinear", {"x", "x_s", "zero"}, "x_q") + node("DequantizeLinear", {"x_q", "x_s", "zero"}, "x_d") +
        node("DequantizeLinear", {"w_q", "w_s", "w_z"}, "w_d") +
        node("Conv", {"x_d", "w_d"}, "c", {integers("pads", {1, 1, 1, 1})}) +
        node("QuantizeLinear", {"c", "c_s", "zero"}, "c_q") + node("DequantizeLinear", {"c_q", "c_s", "zero"}, "y");
    graph += bytesOf("zero", 2, {}, 0) + bytesOf("w_z", 3, {}, 0) + bytesOf("w_q", 3, {16, 3, 3, 3}, 7);
    for (const char* scale : {"x_s", "w_s", "c_s"})
        graph += weights(scale, {}, 0, 0.01F);
    return model(graph + value(11, "x", 0, {3, 16, 16}) + value(12, "y", 0, {16, 16, 16}));
}

std::string branchesModel()
{
    std::string graph;
    for (const std::string branch : {"a", "b"}) {
        std::string last = "x";
        for (int i = 0; i < 20; ++i) {
            const std::string next = branch + std::to_string(i);
            graph += node(i % 2 ? "Erf" : branch == "a" ? "Sin" : "Cos", {last}, next);
            last = next;
        }
    }
    return model(graph + node("Add", {"a19", "b19"}, "y") + value(11, "x", 0, {64}) + value(12, "y", 0, {64}));
}

std::string singleOperatorModel(const std::string& type)
{
    return model(node(type, {"x"}, "y") + value(11, "x", 0, {64}) + value(12, "y", 0, {64}));
}

std::string castModel(int type)
{
    const std::string to = text(1, "to") + number(3, type) + number(20, 2);
    const std::string y = text(1, "y") + text(2, text(1, number(1, type)));
    return model(node("Cast", {"x"}, "y", {to}) + value(11, "x", 0, {64}) + text(12, y));
}

std::string makeArtifact(const std::string& name, const std::string& onnx, const std::vector<ArtifactInput>& inputs)
{
    const fs::path folder = fs::path(artifacts()) / name;
    fs::create_directories(folder);
    Json manifest{{"schema", "apertune.model/1"}, {"name", name},
                  {"content_hash", name},         {"dynamic_batch", true},
                  {"inputs", Json::array()},      {"outputs", Json::array()}};
    for (const ArtifactInput& input : inputs) {
        const std::string file = input.name + ".bin";
        std::size_t count = static_cast<std::size_t>(input.samples);
        for (const std::int64_t extent : input.shape)
            count *= static_cast<std::size_t>(extent);
        std::string bytes;
        for (std::size_t i = 0; i < count; ++i) {
            const float real = std::sin(static_cast<float>(i) * 0.37F);
            const auto whole = static_cast<std::int64_t>(i % 5);
            const bool floats = input.dtype == "float32";
            bytes.append(floats ? reinterpret_cast<const char*>(&real) : reinterpret_cast<const char*>(&whole),
                         floats ? sizeof real : sizeof whole);
        }
        std::ofstream(folder / file, std::ios::binary) << bytes;
        manifest["inputs"].push_back({{"name", input.name},
                                      {"dtype", input.dtype},
                                      {"shape", input.shape},
                                      {"batch_dim", 0},
                                      {"file", file},
                                      {"samples", input.samples}});
    }
    manifest["files"] = {{"torchscript", nullptr}, {"exported", nullptr}};
    if (!onnx.empty()) {
        std::ofstream(folder / "model.onnx", std::ios::binary) << onnx;
        manifest["files"]["onnx"] = {{"path", "model.onnx"}, {"bytes", onnx.size()}};
    }
    std::ofstream(folder / "manifest.json") << manifest.dump(1);
    return folder.string();
}

} // namespace apertune::test
