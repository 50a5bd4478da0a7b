// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/column_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace apertune::trace {

namespace {

static_assert(std::endian::native == std::endian::little, "swap the words of putShortVarints()");

// ---- numbers as varints

constexpr std::uint64_t zigzag(std::uint64_t value)
{
    return (value << 1) ^ (0 - (value >> 63));
}
constexpr std::uint64_t unzigzag(std::uint64_t value)
{
    return (value >> 1) ^ (0 - (value & 1));
}

/// A seventh of its bits, rounded up.
constexpr std::size_t varintSize(std::uint64_t value)
{
    return (static_cast<std::size_t>(std::bit_width(value | 1)) * 9 + 64) / 64;
}

char* putVarint(char* out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *out++ = static_cast<char>(value | 0x80);
    *out++ = static_cast<char>(value);
    return out;
}

constexpr std::size_t kGroup = 16;

/// Varints of up to four bytes: what stands in them and how long they are is worked out side by side, and only the
/// places are found one after another. Writes up to three bytes behind its end.
char* putShortVarints(char* out, const std::array<std::int32_t, kGroup>& values)
{
    std::array<std::int32_t, kGroup> words;
    std::array<std::int32_t, kGroup> lengths;
    for (std::size_t i = 0; i < kGroup; ++i) {
        const std::int32_t v = values[i];
        const std::int32_t two = v > 0x7f ? 1 : 0;
        const std::int32_t three = v > 0x3fff ? 1 : 0;
        const std::int32_t four = v > 0x1fffff ? 1 : 0;
        words[i] = (v & 0x7f) | (v & 0x3f80) << 1 | (v & 0x1fc000) << 2 | (v & 0xfe00000) << 3 | two << 7 |
                   three << 15 | four << 23;
        lengths[i] = 1 + two + three + four;
    }
    for (std::size_t i = 0; i < kGroup; ++i) {
        std::memcpy(out, &words[i], sizeof words[i]);
        out += lengths[i];
    }
    return out;
}

/// In most columns neighbours are equally long: then the compiler takes many of them in one instruction.
template <typename T>
char* putGroup(char* out, const T* values)
{
    std::uint64_t all = 0;
    std::uint64_t below = 0; // the highest bit, once one value is shorter than two bytes
    for (std::size_t i = 0; i < kGroup; ++i) {
        all |= static_cast<std::uint64_t>(values[i]);
        below |= static_cast<std::uint64_t>(values[i]) - 0x80;
    }
    if (all < 1u << 7) {
        for (std::size_t i = 0; i < kGroup; ++i)
            out[i] = static_cast<char>(values[i]);
        return out + kGroup;
    }
    if (all < 1u << 14 && below >> 63 == 0) {
        for (std::size_t i = 0; i < kGroup; ++i) {
            out[2 * i] = static_cast<char>(values[i] | 0x80);
            out[2 * i + 1] = static_cast<char>(values[i] >> 7);
        }
        return out + 2 * kGroup;
    }
    if (all < 1u << 28) {
        std::array<std::int32_t, kGroup> narrow;
        for (std::size_t i = 0; i < kGroup; ++i)
            narrow[i] = static_cast<std::int32_t>(values[i]);
        return putShortVarints(out, narrow);
    }
    for (std::size_t i = 0; i < kGroup; ++i)
        out = putVarint(out, static_cast<std::uint64_t>(values[i]));
    return out;
}

template <typename T>
char* putVarints(char* out, std::span<const T> values)
{
    std::size_t i = 0;
    for (; i + kGroup <= values.size(); i += kGroup)
        out = putGroup(out, values.data() + i);
    for (; i < values.size(); ++i)
        out = putVarint(out, static_cast<std::uint64_t>(values[i]));
    return out;
}

/// nullptr when the bytes end, or are longer than a value can be.
inline const char* getVarint(const char* in, const char* end, std::uint64_t& value)
{
    std::uint64_t result = 0;
    for (int shift = 0; shift < 64 && in != end; shift += 7) {
        const auto byte = static_cast<unsigned char>(*in++);
        if (shift == 63 && byte > 1)
            return nullptr;
        result |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            value = result;
            return in;
        }
    }
    return nullptr;
}

// ---- numbers that repeat themselves

/// Numbers that stand for themselves, and behind them `length` that repeat those `distance` before.
struct Run
{
    std::size_t literals = 0;
    std::size_t length = 0;
    std::size_t distance = 0;
};

