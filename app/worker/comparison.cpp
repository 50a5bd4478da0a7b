// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/comparison.h"

#include "app/worker/program_errors.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace apertune::worker {

namespace {

/// The index of the largest value; of equal ones the first.
std::size_t argMax(std::span<const float> values)
{
    return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

/// The number of values that are larger than the one at `index`. Of equal values the first counts as larger.
std::size_t rankOf(std::span<const float> values, std::size_t index)
{
    std::size_t above = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        above += values[i] > values[index] || (values[i] == values[index] && i < index);
    return above;
}

/// A difference relative to the largest magnitude.
double relative(double difference, double largest)
{
    return difference == 0 ? 0 : largest > 0 ? difference / largest : 1;
}

bool hasNan(std::span<const float> values)
{
    return std::any_of(values.begin(), values.end(), [](float v) { return std::isnan(v); });
}

} // namespace

void Comparison::addSet(std::span<const apertune_tensor> candidate)
{
    for (const apertune_tensor& tensor : candidate) {
        if (tensor.dtype != APERTUNE_FLOAT32)
            continue;
        const auto* values = static_cast<const float*>(tensor.data);
        const std::int64_t count = elementCount({tensor.shape, tensor.rank});
        m_quality.nanCount += std::count_if(values, values + count, [](float v) { return !std::isfinite(v); });
    }
}

void Comparison::addSet(std::span<const apertune_tensor> candidate, const KeptSet& reference, std::int64_t samples)
{
    // Detections come in another order with equal scores, so they are compared as a set.
    const auto detections = compareDetections(candidate, reference);
    bool ranked = false;
    bool compared = detections.has_value();
    bool comparedIntegers = false;
    for (std::size_t i = 0; i < candidate.size(); ++i) {
        // Outputs that belong to the detections are compared with them.
        if (detections && detections->takes(i))
            continue;
        const apertune_tensor& tensor = candidate[i];
        const std::span<const std::int64_t> shape(tensor.shape, tensor.rank);
        if (i >= reference.size() || reference[i].dtype != tensor.dtype ||
            !std::equal(shape.begin(), shape.end(), reference[i].shape.begin(), reference[i].shape.end())) {
            // NaN and Inf are counted even where nothing can be compared.
            addSet(candidate.subspan(i, 1));
            ++m_skipped;
            const std::string name = tensor.name && *tensor.name ? tensor.name : "output " + std::to_string(i);
            if (std::find(m_skippedNames.begin(), m_skippedNames.end(), name) == m_skippedNames.end())
                m_skippedNames.push_back(name);
            continue;
        }
        const auto count = static_cast<std::size_t>(elementCount(shape));
        // Integer outputs, such as classes, are either equal or not.
        if (tensor.dtype == APERTUNE_INT64) {
            compareIntegers({static_cast<const std::int64_t*>(tensor.data), count}, reference[i].integers);
            comparedIntegers = true;
            continue;
        }
        const std::span<const float> values(static_cast<const float*>(tensor.data), count);
        compareFloats(values, reference[i].floats);
        compared = true;
        // Only the first such output counts as the class scores.
        if (m_task == model::TaskType::classification && !ranked && tensor.rank == 2 && shape[0] >= 1 &&
            shape[1] >= 2) {
            compareTopClasses(values, reference[i].floats, shape[1]);
            ranked = true;
        }
    }
    if (compared)
        m_quality.samples += samples;
    m_compared = m_compared || compared;
    if (comparedIntegers)
        m_integerSamples += samples;
}

std::optional<DetectionList> Comparison::compareDetections(std::span<const apertune_tensor> candidate,
                                                           const KeptSet& reference)
{
    const std::vector<OutputView> theirs(reference.begin(), reference.end());
    const auto theirList = findDetections(theirs, m_task == model::TaskType::detection);
    if (!theirList)
        return std::nullopt;
    const std::vector<OutputView> ours(candidate.begin(), candidate.end());
    const auto ourList = findDetections(ours, *theirList);
    if (!ourList)
        return std::nullopt;
    const auto rows = matchDetections(ours, *ourList, theirs, *theirList);
    // Rows without a partner are compared with zeros, so that a missing detection lowers the agreement.
    for (const std::size_t output : theirList->byRow)
        compareFloats(gatherRows(ours[output], *ourList, rows, &MatchedRow::candidate),
                      gatherRows(theirs[output], *theirList, rows, &MatchedRow::reference));
    for (const MatchedRow& row : rows) {
        m_detected += row.candidate.has_value();
        m_referenceDetected += row.reference.has_value();
        m_matched += row.candidate && row.reference;
    }
    m_hasDetections = true;
    return theirList;
}

void Comparison::compareFloats(std::span<const float> candidate, std::span<const float> reference)
{
    // Sums of single precision would lose digits for large outputs.
    double dot = 0;
    double squareC = 0;
    double squareR = 0;
    double maxAbs = 0;
    double maxReference = 0;
    std::size_t finite = 0;
    bool lost = false; // there is a finite value where the reference has none
    for (std::size_t i = 0; i < candidate.size(); ++i) {
        const double c = candidate[i];
        const double r = reference[i];
        if (!std::isfinite(c)) {
            // An Inf is right where the reference has the same one.
            m_quality.nanCount += std::isnan(c) || c != r;
            continue;
        }
        if (!std::isfinite(r)) {
            lost = true;
            continue;
        }
        ++finite;
        dot += c * r;
        squareC += c * c;
        squareR += r * r;
        maxAbs = std::max(maxAbs, std::abs(c - r));
        maxReference = std::max(maxReference, std::abs(r));
    }
    // Outputs without a single finite pair agree in nothing, unless they are empty.
    double cosine = 1;
    if (squareC > 0 && squareR > 0)
        cosine = std::clamp(dot / (std::sqrt(squareC) * std::sqrt(squareR)), -1.0, 1.0);
    else if (squareC > 0 || squareR > 0 || (finite == 0 && !candidate.empty()))
        cosine = 0;
    if (lost) {
        cosine = 0;
        maxAbs = std::numeric_limits<double>::infinity();
    }
    // The output with the worst agreement decides.
    m_quality.cosine = std::min(m_quality.cosine, cosine);
    m_quality.maxAbs = std::max(m_quality.maxAbs, maxAbs);
    m_quality.maxRel = std::max(m_quality.maxRel, relative(maxAbs, maxReference));
}

void Comparison::compareIntegers(std::span<const std::int64_t> candidate, std::span<const std::int64_t> reference)
{
    m_integers += static_cast<std::int64_t>(candidate.size());
    for (std::size_t i = 0; i < candidate.size(); ++i) {
        m_equalIntegers += candidate[i] == reference[i];
        const double r = static_cast<double>(reference[i]);
        m_integerMaxAbs = std::max(m_integerMaxAbs, std::abs(static_cast<double>(candidate[i]) - r));
        m_integerMax = std::max(m_integerMax, std::abs(r));
    }
}

void Comparison::compareTopClasses(std::span<const float> candidate, std::span<const float> reference,
                                   std::int64_t classes)
{
    const auto width = static_cast<std::size_t>(classes);
    // A model of five classes or fewer always agrees in its top five.
    m_hasTop5 = classes > 5;
    for (std::size_t row = 0; row + width <= candidate.size(); row += width) {
        const auto ours = candidate.subspan(row, width);
        const auto theirs = reference.subspan(row, width);
        ++m_ranked;
        // Such a row has no order; it counts as a disagreement.
        if (hasNan(ours) || hasNan(theirs))
            continue;
        const std::size_t best = argMax(theirs);
        const std::size_t rank = rankOf(ours, best);
        m_top1 += argMax(ours) == best;
        m_top5 += rank < 5;
    }
}

std::optional<model::Quality> Comparison::quality() const
{
    model::Quality quality = m_quality;
    // Integers alone decide only where there is no floating-point output.
    if (!m_compared) {
        if (m_integerSamples == 0)
            return std::nullopt;
        quality.cosine = m_integers > 0 ? static_cast<double>(m_equalIntegers) / static_cast<double>(m_integers) : 1;
        quality.maxAbs = m_integerMaxAbs;
        quality.maxRel = relative(m_integerMaxAbs, m_integerMax);
        quality.samples = m_integerSamples;
    }
    if (m_ranked > 0) {
        quality.top1Agreement = static_cast<double>(m_top1) / static_cast<double>(m_ranked);
        if (m_hasTop5)
            quality.top5Agreement = static_cast<double>(m_top5) / static_cast<double>(m_ranked);
    }
    return quality;
}

std::vector<base::Message> Comparison::notes() const
{
    std::vector<base::Message> notes;
    if (!m_skippedNames.empty())
        notes.push_back(base::message<program_errors::kShapesDiffer>(base::join(m_skippedNames)));
    if (m_hasDetections)
        notes.push_back(
            base::message<program_errors::kDetectionsMatched>(m_matched, m_referenceDetected, m_detected - m_matched));
    if (m_integers > 0)
        notes.push_back(base::message<program_errors::kIntegersEqual>(
            base::formatSignificant(100.0 * static_cast<double>(m_equalIntegers) / static_cast<double>(m_integers)),
            m_integers));
    return notes;
}

} // namespace apertune::worker
