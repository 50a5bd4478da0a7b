// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/nsys/nsys_import.h"
#include "core/sentences/sentences.h"
#include "core/store/sqlite_database.h"
#include "tests/core/interchange/nsys_sample.h"
#include "tests/core/store/sample_values.h"

#include <string>

namespace apertune::interchange::test {

namespace fs = std::filesystem;

/// Exports of nsys made by SQL, and what becomes of them.
class Nsys : public store::test::StoreTest
{
protected:
    fs::path put(const std::string& sql, const std::string& name = "report.sqlite") const
    {
        const fs::path path = folder() / name;
        store::Database::open(path, store::Database::Access::create).execute(sql);
        return path;
    }
    trace::Trace imported(const fs::path& path) const
    {
        auto trace = importNsys(path);
        EXPECT_TRUE(trace.ok()) << (trace ? "" : sentences::describe(trace.error()));
        return trace ? std::move(trace).value() : trace::Trace{};
    }
};

} // namespace apertune::interchange::test
