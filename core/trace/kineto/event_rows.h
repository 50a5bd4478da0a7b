// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/kineto/json_tokens.h"
#include "core/trace/kineto/local_tables.h"
#include "core/trace/kineto/parsed_block.h"
#include "core/trace/kineto/words.h"

#include <array>
#include <string>

namespace apertune::trace::kineto {

/// Hashes for the tables of a parser.
struct DetailHash
{
    std::size_t operator()(const KernelDetail& d) const;
    std::size_t operator()(const CopyDetail& d) const;
    std::size_t operator()(const SynchronizationDetail& d) const;
    std::size_t operator()(const OperatorDetail& d) const;
    std::size_t operator()(const MemoryDetail& d) const;
    std::size_t operator()(const NoteDetail& d) const;
    std::size_t operator()(const RawTrack& t) const;
};

/// Makes rows of events whose fields have been found: what each field means for each kind. One thread.
class EventRows
{
public:
    explicit EventRows(bool own) : m_own(own) {}

    /// Appends to `block` what the event is; counts as a loss what cannot be kept.
    void add(const Tokens& tokens, const Fields& fields, ParsedBlock& block);

private:
    struct Row; ///< an event while it is made

    void addInterval(Row& row, char phase);
    void addInstant(Row& row);
    void addCounter(Row& row);
    static bool readSample(const Row& row, std::string_view token, RawEvent& sample);
    void addMetrics(const Row& row);
    void addTotals(const Row& row);
    void addLabel(const Row& row);
    void addAsync(Row& row, char phase);

    bool readTime(Row& row);
    void readIds(Row& row);
    void readDetail(Row& row);
    std::uint32_t kernelDetail(const Row& row);
    std::uint32_t copyDetail(const Row& row);
    std::uint32_t synchronizationDetail(const Row& row);
    std::uint32_t operatorDetail(const Row& row);
    std::uint32_t memoryDetail(const Row& row);
    void readCall(const Row& row);
    static std::string_view wholeToken(const Row& row, Field field);

    std::uint32_t trackOf(const Row& row);
    std::uint32_t trackNumber(const RawTrack& track);
    std::uint32_t text(const Row& row, std::string_view token);
    std::uint32_t textNumber(std::string_view text, ParsedBlock& block);
    Category category(std::string_view token, bool& known);

    bool m_own;
    ParsedBlock* m_block = nullptr;
    TextNumbers m_texts;
    ValueNumbers<RawTrack, DetailHash> m_tracks;
    ValueNumbers<KernelDetail, DetailHash> m_kernels;
    ValueNumbers<CopyDetail, DetailHash> m_copies;
    ValueNumbers<SynchronizationDetail, DetailHash> m_synchronizations;
    ValueNumbers<OperatorDetail, DetailHash> m_operators;
    ValueNumbers<MemoryDetail, DetailHash> m_memory;
    ValueNumbers<NoteDetail, DetailHash> m_notes;

    struct CategoryMemo
    {
        std::string word;
        Category category;
        bool known = false;
    };
    std::array<CategoryMemo, 64> m_categories;
    RawTrack m_lastTrack;
    std::uint32_t m_lastTrackNumber = 0;
};

} // namespace apertune::trace::kineto