/// How many of the first are equal.
template <typename T>
std::size_t equalAtFront(const T* a, const T* b, std::size_t count)
{
    std::size_t i = 0;
    for (; i + kGroup <= count; i += kGroup) {
        T different = 0;
        for (std::size_t k = 0; k < kGroup; ++k)
            different |= a[i + k] ^ b[i + k];
        if (different != 0)
            break;
    }
    while (i < count && a[i] == b[i])
        ++i;
    return i;
}

/// Four numbers, by which a repetition is found. REQUIRES: there are as many.
template <typename T>
std::uint64_t windowHash(const T* numbers)
{
    // Each has a factor of its own, so that they are added up side by side and not one after another.
    constexpr std::array<std::uint64_t, 4> kFactors = {0x9e3779b97f4a7c15u, 0xc4ceb9fe1a85ec53u, 0xbf58476d1ce4e5b9u,
                                                       0x94d049bb133111ebu};
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < kFactors.size(); ++k)
        sum += static_cast<std::uint64_t>(numbers[k]) * kFactors[k];
    return (sum ^ sum >> 32) * kFactors[0];
}

/// A model that runs again and again leaves the same names, launches and sizes in the same order. Empty when less than
/// a quarter is repeated, and after half of the numbers if nothing was.
template <typename T>
std::vector<Run> findRuns(std::span<const T> numbers)
{
    constexpr std::size_t kLeast = 16; ///< shorter ones are not worth their words
    constexpr int kMostBits = 12;
    const int bits = std::min(static_cast<int>(std::bit_width(numbers.size())) + 2, kMostBits);
    std::array<std::uint32_t, std::size_t{1} << kMostBits> seen; // by hash: where such a window stood last, plus one
    std::fill_n(seen.begin(), std::size_t{1} << bits, 0u);
    std::vector<Run> runs;
    std::size_t repeated = 0;
    std::size_t told = 0; // of the numbers, by `runs`
    for (std::size_t i = 0; i + kLeast <= numbers.size();) {
        if (runs.empty() && i > numbers.size() / 2)
            return {};
        const T* const here = numbers.data() + i;
        std::uint32_t& slot = seen[windowHash(here) >> (64 - bits)];
        const std::size_t before = std::exchange(slot, static_cast<std::uint32_t>(i + 1));
        const std::size_t distance = i + 1 - before;
        const bool hopeful = before != 0 && here[kLeast - 1] == numbers[i + kLeast - 1 - distance];
        const std::size_t length = hopeful ? equalAtFront(here, here - distance, numbers.size() - i) : 0;
        if (length < kLeast) {
            ++i;
            continue;
        }
        runs.push_back({i - told, length, distance});
        i += length;
        told = i;
        repeated += length;
    }
    if (runs.empty() || repeated < numbers.size() / 4)
        return {};
    runs.push_back({numbers.size() - told, 0, 0});
    return runs;
}

