// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/details.h"
#include "core/trace/event.h"

#include <optional>
#include <string_view>

namespace apertune::trace::kineto {

/// The words of Kineto's JSON, in the spellings of all its versions, and ours for what Kineto has no word for.

/// What a category means to an importer.
struct Category
{
    EventKind kind = EventKind::other;
    bool flow = false;     ///< arrows that follow from the events themselves
    bool recorder = false; ///< spans of the recorder, not of the program
};
/// nullopt: a category of another tool.
std::optional<Category> categoryFromString(std::string_view text);
/// The category that an exporter writes; categoryFromString() gives the kind back.
std::string_view categoryOf(EventKind kind);

/// Direction and memory as a copy's name says: "Memcpy HtoD (Pinned -> Device)", "CopyDeviceToHost".
CopyDetail copyFromName(std::string_view name);
/// "HtoD", "DtoH", …; unknown is "".
std::string_view toWord(CopyDirection direction);
CopyDirection directionFromWord(std::string_view word);
/// "Pageable", "Device Static", …; unknown is "".
std::string_view toWord(MemoryKind kind);
MemoryKind memoryFromWord(std::string_view word);
/// "Stream Sync", "Event Sync", …; unknown is "".
std::string_view toWord(SynchronizationType type);
SynchronizationType synchronizationFromWord(std::string_view word);

} // namespace apertune::trace::kineto
