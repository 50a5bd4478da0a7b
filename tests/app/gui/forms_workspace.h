// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/store/store.h"
#include "tests/app/cli/program_fixture.h"

#include <QString>

#include <string>
#include <vector>

namespace apertune::testing {

/// A workspace with one study and one recording, and the program that shows them in a terminal. All values are fixed:
/// nothing is measured.
///
/// The study has two devices and a trial for each special case: intervals that are narrow, wide, skewed and absent; a
/// compiled, a quantized, a failed and two skipped configurations; outputs with NaN; GPU telemetry; two modes. The
/// recording is a file of the PyTorch profiler: a loop on a GPU, six iterations without warm-up, so that the steady
/// iterations and the whole recording have the same events.
class FormsWorkspace
{
public:
    enum class Turns {
        confirmed, ///< the best trials took turns in several processes
        noise      ///< each trial was measured in one process, and the noise floor of the machine is known
    };
    explicit FormsWorkspace(Turns turns = Turns::confirmed);

    std::filesystem::path file() const { return m_program.store(); }
    model::StudyId study() const { return m_study; }
    store::TraceId trace() const { return m_trace; }
    /// What the program prints for people.
    QString text(const std::vector<std::string>& words) const;
    /// What it prints with --json.
    base::Json document(std::vector<std::string> words) const;

private:
    cli::test::Program m_program;
    model::StudyId m_study{};
    store::TraceId m_trace{};
};

} // namespace apertune::testing
