// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/chrome/detail_hash.h"
#include "core/interchange/chrome/local_tables.h"
#include "core/interchange/chrome/parsed_block.h"
#include "core/interchange/chrome/token_index.h"
#include "core/interchange/chrome/vocabulary.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace apertune::interchange::chrome {

/// Turns events whose fields have been found into rows. It knows the meaning of each field for each kind.
/// Threads: one.
class EventRows
{
public:
    explicit EventRows(bool own) : m_own(own) {}

    /// Appends the event to `block`. Facts that cannot be kept are counted as losses. `unknown` lists the names of
    /// arguments that are no field.
    void add(const Tokens& tokens, const Fields& fields, std::span<const std::string_view> unknown, ParsedBlock& block);

private:
    struct Row; ///< an event whose row is being made

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
    static void countDropped(const Row& row);
    static std::string_view wholeToken(const Row& row, Field field);
    static std::string collectiveObject(const Row& row);

    std::uint32_t trackOf(const Row& row);
    std::uint32_t trackNumber(const RawTrack& track);
    std::uint32_t text(const Row& row, std::string_view token);
    std::uint32_t textNumber(std::string_view text, ParsedBlock& block);
    Category category(std::string_view token, bool& known);

    bool m_own;
    ParsedBlock* m_block = nullptr;
    TextNumbers m_texts;
    ValueNumbers<RawTrack, DetailHash> m_tracks;
    ValueNumbers<trace::KernelDetail, DetailHash> m_kernels;
    ValueNumbers<trace::CopyDetail, DetailHash> m_copies;
    ValueNumbers<trace::SynchronizationDetail, DetailHash> m_synchronizations;
    ValueNumbers<trace::OperatorDetail, DetailHash> m_operators;
    ValueNumbers<trace::MemoryDetail, DetailHash> m_memory;
    ValueNumbers<trace::NoteDetail, DetailHash> m_notes;

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

} // namespace apertune::interchange::chrome
