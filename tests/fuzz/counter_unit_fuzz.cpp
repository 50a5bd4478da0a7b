// SPDX-License-Identifier: GPL-3.0-or-later
// Units of counters and decimal samples, core/trace/counter_unit.h. The input is a line with a unit, then samples.
#include "core/trace/counter_unit.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace apertune::fuzz {

namespace {

void examineUnit(std::string_view text)
{
    const trace::CounterUnit unit = trace::readCounterUnit(text);
    require(unit.decimals >= 0 && unit.decimals <= trace::kMostDecimals, "a unit has a number of decimals");
    require(unit.factor() > 0 && unit.factor() <= 1, "a unit has a factor");
    if (unit.decimals > 0)
        require(trace::unitWithDecimals(unit.unit, unit.decimals) == text, "a unit is written as it was read");
    else
        require(unit.unit == text, "a unit without decimals is itself");
}

void examineNumber(double number)
{
    const auto sample = trace::sampleOf(number);
    if (!sample)
        return;
    require(std::isfinite(number), "only a number has a sample");
    require(sample->decimals >= 0 && sample->decimals <= trace::kMostDecimals, "a sample has a number of decimals");
    std::string text;
    trace::appendSample(text, *sample);
    const double again = std::strtod(text.c_str(), nullptr);
    const double least = 0.5 * std::pow(10, -trace::kMostDecimals);
    require(std::abs(again - number) <= least * 1.000001 + std::abs(number) * 1e-15, "a sample is the nearest decimal");
}

void examineSamples(Input& input, std::string unit)
{
    const bool fixed = input.take<std::uint8_t>() % 2 == 1;
    trace::EventColumns samples;
    for (std::int64_t i = 0; !input.atEnd() && i < 1000; ++i) {
        trace::Event event;
        event.start.count = i;
        event.detail = input.take<std::uint8_t>() % (trace::kMostDecimals + 1);
        event.value = input.take<std::int64_t>();
        samples.append(event);
    }
    const trace::EventColumns before = samples;
    const std::int64_t lost = trace::alignSamples(samples, unit, fixed);
    const int decimals = trace::readCounterUnit(unit).decimals;
    require(lost >= 0 && lost <= static_cast<std::int64_t>(before.size()),
            "no more samples lose digits than there are");
    for (std::size_t i = 0; i < samples.size(); ++i) {
        require(trace::valueAt(samples.detail, i) == 0, "aligned samples have no decimals of their own");
        // Values are compared in steps of the finest unit.
        const auto wide = [](std::int64_t value, int digits) {
            __int128 scaled = value;
            for (; digits < trace::kMostDecimals; ++digits)
                scaled *= 10;
            return scaled;
        };
        const auto was = wide(trace::valueAt(before.value, i), static_cast<int>(trace::valueAt(before.detail, i)));
        const auto is = wide(trace::valueAt(samples.value, i), decimals);
        if (lost == 0)
            require(was == is, "a sample that loses no digits keeps its value");
    }
}

} // namespace

void examine(std::string_view bytes)
{
    Input input(bytes);
    const std::string_view unit = input.line();
    examineUnit(unit);
    for (Input numbers = input; !numbers.atEnd();)
        examineNumber(numbers.take<double>());
    examineSamples(input, std::string(unit));
}

std::vector<std::string> seeds()
{
    return {"1e-3 %\n" + bytesOf(0.1, 54.123, -3e9, std::numeric_limits<double>::infinity()),
            "W\n" + bytesOf(std::uint8_t{0}, std::uint8_t{3}, std::int64_t{54'123}, std::uint8_t{0}, std::int64_t{-7}),
            "1e-9\n" + bytesOf(std::uint8_t{1}, std::uint8_t{9}, std::int64_t{1} << 62)};
}

} // namespace apertune::fuzz
