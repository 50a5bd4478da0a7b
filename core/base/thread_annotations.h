// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Annotations that name the lock of each shared member. clang checks them (-Wthread-safety), other compilers ignore
/// them. The names follow https://clang.llvm.org/docs/ThreadSafetyAnalysis.html, which explains them.

#if defined(__clang__)
#define APERTUNE_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define APERTUNE_THREAD_ATTRIBUTE(x)
#endif

#define APERTUNE_CAPABILITY(name) APERTUNE_THREAD_ATTRIBUTE(capability(name))
#define APERTUNE_SCOPED_CAPABILITY APERTUNE_THREAD_ATTRIBUTE(scoped_lockable)

/// The member is read and written only while the lock is held.
#define APERTUNE_GUARDED_BY(...) APERTUNE_THREAD_ATTRIBUTE(guarded_by(__VA_ARGS__))
/// The object that the member points to is read and written only while the lock is held.
#define APERTUNE_PT_GUARDED_BY(...) APERTUNE_THREAD_ATTRIBUTE(pt_guarded_by(__VA_ARGS__))
/// The caller holds the lock.
#define APERTUNE_REQUIRES(...) APERTUNE_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
/// The caller does not hold the lock: the function takes it, or calls foreign code that may.
#define APERTUNE_EXCLUDES(...) APERTUNE_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define APERTUNE_ACQUIRE(...) APERTUNE_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define APERTUNE_TRY_ACQUIRE(...) APERTUNE_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define APERTUNE_RELEASE(...) APERTUNE_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
/// The analysis leaves this function out. A comment says why.
#define APERTUNE_NO_THREAD_SAFETY_ANALYSIS APERTUNE_THREAD_ATTRIBUTE(no_thread_safety_analysis)
