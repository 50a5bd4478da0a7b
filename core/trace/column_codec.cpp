// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/column_codec.h"

#include "core/trace/errors.h"
#include "core/trace/repetitions.h"
#include "core/trace/varint.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace apertune::trace {

namespace {

/// Writes numbers as runs: literals, length and distance of each.
template <typename T>
char* putRuns(char* out, std::span<const T> numbers, const std::vector<Run>& runs)
{
    std::size_t at = 0;
    for (const Run& run : runs) {
        // The lowest bit of the length is 1 for a repetition and 0 for literals.
        if (run.literals > 0) {
            out = putVarint(out, run.literals << 1);
            out = putVarints(out, numbers.subspan(at, run.literals));
        }
        if (run.length > 0)
            out = putVarint(putVarint(out, run.length << 1 | 1), run.distance);
        at += run.literals + run.length;
    }
    return out;
}

template <typename T>
std::uint64_t toPlain(T value, Sign sign)
{
    const auto bits = static_cast<std::uint64_t>(value);
    return sign == Sign::either ? zigzag(bits) : bits;
}

/// Estimates from up to 256 values spread over the column whether differences are shorter. To measure every value would
/// take as long as writing it.
template <typename T>
bool prefersDifferences(std::span<const T> values, Sign sign)
{
    std::size_t plain = 0;
    std::size_t delta = 0;
    const std::size_t step = std::max<std::size_t>(values.size() / 256, 1);
    // The first value has no predecessor and counts as it is.
    for (std::size_t i = 0; i < values.size(); i += step) {
        const auto before = i == 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(values[i - 1]);
        plain += varintSize(toPlain(values[i], sign));
        delta += varintSize(zigzag(static_cast<std::uint64_t>(values[i]) - before));
    }
    return delta < plain;
}

constexpr auto kInRuns = static_cast<std::uint8_t>(Encoding::plainRuns) - static_cast<std::uint8_t>(Encoding::plain);

/// Writes a column: `first` is its first number and `rest` are the others.
template <typename T>
EncodedColumn write(Encoding encoding, Runs runs, std::uint64_t first, std::span<const T> rest, char* out)
{
    out = putVarint(out, first);
    // A column without repetitions is written without the lengths of runs.
    if (const std::vector<Run> found = runs == Runs::seek ? findRuns(rest) : std::vector<Run>(); !found.empty())
        return {static_cast<Encoding>(static_cast<std::uint8_t>(encoding) + kInRuns), putRuns(out, rest, found)};
    return {encoding, putVarints(out, rest)};
}

/// Stores bits as T. Returns false when they do not fit.
template <typename T>
bool store(std::uint64_t bits, Sign sign, T& out)
{
    out = static_cast<T>(bits);
    if constexpr (std::is_signed_v<T>)
        return sign == Sign::either || out >= 0;
    else
        return bits <= std::numeric_limits<T>::max();
}

/// Receives the decoded numbers of a column, one after the other.
template <typename T, Encoding E>
class Target
{
public:
    Target(std::span<T> out, Sign sign) : m_out(out), m_sign(sign) {}

    std::size_t size() const { return m_size; }
    bool fits() const { return m_fits; }

    /// REQUIRES: there is room for one number.
    void put(std::uint64_t number)
    {
        if constexpr (E == Encoding::plain)
            m_last = m_sign == Sign::either ? unzigzag(number) : number;
        else // unsigned arithmetic wraps here as it did in the writer
            m_last += E == Encoding::ascending && m_size > 0 ? number : unzigzag(number);
        // All numbers are decoded before the range is checked: a branch for each would cost more.
        m_fits &= store(m_last, m_sign, m_out[m_size++]);
    }

