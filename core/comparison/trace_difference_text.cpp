// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/trace_difference_text.h"

#include "core/base/text.h"
#include "core/comparison/difference_words.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <algorithm>
#include <cmath>

namespace apertune::comparison {

using analysis::DifferencePart;
using analysis::DifferenceStep;
using analysis::TraceDifference;
using base::Message;

namespace {

constexpr int kBarWidth = 24;

/// A bar from the middle: to the left what B saves, to the right what it takes longer.
std::string bar(double change, double largest)
{
    const int cells = largest > 0 ? static_cast<int>(std::lround(std::abs(change) / largest * kBarWidth)) : 0;
    std::string blocks;
    for (int i = 0; i < cells; ++i)
        blocks += change < 0 ? "▒" : "█";
    return blocks;
}

/// The line below a table that leaves rows out.
std::string leftOut(std::size_t all, std::size_t rows, double change, const DifferenceUnit& unit)
{
    return "… and " + std::to_string(all - rows) + " more (--rows), together " +
           signedFigure(change * unit.scale, text::decimalsFor(change * unit.scale, 0)) + " " + unit.name + "\n";
}

std::string waterfallText(const TraceDifference& d, std::size_t rows, int width)
{
    const DifferenceUnit unit(d);
    const std::vector<DifferenceStep> steps = differenceSteps(d);
    text::TextTable waterfall(
        {{"From A to B", text::Align::left, true}, {unit.name, text::Align::right}, {"▒ saved, █ added"}});
    waterfall.addRow({"A", timeText(d.a.time, unit), ""});
    double rest = d.change.value;
    // The steps are sorted by size, so the first one scales the bars.
    const double largest = steps.empty() ? 0 : std::abs(steps.front().change.value);
    for (std::size_t i = 0; i < steps.size() && i < rows; ++i) {
        rest -= steps[i].change.value;
        waterfall.addRow(
            {stepName(steps[i], d), changeText(steps[i].change, unit), bar(steps[i].change.value, largest)});
    }
    if (steps.size() > rows)
        waterfall.addRow({std::to_string(steps.size() - rows) + " more (--rows)",
                          signedFigure(rest * unit.scale, text::decimalsFor(rest * unit.scale, 0)), ""});
    waterfall.addRow({"B", timeText(d.b.time, unit), ""});
    return waterfall.render(width);
}

std::string partsText(const TraceDifference& d, std::size_t rows, int width)
{
    const DifferenceUnit unit(d);
    text::TextTable table({{std::string("Change ") + unit.name, text::Align::right},
                           {"A", text::Align::right},
                           {"B", text::Align::right},
                           {"Kind"},
                           {"Operator", text::Align::left, true},
                           {"Work of an iteration", text::Align::left, true}});
    double others = 0;
    for (std::size_t i = 0; i < d.parts.size(); ++i) {
        const DifferencePart& part = d.parts[i];
        if (i < rows)
            table.addRow({changeText(part.change, unit), timeText(part.timeA, unit), timeText(part.timeB, unit),
                          kindText(part.kind), part.origin, partText(part, d)});
        else
            others += part.change.value;
    }
    return table.render(width) + (d.parts.size() > rows ? leftOut(d.parts.size(), rows, others, unit) : std::string());
}

std::string layersText(const TraceDifference& d, std::size_t rows, int width)
{
    const std::vector<analysis::DifferenceLayer> layers = largestLayers(d);
    if (layers.empty())
        return {};
    const DifferenceUnit unit(d);
    text::TextTable table({{std::string("Change ") + unit.name, text::Align::right},
                           {"A", text::Align::right},
                           {"B", text::Align::right},
                           {"Layer", text::Align::right},
                           {"Inputs", text::Align::left, true},
                           {"Work from its product to the next one", text::Align::left, true}});
    double others = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const analysis::DifferenceLayer& layer = layers[i];
        if (i < rows)
            table.addRow({changeText(layer.change, unit), timeText(layer.timeA, unit), timeText(layer.timeB, unit),
                          layer.module.empty() ? std::to_string(layer.position) : layer.module, layer.shapes,
                          layerText(layer)});
        else
            others += layer.change.value;
    }
    return "\n" + table.render(width) +
           (layers.size() > rows ? leftOut(layers.size(), rows, others, unit) : std::string());
}

std::string bytesText(double bytes)
{
    return base::formatBytes({std::llround(bytes)});
}

std::string allocationsText(const TraceDifference& d, std::size_t rows, int width)
{
    const analysis::AllocationDifference& allocations = d.allocations;
    if (!allocations.recorded())
        return {};
    text::TextTable table({{"Allocations of an iteration", text::Align::left, true},
                           {"A", text::Align::right},
                           {"B", text::Align::right},
                           {"A bytes", text::Align::right},
                           {"B bytes", text::Align::right}});
    table.addRow({"all", countText(allocations.a.amount.count), countText(allocations.b.amount.count),
                  bytesText(allocations.a.amount.bytes), bytesText(allocations.b.amount.bytes)});
    const std::vector<analysis::AllocationChange> changes = allocations.changes();
    for (std::size_t i = 0; i < changes.size() && i < rows; ++i)
        table.addRow({changes[i].owner.empty() ? "outside of operators" : changes[i].owner,
                      countText(changes[i].a.count), countText(changes[i].b.count), bytesText(changes[i].a.bytes),
                      bytesText(changes[i].b.bytes)});
    const auto peak = [](const analysis::AllocationUse& use) {
        return bytesText(static_cast<double>(use.peak)) +
               (use.partial ? " (without memory from before the recording)" : "");
    };
    return "\nPeak of the tensors: A " + peak(allocations.a) + ", B " + peak(allocations.b) + "\n" +
           table.render(width);
}

std::string textOf(const NamedDifference& named, std::size_t rows, int width)
{
    const TraceDifference& d = named.difference;
    std::string text = text::wrap("A: " + sideText(named, named.a, d.a), width, 3) + "\n" +
                       text::wrap("B: " + sideText(named, named.b, d.b), width, 3) + "\n\n";
    for (const Message& sentence : differenceSentences(named))
        text += text::wrap(englishText(sentence), width, 0) + "\n";
    return text + "\n" + waterfallText(d, rows, width) + "\n" + partsText(d, rows, width) + layersText(d, rows, width) +
           allocationsText(d, rows, width);
}

std::string textOfAll(Differences differences, std::size_t rows, int width)
{
    const NamedDifference& first = differences.front();
    const DifferenceUnit unit(first.difference);
    std::string text = text::wrap("A: " + sideText(first, first.a, first.difference.a), width, 3) + "\n";
    std::vector<text::TextTable::Column> columns{{std::string("From A, ") + unit.name, text::Align::left, true}};
    std::vector<std::string> from{"A"};
    std::vector<std::string> to{"iteration"};
    std::vector<std::string> percents{"change"};
    std::vector<double> rest;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const NamedDifference& named = differences[i];
        const TraceDifference& d = named.difference;
        const std::string letter(1, static_cast<char>('B' + i));
        text += text::wrap(letter + ": " + sideText(named, named.b, d.b), width, 3) + "\n";
        columns.push_back({letter, text::Align::right});
        from.push_back(timeText(d.a.time, unit));
        to.push_back(timeText(d.b.time, unit));
        percents.push_back(percentOf(d.change.value, d.a.time.value));
        // Listed steps are taken off below, which leaves the change of all others.
        rest.push_back(d.change.value);
    }
    text::TextTable table(columns);
    table.addRow(from);
    const std::vector<CommonStep> steps = commonSteps(differences);
    for (std::size_t row = 0; row < steps.size() && row < rows; ++row) {
        std::vector<std::string> cells{stepName(steps[row].step, *steps[row].difference)};
        for (std::size_t i = 0; i < differences.size(); ++i) {
            const auto& change = steps[row].changes[i];
            cells.push_back(change ? changeText(*change, unit) : "–");
            rest[i] -= change ? change->value : 0;
        }
        table.addRow(std::move(cells));
    }
    if (steps.size() > rows) {
        std::vector<std::string> cells{std::to_string(steps.size() - rows) + " more (--rows)"};
        for (const double change : rest)
            cells.push_back(signedFigure(change * unit.scale, text::decimalsFor(change * unit.scale, 0)));
        table.addRow(std::move(cells));
    }
    table.addRow(to);
    table.addRow(percents);
    return text + "\n" + table.render(width) + "Parts and layers of one pair: `apertune compare " + first.a.name + " " +
           first.b.name + "`.\n";
}

} // namespace

std::string traceDifferenceText(Differences differences, std::size_t rows, int width)
{
    return differences.size() == 1 ? textOf(differences.front(), rows, width) : textOfAll(differences, rows, width);
}

} // namespace apertune::comparison
