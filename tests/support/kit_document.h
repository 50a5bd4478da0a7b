// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

namespace apertune::test {

/// What a measuring kit writes ("apertune.trials/1"): eight blocks of ResNet-50 in 5 ms a pass on an AMD GPU, and a
/// configuration that failed.
inline nlohmann::json kitDocument()
{
    using Json = nlohmann::json;
    Json blocks = Json::array();
    for (int i = 0; i < 8; ++i)
        blocks.push_back({{"iterations", 4},
                          {"wall_ns", 20'000'000 + (i - 4) * 1000 + 500},
                          {"device_ns", 19'000'000},
                          {"cpu_ns", 20'000'000},
                          {"involuntary_switches", 0}});
    const auto config = [](const char* precision) {
        return Json{{"backend", "pytorch"}, {"level", "O0"}, {"precision", precision},
                    {"batch", 8},           {"threads", 0},  {"switches", Json::object()}};
    };
    return {{"schema", "apertune.trials/1"},
            {"study", nullptr},
            {"purpose", "imported"},
            {"kit",
             {{"platform", "rocm"},
              {"title", "ROCm"},
              {"engine", "pytorch"},
              {"apertune", "1.0.0"},
              {"manifest_sha256", std::string(64, 'a')},
              {"stand_in", false},
              {"measured", "2026-11-29T12:00:00Z"}}},
            {"model",
             {{"name", "resnet50"},
              {"source", "torchvision:resnet50"},
              {"family", "classification"},
              {"content_hash", std::string(64, 'b')},
              {"inputs", {{{"name", "image"}, {"dtype", "float32"}, {"shape", {1, 3, 224, 224}}, {"batch_dim", 0}}}}}},
            {"environment",
             {{"host", ""},
              {"os", "Linux 6.8"},
              {"kernel", "6.8"},
              {"devices",
               {{{"id", "rocm:0"},
                 {"name", "AMD Instinct MI300X"},
                 {"memory_bytes", std::int64_t{206'158'430'208}},
                 {"driver", "6.2"}}}},
              {"engines", {{"pytorch", "2.8.0+rocm6.2"}}},
              {"settings", {{"python", "3.12.3"}, {"machine", "x86_64"}, {"processors", "192"}}}}},
            {"trials",
             {{{"id", "t1"},
               {"state", "ok"},
               {"reason", nullptr},
               {"config", config("fp32")},
               {"device", "rocm:0"},
               {"latency_ms", {{"median", 5.0}, {"first", 80.0}}},
               {"throughput_per_s", {{"value", 1600.0}, {"lo", 1599.0}, {"hi", 1601.0}}},
               {"memory_bytes", {{"process_peak", 1 << 30}, {"allocator_peak", 1 << 28}, {"device_peak", nullptr}}},
               {"quality",
                {{"cosine", 0.99999},
                 {"max_abs", 0.01},
                 {"max_rel", 0.001},
                 {"nan_count", 0},
                 {"top1_agreement", 1.0},
                 {"top5_agreement", 1.0},
                 {"samples", 32}}},
               {"applied", {{{"switch", "device"}, {"state", "on"}, {"evidence", "the model is on cuda"}}}},
               {"flags", Json::array()},
               {"load_ms", 900.0},
               {"warmup_ms", 210.0},
               {"warmup_passes", 40},
               {"blocks", blocks},
               {"iterations_ns", {4'990'000, 5'000'000, 5'010'000}}},
              {{"id", "t2"},
               {"state", "failed"},
               {"reason", "RuntimeError: out of memory"},
               {"config", config("fp16")},
               {"device", "rocm:0"}}}}};
}

} // namespace apertune::test
