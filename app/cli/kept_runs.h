// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/report/text_table.h"
#include "core/store/store.h"

#include <memory>
#include <string>
#include <vector>

namespace apertune::cli {

/// What the workspace keeps of trials that were run once more: under load, and from image to answer.

/// What trials did under load, a row each, and as documents.
class LoadTable
{
public:
    LoadTable();
    LoadTable(LoadTable&&) = default;
    void add(model::TrialId trial, const std::string& kind, const base::Json& document, const std::string& when);
    const base::Json& documents() const { return *m_documents; }
    std::string render(int width) const { return m_table.render(width); }

private:
    std::shared_ptr<base::Json> m_documents;
    report::TextTable m_table;
};

/// Failures: those of the store, corrupt.
base::Result<LoadTable> loadsOf(const store::Store& store, const std::vector<model::TrialId>& trials);

/// Both of one trial: "scenarios" and "pipelines" for its document, and text that stands below its sheet; empty when
/// there is nothing. Failures: those of the store, corrupt.
struct KeptRuns
{
    std::shared_ptr<const base::Json> documents;
    std::string text;
};
base::Result<KeptRuns> keptRuns(const store::Store& store, model::TrialId trial, int width);

} // namespace apertune::cli
