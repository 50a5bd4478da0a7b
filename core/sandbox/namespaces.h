// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace apertune::sandbox {

/// The namespaces that a child gets. Private to this folder, like all below.
struct Namespaces
{
    bool network = false;
    bool processes = false;

    bool any() const { return network || processes; }
};

/// The lines that give a child in a user namespace its own user and group. Only a user without the rights of root needs
/// such a namespace, to be allowed the others. The parent prepares them, because the child may not allocate.
struct OwnIds
{
    bool needed = false;
    std::string user;
    std::string group;

    static OwnIds ofThisProcess();
};

/// Puts this process into the namespaces; its children, but not itself, into the one of processes. It only calls
/// functions that are safe after fork(). Returns errno, or 0.
int enterNamespaces(const Namespaces& wanted, const OwnIds& ids) noexcept;

/// Divides this process, in a namespace of processes, into a guard and the program:
///  - It returns 0 in the process that is to become the program, and errno where it fails.
///  - It never returns in the guard, which waits for the program and ends as it did: with its exit code, or by the same
///    signal. When the guard ends, the kernel ends all that the program started.
///
/// It only calls functions that are safe after fork().
int leaveGuardBehind() noexcept;

/// Tries the namespaces in a process of its own. Returns errno, or 0.
int tryNamespaces(const Namespaces& wanted);

} // namespace apertune::sandbox