template <typename T>
char* putRuns(char* out, std::span<const T> numbers, const std::vector<Run>& runs)
{
    std::size_t at = 0;
    for (const Run& run : runs) {
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

// ---- columns

template <typename T>
std::uint64_t toPlain(T value, Sign sign)
{
    const auto bits = static_cast<std::uint64_t>(value);
    return sign == Sign::either ? zigzag(bits) : bits;
}

/// Whether differences are shorter, judged by up to 256 values spread over the column: measuring each value would take
/// as long as writing it.
template <typename T>
bool prefersDifferences(std::span<const T> values, Sign sign)
{
    std::size_t plain = 0;
    std::size_t delta = 0;
    const std::size_t step = std::max<std::size_t>(values.size() / 256, 1);
    for (std::size_t i = 0; i < values.size(); i += step) {
        const auto before = i == 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(values[i - 1]);
        plain += varintSize(toPlain(values[i], sign));
        delta += varintSize(zigzag(static_cast<std::uint64_t>(values[i]) - before));
    }
    return delta < plain;
}

constexpr auto kInRuns =
    static_cast<std::uint8_t>(Encoding::plainRuns) - static_cast<std::uint8_t>(Encoding::plain);

/// The first number is `first`; `rest` are those behind it.
template <typename T>
EncodedColumn write(Encoding encoding, Runs runs, std::uint64_t first, std::span<const T> rest, char* out)
{
    out = putVarint(out, first);
    if (const std::vector<Run> found = runs == Runs::seek ? findRuns(rest) : std::vector<Run>(); !found.empty())
        return {static_cast<Encoding>(static_cast<std::uint8_t>(encoding) + kInRuns), putRuns(out, rest, found)};
    return {encoding, putVarints(out, rest)};
}

/// Stores bits as T; false when they do not fit.
template <typename T>
bool store(std::uint64_t bits, Sign sign, T& out)
{
    out = static_cast<T>(bits);
    if constexpr (std::is_signed_v<T>)
        return sign == Sign::either || out >= 0;
    else
        return bits <= std::numeric_limits<T>::max();
}

/// Where the numbers of a column are put, one behind the other.
template <typename T, Encoding E>
class Target
{
public:
    Target(std::span<T> out, Sign sign) : m_out(out), m_sign(sign) {}

    std::size_t size() const { return m_size; }
    bool fits() const { return m_fits; }

    /// REQUIRES: there is room for it.
    void put(std::uint64_t number)
    {
        if constexpr (E == Encoding::plain)
            m_last = m_sign == Sign::either ? unzigzag(number) : number;
        else // unsigned arithmetic wraps, as it did in the writer
            m_last += E == Encoding::ascending && m_size > 0 ? number : unzigzag(number);
        m_fits &= store(m_last, m_sign, m_out[m_size++]);
    }

    /// Numbers that were put before, again. REQUIRES: there is room for them; distance < size().
    void repeat(std::size_t length, std::size_t distance)
    {
        if constexpr (E == Encoding::plain) {
            const std::size_t from = m_size - distance;
            while (length > 0) {
                const std::size_t piece = std::min(length, m_size - from); // all that repeats itself so far
                std::copy_n(m_out.data() + from, piece, m_out.data() + m_size);
                m_size += piece;
                length -= piece;
            }
            m_last = static_cast<std::uint64_t>(m_out[m_size - 1]);
        } else {
            for (; length > 0; --length) {
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
const char* read(std::string_view bytes, bool inRuns, Sign sign, std::span<T> out)
{
    static constexpr const char* kTooEarly = "a column ends too early";
    const char* in = bytes.data();
    const char* const end = in + bytes.size();
    Target<T, E> target(out, sign);
    std::uint64_t number = 0;
    const auto literals = [&](std::size_t count) {
        for (; count > 0 && (in = getVarint(in, end, number)); --count)
            target.put(number);
        return in != nullptr;
    };
    if (!literals(inRuns ? 1 : out.size()))
        return kTooEarly;
    while (target.size() < out.size()) {
        if (in = getVarint(in, end, number); !in)
            return kTooEarly;
        const std::uint64_t length = number >> 1;
        if (length == 0 || length > out.size() - target.size())
            return "a run of a column has a wrong length";
        if ((number & 1) == 0) {
            if (!literals(length))
                return kTooEarly;
            continue;
        }
        if (in = getVarint(in, end, number); !in)
            return kTooEarly;
        if (number == 0 || number >= target.size())
            return "a run of a column repeats what is not there";
        target.repeat(length, number);
    }
    if (in != end)
        return "a column has bytes left over";
    return target.fits() ? nullptr : "a value is out of range";
}

template <typename T>
const char* readConstant(std::string_view bytes, Sign sign, std::span<T> out)
{
    T value{};
    if (const char* const problem = read<T, Encoding::plain>(bytes, false, sign, std::span(&value, 1)))
        return problem;
    std::fill(out.begin(), out.end(), value);
    return nullptr;
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
const char* decodeColumn(Encoding encoding, std::string_view bytes, Sign sign, std::span<T> out)
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
    return "a column has an unknown encoding";
}

template EncodedColumn encodeColumn(std::span<const std::int64_t>, Sign, Runs, std::span<std::uint64_t>, char*);
template EncodedColumn encodeColumn(std::span<const std::uint32_t>, Sign, Runs, std::span<std::uint64_t>, char*);
template EncodedColumn encodeColumn(std::span<const std::uint64_t>, Sign, Runs, std::span<std::uint64_t>, char*);
template const char* decodeColumn(Encoding, std::string_view, Sign, std::span<std::int64_t>);
template const char* decodeColumn(Encoding, std::string_view, Sign, std::span<std::uint32_t>);
template const char* decodeColumn(Encoding, std::string_view, Sign, std::span<std::uint64_t>);

} // namespace apertune::trace
