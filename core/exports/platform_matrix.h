// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exports/kit_platforms.h"
#include "core/model/model_family.h"
#include "core/model/study.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::exports {

/// What is known of a family of models on a platform.
enum class CellState {
    measuredHere,  ///< Apertune measured trials itself
    measuredThere, ///< a measuring kit did, on another machine
    exportable,    ///< a kit can be written of a model of the workspaces
    neverTried,    ///< none of these
};
std::string_view toString(CellState state); ///< "measured_here", "measured_there", "exportable", "never_tried"

/// The trial of a cell with the shortest time of a sample. One with a usable interval comes before one without.
struct BestOfCell
{
    std::size_t study = 0; ///< position in the studies that the matrix was made from
    model::TrialId trial{};
    std::string device; ///< name of the device
};

struct PlatformCell
{
    model::ModelFamily family{};
    CellState state = CellState::neverTried;
    std::size_t here = 0;             ///< measured trials of Apertune
    std::size_t there = 0;            ///< measured trials of kits
    std::optional<BestOfCell> best{}; ///< the trials of kits count only where there are none of Apertune
    /// Without measured trials, what would measure the cell: a model of the workspaces, else an example of the family.
    /// Empty where nothing here can.
    std::string command{};
};

struct PlatformRow
{
    const Platform* platform = nullptr;
    std::vector<PlatformCell> cells; ///< in the order of model::kAllFamilies
};

/// Makes the matrix of platforms and families (model::familyOf()) from studies and models of workspaces. Pure.
///  - A trial of Apertune is of the platforms with its type of device and its engine (Platform::anyEngine: any engine).
///  - A trial of a kit is of the platform that the kit was written for, unless a processor stood in for it.
///  - Results of other tools are of no platform, since their files do not say where they ran.
///
/// `devices`: those of this machine, on which `apertune tune` measures.
std::vector<PlatformRow> platformMatrix(std::span<const model::StudySnapshot> studies,
                                        std::span<const model::ModelRef> models,
                                        std::span<const model::Device> devices);

} // namespace apertune::exports
