// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/store/store.h"
#include "core/text/text_table.h"

#include <memory>
#include <string>
#include <vector>

namespace apertune::cli {

// Stored results of trials that were run once more: under load, and as a pipeline from image to answer.

/// Results of trials under load: a table with a row for each, and documents.
class LoadTable
{
public:
    LoadTable();
    LoadTable(LoadTable&&) = default;
    /// `rate` is the unit of the model's rates.
    void add(model::TrialId trial, base::RateUnit rate, const std::string& kind, const base::Json& document,
             const std::string& when);
    const base::Json& documents() const { return *m_documents; }
    std::string render(int width) const { return m_table.render(width); }

private:
    std::shared_ptr<base::Json> m_documents;
    text::TextTable m_table;
};

/// The stored results of these trials. Failures: those of the store, corrupt.
base::Result<LoadTable> loadsOf(const store::Store& store, const std::vector<model::TrialId>& trials);

/// Both kinds of results for one trial: the members "scenarios" and "pipelines" of its document, and a text that is
/// shown below its sheet. The text is empty when there are none. Failures: those of the store, corrupt.
struct KeptRuns
{
    std::shared_ptr<const base::Json> documents;
    std::string text;
};
base::Result<KeptRuns> keptRuns(const store::Store& store, model::TrialId trial, int width);

} // namespace apertune::cli
