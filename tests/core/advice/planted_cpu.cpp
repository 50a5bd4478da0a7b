// SPDX-License-Identifier: GPL-3.0-or-later
#include "planted_device.h"
#include "recorder.h"

#include <algorithm>
#include <array>

namespace apertune::advice::testing {

namespace {

/// An operator with what it calls, outermost first; the time belongs to the innermost.
struct Layer
{
    std::vector<const char*> names;
    double time = 500e3;
    std::int64_t bytes = 0; ///< memory that is allocated for the result
    const char* types = ""; ///< types of the inputs
};

/// Records operators of one thread.
class Thread
{
public:
    explicit Thread(Dice& dice) : m_dice(dice), m_recorder(dice) {}

    void run(const Layer& layer, double overhead = 2e3)
    {
        open(layer, 0, overhead);
        m_recorder.spend(m_dice.about(1.5e3, 0.3));
    }

    Recorder& recorder() { return m_recorder; }

private:
    void open(const Layer& layer, std::size_t depth, double overhead)
    {
        const bool innermost = depth + 1 == layer.names.size();
        const std::int64_t start = m_recorder.now();
        if (innermost) {
            if (layer.bytes > 0) { // the operator allocates its result
                m_recorder.hostOperator("aten::empty", m_dice.about(1e3, 0.3));
                m_recorder.tensorMemory(layer.bytes, ++m_address * 64, -1);
            }
            m_recorder.spend(m_dice.about(layer.time, 0.04));
        } else {
            m_recorder.spend(m_dice.about(overhead, 0.3));
            open(layer, depth + 1, overhead);
            m_recorder.spend(m_dice.about(overhead / 2, 0.3));
        }
        add(layer.names[depth], start, layer.types);
        if (innermost && layer.bytes > 0)
            m_recorder.tensorMemory(-layer.bytes, m_address * 64, -1);
    }

    void add(const char* name, std::int64_t start, const std::string& types)
    {
        trace::Event e;
        e.start = {start};
        e.duration = {m_recorder.now() - start};
        e.name = m_recorder.builder().intern(name);
        if (!types.empty())
            e.detail =
                m_recorder.builder().detail(trace::OperatorDetail{{}, m_recorder.builder().intern(types), {}, -1});
        m_recorder.builder().add(m_recorder.thread(), trace::EventKind::operatorCall, e);
    }

