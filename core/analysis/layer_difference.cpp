// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/layer_difference.h"

#include "core/analysis/iteration_mean.h"

#include <algorithm>

namespace apertune::analysis {

namespace {

class LayerReader
{
public:
    LayerReader(const WorkSequence& a, double samplesA, const WorkSequence& b, double samplesB)
        : m_a(a), m_b(b), m_samplesA(samplesA), m_samplesB(samplesB)
    {
        begin(0);
    }

    void add(const Places& places)
    {
        const PlacedWork* a = productOf(m_a, places.a);
        const PlacedWork* b = productOf(m_b, places.b);
        if ((a && b) || (a && isUnrecorded(m_b, places.b)) || (b && isUnrecorded(m_a, places.a))) {
            finish();
            begin(m_layer.position + 1);
            for (const PlacedWork* product : {b, a}) // the name in A counts, where A has one
                if (product) {
                    m_layer.module = product->module.empty() ? m_layer.module : product->module;
                    m_layer.shapes = product->shapes.empty() ? m_layer.shapes : product->shapes;
                }
        }
        addSide(m_a, m_samplesA, places.a, m_layer.a, m_timesA);
        addSide(m_b, m_samplesB, places.b, m_layer.b, m_timesB);
    }

    std::vector<DifferenceLayer> result()
    {
        finish();
        return std::move(m_layers);
    }

private:
    /// The product in a place; null where it has none or several, whose counterparts are not known.
    static const PlacedWork* productOf(const WorkSequence& side, const std::vector<std::size_t>& places)
    {
        const PlacedWork* product = nullptr;
        for (const std::size_t place : places)
            if (isArithmetic(side.works[place].key.opClass)) {
                if (product)
                    return nullptr;
                product = &side.works[place];
            }
        return product;
    }

    /// Whether all work of a place runs outside of operators, as fused layers do.
    static bool isUnrecorded(const WorkSequence& side, const std::vector<std::size_t>& places)
    {
        return !places.empty() && std::all_of(places.begin(), places.end(), [&side](std::size_t place) {
            return side.works[place].shortName == kUnrecordedWork;
        });
    }

    void begin(std::int64_t position)
    {
        m_layer = {};
        m_layer.position = position;
        m_timesA.assign(m_a.lengths.size(), 0);
        m_timesB.assign(m_b.lengths.size(), 0);
    }

    void finish()
    {
        if (m_layer.a.empty() && m_layer.b.empty())
            return;
        const Mean a = meanOf(m_timesA);
        const Mean b = meanOf(m_timesB);
        m_layer.timeA = intervalOf(a);
        m_layer.timeB = intervalOf(b);
        m_layer.change = changeOf(a, b);
        m_layers.push_back(m_layer);
    }

    static void addSide(const WorkSequence& side, double samples, const std::vector<std::size_t>& places,
                        std::vector<NamedWork>& names, Times& times)
    {
        for (const std::size_t place : places) {
            const PlacedWork& work = side.works[place];
            analysis::add(times, work.times);
            addName(names, work, side.lengths.size(), samples);
        }
    }

    const WorkSequence& m_a;
    const WorkSequence& m_b;
    double m_samplesA, m_samplesB;
    DifferenceLayer m_layer;
    Times m_timesA, m_timesB;
    std::vector<DifferenceLayer> m_layers;
};

} // namespace

std::string_view toString(DifferenceKind kind)
{
    switch (kind) {
    case DifferenceKind::sameWork:
        return "same_work";
    case DifferenceKind::replaced:
        return "replaced";
    case DifferenceKind::removed:
        return "removed";
    case DifferenceKind::added:
        return "added";
    case DifferenceKind::idle:
        break;
    }
    return "idle";
}

void addName(std::vector<NamedWork>& names, const PlacedWork& work, std::size_t iterations, double samples)
{
    auto known = std::find_if(names.begin(), names.end(), [&](const NamedWork& n) { return n.name == work.shortName; });
    if (known == names.end())
        known = names.insert(names.end(), {work.shortName, work.key.opClass, 0, {}, work.kind});
    if (work.name != 0)
        known->recorded.insert(work.name);
    known->count += static_cast<double>(work.count) / static_cast<double>(iterations) / samples;
}

std::vector<DifferenceLayer> differenceLayers(const WorkSequence& a, double samplesA, const WorkSequence& b,
                                              double samplesB, const std::vector<Places>& places)
{
    LayerReader reader(a, samplesA, b, samplesB);
    for (const Places& each : places)
        reader.add(each);
    return reader.result();
}

} // namespace apertune::analysis
