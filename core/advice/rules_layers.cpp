// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules_layers.h"

#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"
#include "core/analysis/roofline.h"
#include "core/base/text.h"

#include <algorithm>

namespace apertune::advice {

namespace {

/// Ns in which the device idles while operators of the busiest thread with one of these names run.
std::int64_t idleWithin(const Facts& facts, const std::vector<std::string>& names)
{
    analysis::TimeRanges calls;
    const auto [first, end] = facts.forest.busiestThread();
    for (std::int32_t i = first; i < end; ++i) {
        const analysis::OperatorNode& node = facts.forest.nodes[static_cast<std::size_t>(i)];
        if (std::find(names.begin(), names.end(), facts.index.text(node.name)) != names.end())
            calls.push_back(node.time);
    }
    calls = analysis::unite(std::move(calls));
    std::int64_t time = 0;
    for (const analysis::Gap& gap : facts.use.gaps)
        time += analysis::coveredLength(calls, gap.time);
    return time;
}

/// slow-nms, image-preparation: a stage beside the network takes `least` or more, on the device or while it idles.
RuleResult stageBesideTheNetwork(const Facts& facts, bool (*fits)(std::string_view), double least,
                                 const base::MessageKind& what, base::Message change, base::Message verification)
{
    OperatorTime stage = timeOfOperators(facts, fits);
    if (!stage.longest)
        return quiet();
    const std::int64_t idle = facts.onDevice ? idleWithin(facts, stage.names) : 0;
    const double share = std::min(1.0, facts.share(stage.time + idle));
    if (share < least)
        return quiet();
    Finding f;
    f.text = {std::string(what.id),
              {{"share", std::vector{shareMessage(facts, share)}},
               {"often", std::vector{occurrences(facts, stage.count)}},
               {"name", std::string(facts.index.text(stage.longest->name))}}};
    f.share = share;
    f.gain = {0, share};
    f.confidence = Confidence::estimate; // how fast another way is, nobody measured
    Rows found{{trace::EventKind::operatorCall}, facts.callWindow()};
    found.names = std::move(stage.names);
    f.evidence = evidence(facts, found, stage.longest->time);
    f.knob = advise(std::move(change));
    f.verification = std::move(verification);
    return fired(std::move(f), idle > stage.time ? Cause::host : Cause::other);
}

/// The suppression of overlapping boxes: torchvision::nms, NonMaxSuppression and MulticlassNms of others.
bool suppressesBoxes(std::string_view op)
{
    const std::string name = base::lower(op);
    return name.ends_with("::nms") || name.ends_with("_nms") || name.find("nonmaxsuppression") != std::string::npos ||
           name.find("multiclassnms") != std::string::npos;
}

/// Decoding images, and resizing them as image libraries do. Networks resize without antialiasing.
bool preparesImages(std::string_view op)
{
    return op.starts_with("image::decode_") || op == "aten::_upsample_bilinear2d_aa" ||
           op == "aten::_upsample_bicubic2d_aa";
}

/// The multiple that the channels of a convolution in these types need for the fast kernels of tensor cores; 0: none.
std::int64_t neededMultiple(std::string_view types)
{
    using analysis::NumberFormat;
    switch (analysis::formatOfInputs(types)) {
    case NumberFormat::fp16:
    case NumberFormat::bf16:
        return 8;
    case NumberFormat::int8:
        return 16;
    default:
        return 0;
    }
}

/// Returns whether a convolution has channels that its kernels have to pad. Up to four channels (images, masks) have
/// kernels of their own, and so have grouped convolutions.
bool isUnaligned(const Facts& facts, const analysis::OperatorNode& node)
{
    const trace::OperatorDetail& detail = facts.trace.details.operators[node.detail];
    const std::int64_t multiple = neededMultiple(facts.trace.text(detail.inputTypes));
    const auto shapes = multiple > 0 ? analysis::parseShapes(facts.trace.text(detail.inputShapes)) : std::nullopt;
    if (!shapes || shapes->size() < 2 || (*shapes)[0].size() < 4 || (*shapes)[1].size() != (*shapes)[0].size())
        return false;
    constexpr std::int64_t kOwnKernels = 4;
    const std::int64_t in = (*shapes)[0][1], ofWeight = (*shapes)[1][1], out = (*shapes)[1][0];
    const auto bad = [multiple](std::int64_t channels) { return channels > kOwnKernels && channels % multiple != 0; };
    return in == ofWeight && (bad(in) || bad(out));
}

} // namespace

// unaligned-channels: convolutions of 16 bits whose channels are no multiple of 8 (int8: of 16) take 5 % or more.
RuleResult unalignedChannelsRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const std::vector<analysis::OperatorNode>& nodes = facts.forest.nodes;
    std::int64_t time = 0, count = 0;
    const analysis::OperatorNode* worst = nullptr;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!facts.callWindow().contains(nodes[i].time.start) || nodes[i].deviceTime <= 0 ||
            facts.index.operatorClass(nodes[i].name) != analysis::OpClass::convolution || !isUnaligned(facts, nodes[i]))
            continue;
        time += nodes[i].deviceTime;
        ++count;
        if (!worst || nodes[i].deviceTime > worst->deviceTime)
            worst = &nodes[i];
        const std::string_view name = facts.index.text(nodes[i].name);
        if (std::find(names.begin(), names.end(), name) == names.end())
            names.emplace_back(name);
        i = static_cast<std::size_t>(nodes[i].last); // its calls are a part of it
    }
    const double share = std::min(1.0, facts.share(time));
    if (!worst || share < facts.limit(Threshold::unalignedChannelsShare))
        return quiet();
    const trace::OperatorDetail& detail = facts.trace.details.operators[worst->detail];
    const auto shapes = analysis::parseShapes(facts.trace.text(detail.inputShapes));
    Finding f;
    f.text = base::message<reasons::kUnalignedChannels>(shareMessage(facts, share), occurrences(facts, count),
                                                        (*shapes)[1][1], (*shapes)[1][0],
                                                        neededMultiple(facts.trace.text(detail.inputTypes)));
    f.share = share;
    f.gain = gainOf(facts, share, {0, 0.5}, Launches::stay, [&](std::int32_t number) {
        for (std::int32_t op = facts.forest.ofWork(number); op != analysis::kNone;
             op = nodes[static_cast<std::size_t>(op)].parent)
            if (isUnaligned(facts, nodes[static_cast<std::size_t>(op)]))
                return true;
        return false;
    });
    f.confidence = Confidence::estimate; // a library may have a kernel for these channels
    Rows found{{trace::EventKind::operatorCall}, facts.callWindow()};
    found.names = std::move(names);
    f.evidence = evidence(facts, found, worst->time);
    f.knob = advise(base::message<reasons::kPadTheChannels>());
    f.verification = verifyBy(base::message<reasons::kByPaddedChannels>());
    return fired(std::move(f), Cause::compute);
}