    Dice& m_dice;
    Recorder m_recorder;
    std::uint64_t m_address = 1;
};

const std::array<Layer, 3> kArithmetic = {
    Layer{{"aten::conv2d", "aten::convolution", "aten::_convolution", "aten::mkldnn_convolution"}},
    Layer{{"aten::linear", "aten::addmm"}},
    Layer{{"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention_for_cpu"}}};
const std::array<Layer, 3> kPointwise = {Layer{{"aten::relu_", "aten::clamp_min_"}}, Layer{{"aten::add_"}},
                                         Layer{{"aten::gelu"}}};
const std::array<Layer, 4> kOther = {Layer{{"aten::max_pool2d", "aten::max_pool2d_with_indices"}},
                                     Layer{{"aten::softmax", "aten::_softmax"}}, Layer{{"aten::mean", "aten::sum"}},
                                     Layer{{"aten::layer_norm", "aten::native_layer_norm"}}};

template <std::size_t N>
Layer pick(Dice& dice, const std::array<Layer, N>& list)
{
    return list[static_cast<std::size_t>(dice.number(0, static_cast<int>(N) - 1))];
}

std::vector<Layer> soundModel(Dice& dice)
{
    std::vector<Layer> model;
    const double scale = dice.uniform(300e3, 1.2e6);
    double arithmetic = 0;
    for (int i = dice.number(12, 40); i > 0; --i) {
        Layer a = pick(dice, kArithmetic);
        a.time = scale * dice.uniform(0.6, 1.5);
        a.bytes = dice.number(1, 60) << 16;
        arithmetic += a.time;
        model.push_back(a);
    }
    const double traffic = arithmetic * dice.uniform(0.75, 1.0);
    double total = 0, pointwise = 0;
    while (total < traffic) {
        const bool isPointwise = pointwise < 0.3 * traffic && dice.chance(0.4);
        Layer t = isPointwise ? pick(dice, kPointwise) : pick(dice, kOther);
        t.time = scale * dice.uniform(0.2, 0.6);
        total += t.time;
        pointwise += isPointwise ? t.time : 0;
        model.insert(model.begin() + dice.number(0, static_cast<int>(model.size())), t);
    }
    return model;
}

double totalTime(const std::vector<Layer>& model)
{
    double time = 0;
    for (const Layer& l : model)
        time += l.time;
    return time;
}

} // namespace

void recordCpu(Plant plant, Dice& dice, Planted& out)
{
    Thread thread(dice);
    std::vector<Layer> model = soundModel(dice);
    const double pass = totalTime(model);
    const auto insert = [&](const Layer& layer, double share, int pieces) {
        for (int i = 0; i < pieces; ++i) {
            Layer l = layer;
            l.time = share * pass / pieces;
            model.insert(model.begin() + dice.number(1, static_cast<int>(model.size())), l);
        }
    };
    switch (plant) {
    case Plant::cpuAllocation: {
        Layer l{{"aten::zeros", "aten::zero_", "aten::fill_"}};
        l.bytes = 64ll << 20;
        insert(l, dice.uniform(0.45, 0.8), dice.number(3, 10));
        break;
    }
    case Plant::cpuCopies:
        insert({{dice.chance(0.5) ? "aten::clone" : "aten::cat", "aten::copy_"}}, dice.uniform(0.6, 1.0),
               dice.number(8, 20));
        break;
    case Plant::cpuLayout:
        insert({{"aten::contiguous", "aten::clone", "aten::copy_"}}, dice.uniform(0.6, 1.0), dice.number(8, 20));
        break;
    case Plant::cpuBatchNorm:
        insert({{"aten::batch_norm", "aten::_batch_norm_impl_index", "aten::native_batch_norm"}},
               dice.uniform(0.15, 0.5), dice.number(8, 30));
        break;
    case Plant::cpuPointwise:
        for (int i = dice.number(8, 12); i > 0; --i) {
            const auto at = dice.number(0, static_cast<int>(model.size()));
            for (int k = dice.number(2, 4); k > 0; --k) {
                Layer l = pick(dice, kPointwise);
                l.time = pass * dice.uniform(0.04, 0.06);
                model.insert(model.begin() + at, l);
            }
        }
        break;
    case Plant::cpuArithmeticOnly:
    case Plant::cpuOneThread:
        for (Layer& l : model)
            if (std::string(l.names.front()).find("conv") != std::string::npos ||
                std::string(l.names.front()).find("linear") != std::string::npos ||
                std::string(l.names.front()).find("attention") != std::string::npos)
                l.time *= dice.uniform(3, 5);
        break;
    case Plant::cpuAttention: {
        const int heads = dice.number(4, 12);
        const double share = dice.uniform(0.3, 0.6) * pass / heads;
        for (int i = 0; i < heads; ++i) {
            const Layer product{{"aten::matmul", "aten::bmm", "aten::resolve_conj"}, 0.4 * share};
            const std::array steps{product, Layer{{"aten::mul"}, 0.3 * share},
                                   Layer{{"aten::softmax", "aten::_softmax"}, 0.7 * share}, product};
            model.insert(model.begin() + dice.number(0, static_cast<int>(model.size())), steps.begin(), steps.end());
        }
        break;
    }
    case Plant::cpuSlowConvolutions:
        insert({{"aten::conv2d", "aten::convolution", "aten::_convolution", "aten::thnn_conv2d",
                 "aten::_slow_conv2d_forward"}},
               dice.uniform(1.5, 3), dice.number(4, 12));
        break;
    case Plant::cpuImagePreparation:
        insert({{"aten::_upsample_bilinear2d_aa"}}, dice.uniform(0.6, 1.0), dice.number(3, 10));
        break;
    case Plant::cpuFloatLayers:
        for (Layer& l : model)
            l.types = "[\"float\", \"float\"]";
        break;
    case Plant::cpuTinyOperators:
        for (Layer& l : model)
            l.time = dice.uniform(2e3, 8e3);
        break;
    default:
        break;
    }
    const int cores = dice.number(2, 16);
    model::Device device;
    device.id = "cpu";
    device.cores = cores;
    device.threads = 2 * cores;
    out.context.device = device;
    out.context.config =
        model::makeConfig(model::OptLevel::o0, model::Precision::fp32, 1,
                          plant == Plant::cpuOneThread ? std::max(1, cores / 2) : cores, model::DeviceType::cpu());

    Recorder& r = thread.recorder();
    if (plant == Plant::cpuFloatLayers)
        out.context.config->precision = model::Precision::bf16;
    const bool slow = plant == Plant::cpuSlowIterations;
    const int iterations = slow ? dice.number(22, 40) : dice.number(12, 30);
    const bool ranges = slow || dice.chance(0.4);
    for (int i = 0; i < iterations + 1; ++i) {
        const std::int64_t began = r.now();
        for (const Layer& layer : model) {
            Layer l = layer;
            if (i == 0)
                l.time *= 4; // the first pass is cold
            thread.run(l, plant == Plant::cpuTinyOperators ? 3e3 : 2e3);
            if (dice.chance(0.02))
                thread.run({{"aten::view"}, 500, 0});
        }
        if (slow && i % 15 == 14)
            thread.run({{"aten::copy_"}, dice.uniform(2, 4) * pass});
        if (ranges)
            r.range("forward#" + std::to_string(i), began, r.now());
        r.spend(plant == Plant::cpuPauses ? dice.about(0.8 * pass, 0.15) : dice.about(0.004 * pass, 0.3));
    }
    out.trace = r.finish();
}

} // namespace apertune::advice::testing