    /// Repeats numbers that were put before.
    /// REQUIRES: there is room for them, and distance < size().
    void repeat(std::size_t length, std::size_t distance)
    {
        if constexpr (E == Encoding::plain) {
            // A distance below the length repeats what was just written, as in LZ77.
            const std::size_t from = m_size - distance;
            while (length > 0) {
                // All that was repeated so far, so a short distance doubles with each piece.
                const std::size_t piece = std::min(length, m_size - from);
                std::copy_n(m_out.data() + from, piece, m_out.data() + m_size);
                m_size += piece;
                length -= piece;
            }
            m_last = static_cast<std::uint64_t>(m_out[m_size - 1]);
        } else {
            for (; length > 0; --length) {
                // Differences repeat, not values, so each number is computed from its predecessor.
                const std::size_t from = m_size - distance;
                m_last += static_cast<std::uint64_t>(m_out[from]) - static_cast<std::uint64_t>(m_out[from - 1]);
                m_fits &= store(m_last, m_sign, m_out[m_size++]);
            }
        }
    }

private:
    std::span<T> m_out;
    Sign m_sign;
    std::size_t m_size = 0;
    std::uint64_t m_last = 0;
    bool m_fits = true;
};

template <typename T, Encoding E>
base::Message read(std::string_view bytes, bool inRuns, Sign sign, std::span<T> out)
{
    const char* in = bytes.data();
    const char* const end = in + bytes.size();
    Target<T, E> target(out, sign);
    std::uint64_t number = 0;
    const auto literals = [&](std::size_t count) {
        for (; count > 0 && (in = getVarint(in, end, number)); --count)
            target.put(number);
        return in != nullptr;
    };
    // Runs begin with one literal, which later runs can refer to.
    if (!literals(inRuns ? 1 : out.size()))
        return base::message<errors::kColumnEndsTooEarly>();
    while (target.size() < out.size()) {
        if (in = getVarint(in, end, number); !in)
            return base::message<errors::kColumnEndsTooEarly>();
        const std::uint64_t length = number >> 1;
        // A length from a damaged file must not write beyond the column.
        if (length == 0 || length > out.size() - target.size())
            return base::message<errors::kRunWrongLength>();
        if ((number & 1) == 0) {
            if (!literals(length))
                return base::message<errors::kColumnEndsTooEarly>();
            continue;
        }
        if (in = getVarint(in, end, number); !in)
            return base::message<errors::kColumnEndsTooEarly>();
        // The first number can be repeated as a value but has no difference.
        if (number == 0 || number >= target.size())
            return base::message<errors::kRunRepeatsNothing>();
        target.repeat(length, number);
    }
    if (in != end)
        return base::message<errors::kColumnBytesLeftOver>();
    return target.fits() ? base::Message() : base::message<errors::kValueOutOfRange>();
}

template <typename T>
base::Message readConstant(std::string_view bytes, Sign sign, std::span<T> out)
{
    T value{};
    base::Message problem = read<T, Encoding::plain>(bytes, false, sign, std::span(&value, 1));
    if (problem.empty())
        std::fill(out.begin(), out.end(), value);
    return problem;
}

} // namespace

bool isKnown(Encoding encoding)
{
    switch (encoding) {
    case Encoding::absent:
    case Encoding::constant:
    case Encoding::plain:
    case Encoding::difference:
    case Encoding::ascending:
    case Encoding::plainRuns:
    case Encoding::differenceRuns:
    case Encoding::ascendingRuns:
        return true;
    }
    return false;
}

template <std::integral T>
EncodedColumn encodeColumn(std::span<const T> values, Sign sign, Runs runs, std::span<std::uint64_t> scratch, char* out)
{
    const T first = values.front();
    if (equalAtFront(values.data(), values.data() + 1, values.size() - 1) == values.size() - 1)
        return first == T{} ? EncodedColumn{Encoding::absent, out}
                            : EncodedColumn{Encoding::constant, putVarint(out, toPlain(first, sign))};
    const std::size_t rest = values.size() - 1;
    if (!prefersDifferences(values, sign)) {
        if (sign == Sign::none)
            return write(Encoding::plain, runs, static_cast<std::uint64_t>(first), values.subspan(1), out);
        for (std::size_t i = 0; i < rest; ++i)
            scratch[i] = toPlain(values[i + 1], sign);
        return write(Encoding::plain, runs, toPlain(first, sign), std::span<const std::uint64_t>(scratch.first(rest)),
                     out);
    }
    // One OR over all differences shows whether any is negative.
    std::uint64_t signs = 0;
    for (std::size_t i = 0; i < rest; ++i) {
        scratch[i] = static_cast<std::uint64_t>(values[i + 1]) - static_cast<std::uint64_t>(values[i]);
        signs |= scratch[i];
    }
    const bool ascending = signs >> 63 == 0;
    if (!ascending)
        for (std::uint64_t& number : scratch.first(rest))
            number = zigzag(number);
    return write(ascending ? Encoding::ascending : Encoding::difference, runs,
                 zigzag(static_cast<std::uint64_t>(first)), std::span<const std::uint64_t>(scratch.first(rest)), out);
}

template <std::integral T>
base::Message decodeColumn(Encoding encoding, std::string_view bytes, Sign sign, std::span<T> out)
{
    switch (encoding) {
    case Encoding::absent:
        break;
    case Encoding::constant:
        return readConstant(bytes, sign, out);
    case Encoding::plain:
    case Encoding::plainRuns:
        return read<T, Encoding::plain>(bytes, encoding == Encoding::plainRuns, sign, out);
    case Encoding::difference:
    case Encoding::differenceRuns:
        return read<T, Encoding::difference>(bytes, encoding == Encoding::differenceRuns, sign, out);
    case Encoding::ascending:
    case Encoding::ascendingRuns:
        return read<T, Encoding::ascending>(bytes, encoding == Encoding::ascendingRuns, sign, out);
    }
    return base::message<errors::kUnknownEncoding>();
}

template EncodedColumn encodeColumn(std::span<const std::int64_t>, Sign, Runs, std::span<std::uint64_t>, char*);
template EncodedColumn encodeColumn(std::span<const std::uint32_t>, Sign, Runs, std::span<std::uint64_t>, char*);
template EncodedColumn encodeColumn(std::span<const std::uint64_t>, Sign, Runs, std::span<std::uint64_t>, char*);
template base::Message decodeColumn(Encoding, std::string_view, Sign, std::span<std::int64_t>);
template base::Message decodeColumn(Encoding, std::string_view, Sign, std::span<std::uint32_t>);
template base::Message decodeColumn(Encoding, std::string_view, Sign, std::span<std::uint64_t>);

} // namespace apertune::trace
