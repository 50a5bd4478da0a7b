// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/open_workspace.h"

namespace apertune::store {

/// The members of a Store. Private to core/store.
struct StoreState
{
    OpenedWorkspace workspace;
    explicit StoreState(OpenedWorkspace opened) : workspace(std::move(opened)) {}
    StoreState(const StoreState&) = delete;
    StoreState& operator=(const StoreState&) = delete;
    ~StoreState()
    {
        if (workspace.readOnlyReason.empty())
            return;
        workspace.database.reset();
        removeEmptyLog(workspace.file);
    }

    mutable base::Mutex mutex; ///< serialises calls; no other lock is taken while it is held

    template <typename Work>
    auto run(Transaction::Kind kind, Work&& work) const
    {
        const base::Lock guard(mutex);
        auto result = guarded([&] {
            const Database& db = *workspace.database;
            Transaction transaction(db, kind);
            if constexpr (std::is_void_v<std::invoke_result_t<Work, const Database&>>) {
                work(db);
                transaction.commit();
            } else {
                auto value = work(db);
                transaction.commit();
                return value;
            }
        });
        return withPlace(std::move(result));
    }
    template <typename Work>
    auto read(Work&& work) const
    {
        return run(Transaction::Kind::read, std::forward<Work>(work));
    }
    template <typename Work>
    auto write(Work&& work) const -> decltype(run(Transaction::Kind::write, std::forward<Work>(work)))
    {
        if (!workspace.readOnlyReason.empty())
            return base::Error{base::ErrorCode::unsupported, base::message<errors::kReadOnly>(workspace.readOnlyReason),
                               workspace.file.string(), base::message<errors::kOtherOrCopy>()};
        return run(Transaction::Kind::write, std::forward<Work>(work));
    }

    /// Returns freed pages to the file system. A failure is ignored: the deletion has succeeded, and only space is
    /// lost.
    void releaseFreePages() const
    {
        const base::Lock guard(mutex);
        const base::Status shrunk = guarded([&] { workspace.database->execute("PRAGMA incremental_vacuum"); });
        static_cast<void>(shrunk);
    }

    /// Adds the file's name to an error. Turns corrupt into unsupported when the file has a newer schema.
    template <typename T>
    base::Result<T> withPlace(base::Result<T> result) const
    {
        if (result.ok())
            return result;
        base::Error error = result.error();
        if (error.context.empty())
            error.context = workspace.file.string();
        if (workspace.newerSchema && error.code == base::ErrorCode::corrupt) {
            error.code = base::ErrorCode::unsupported;
            error.message = base::message<errors::kNewerWorkspace>(std::move(error.message));
            error.hint = base::message<errors::kUpdate>();
        }
        return error;
    }
};

} // namespace apertune::store