// float-layers: of a trial in 16 bits or fewer, arithmetic in 32 bits or more takes 10 % or more.
RuleResult floatLayersRule(const Facts& facts)
{
    if (!analysis::isNarrow(facts.requestedFormat()))
        return quiet();
    const analysis::FormatTimes& times = facts.precision.arithmetic;
    if (times.all() <= 0)
        return quiet();
    using analysis::OpClass;
    const double arithmetic = facts.workShare(OpClass::matrixProduct) + facts.workShare(OpClass::convolution) +
                              facts.workShare(OpClass::attention);
    const double share = arithmetic * static_cast<double>(times.wide()) / static_cast<double>(times.all());
    if (share < facts.limit(Threshold::floatLayersShare))
        return quiet();
    std::vector<std::uint32_t> names = facts.precision.fp32Names;
    names.insert(names.end(), facts.precision.fp64Names.begin(), facts.precision.fp64Names.end());
    const auto isNamed = [&names](std::uint32_t name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    Finding f;
    f.text = base::message<reasons::kFloatLayers>(shareMessage(facts, share),
                                                  std::string(toString(facts.requestedFormat())));
    f.share = share;
    f.gain = gainOf(facts, share, {0, 0.5}, Launches::stay, [&](std::int32_t number) {
        return isNamed(facts.index.work[static_cast<std::size_t>(number)].name);
    });
    f.confidence = Confidence::estimate;
    f.evidence = evidence(
        facts,
        rows::work(facts, [&](std::uint32_t name, OpClass c) { return isNamed(name) && analysis::isArithmetic(c); }),
        facts.steady.front());
    f.knob = advise(base::message<reasons::kFindOutWhyTheseLayers>());
    f.verification = verifyBy(base::message<reasons::kByFewerBits>(), base::message<reasons::kTheQualityMustHold>());
    return fired(std::move(f), Cause::compute);
}

RuleResult slowNmsRule(const Facts& facts)
{
    return stageBesideTheNetwork(
        facts, suppressesBoxes, facts.limit(Threshold::slowNmsShare), reasons::kSlowNms,
        base::message<reasons::kSuppressFewerBoxes>(),
        verifyBy(base::message<reasons::kByFewerBoxes>(), base::message<reasons::kTheBoxesMustStay>()));
}

RuleResult imagePreparationRule(const Facts& facts)
{
    return stageBesideTheNetwork(facts, preparesImages, facts.limit(Threshold::imagePreparationShare),
                                 reasons::kImagePreparation, base::message<reasons::kPrepareImagesElsewhere>(),
                                 verifyBy(base::message<reasons::kByPreparedImages>()));
}

} // namespace apertune::advice
