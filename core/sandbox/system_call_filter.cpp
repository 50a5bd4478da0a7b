// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sandbox/system_call_filter.h"

#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace apertune::sandbox {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kForeignCalls = 0x40000000; // numbers of the x32 interface begin here
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kForeignCalls = 0x40000000;
#else
constexpr std::uint32_t kArchitecture = 0;
constexpr std::uint32_t kForeignCalls = 0x40000000;
#endif

// Calls that headers of older systems lack. Numbers from 424 on are the same on every processor.
constexpr std::uint32_t kPidfdSendSignal = 424, kIoUringSetup = 425, kIoUringEnter = 426, kIoUringRegister = 427,
                        kOpenTree = 428, kMoveMount = 429, kFsOpen = 430, kFsConfig = 431, kFsMount = 432,
                        kFsPick = 433, kPidfdOpen = 434, kClone3 = 435, kPidfdGetFd = 438, kProcessMadvise = 440,
                        kMountSetAttr = 442;

constexpr std::uint32_t kNewNamespaces = CLONE_NEWNS | 0x02000000U /* control groups */ | CLONE_NEWUTS | CLONE_NEWIPC |
                                         CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// System calls that no model, engine or compiler needs.
constexpr std::uint32_t kDenied[] = {
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_kcmp,
    kPidfdGetFd,
    kProcessMadvise,
    kIoUringSetup,
    kIoUringEnter,
    kIoUringRegister,
    __NR_bpf,
    __NR_userfaultfd,
    __NR_add_key,
    __NR_request_key,
    __NR_keyctl,
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    __NR_setns,
    __NR_unshare,
    kOpenTree,
    kMoveMount,
    kFsOpen,
    kFsConfig,
    kFsMount,
    kFsPick,
    kMountSetAttr,
    __NR_open_by_handle_at,
    __NR_init_module,
    __NR_finit_module,
    __NR_delete_module,
    __NR_kexec_load,
    __NR_reboot,
    __NR_swapon,
    __NR_swapoff,
    __NR_sethostname,
    __NR_setdomainname,
    __NR_settimeofday,
    __NR_clock_settime,
    __NR_acct,
    __NR_quotactl,
    __NR_syslog,
    __NR_vhangup,
    __NR_tkill,
#ifdef __NR_kexec_file_load
    __NR_kexec_file_load,
#endif
#ifdef __NR_iopl
    __NR_iopl,
    __NR_ioperm,
#endif
};

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;

constexpr std::uint32_t answer(int error)
{
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

/// The place of the lower or upper half of an argument.
constexpr std::uint32_t lowerHalf(std::size_t argument)
{
    // The lower half comes first on the little-endian processors that are supported.
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
}
constexpr std::uint32_t upperHalf(std::size_t argument)
{
    return lowerHalf(argument) + 4;
}

constexpr sock_filter load(std::uint32_t offset)
{
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
}
constexpr sock_filter loadCall()
{
    return load(offsetof(seccomp_data, nr));
}
constexpr sock_filter giveBack(std::uint32_t result)
{
    return BPF_STMT(BPF_RET | BPF_K, result);
}
constexpr sock_filter ifEqual(std::uint32_t value, std::uint8_t skipThen, std::uint8_t skipElse)
{
    return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, skipThen, skipElse);
}
constexpr sock_filter ifAnyBit(std::uint32_t bits, std::uint8_t skipThen, std::uint8_t skipElse)
{
    return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, skipThen, skipElse);
}

} // namespace

bool SystemCallFilter::isSupported()
{
    return kArchitecture != 0;
}

// Every rule begins with the number of the call loaded and leaves it so.

void SystemCallFilter::deny(std::uint32_t call, int error)
{
    m_program.insert(m_program.end(), {ifEqual(call, 0, 1), giveBack(answer(error))});
}

/// Denies the call with that first argument. Numbers of processes and commands have 32 bits.
void SystemCallFilter::denyArgument(std::uint32_t call, std::uint32_t value)
{
    // The call's number is loaded again at the end, because each rule expects it.
    m_program.insert(m_program.end(), {ifEqual(call, 0, 4), load(lowerHalf(0)), ifEqual(value, 0, 1),
                                       giveBack(answer(EPERM)), loadCall()});
}

/// Denies the call unless its first argument is 0 or the number of the process.
void SystemCallFilter::onlySelf(std::uint32_t call)
{
    // 0 means the calling process.
    m_program.insert(m_program.end(), {ifEqual(call, 0, 5), load(lowerHalf(0)), ifEqual(0, 2, 0)});
    // The number of the process is known only after fork(), so the place is filled in later.
    m_ownNumber.push_back(m_program.size());
    m_program.insert(m_program.end(), {ifEqual(0, 1, 0), giveBack(answer(EPERM)), loadCall()});
}

void SystemCallFilter::addCommonRules(const FilterRequest& request)
{
    for (const std::uint32_t call : kDenied)
        deny(call, EPERM);
    // Its arguments stand in memory, which a filter cannot read. The C library then takes clone().
    deny(kClone3, ENOSYS);
    // A child in another group or with another death signal would outlive the run. Programs that set these go on as if
    // they had succeeded.
    deny(__NR_setsid, 0);
    deny(__NR_setpgid, 0);
    m_program.insert(m_program.end(), {ifEqual(__NR_prctl, 0, 4), load(lowerHalf(0)), ifEqual(PR_SET_PDEATHSIG, 0, 1),
                                       giveBack(answer(0)), loadCall()});
    // Typing into the terminal of the user.
    m_program.insert(m_program.end(), {ifEqual(__NR_ioctl, 0, 4), load(lowerHalf(1)), ifEqual(TIOCSTI, 0, 1),
                                       giveBack(answer(EPERM)), loadCall()});
    // No family at all is allowed without local sockets, so the comparison uses a number that none has.
    const std::uint32_t allowedFamily = request.localSockets ? AF_UNIX : 0xffffffff;
    m_program.insert(m_program.end(), {ifEqual(__NR_socket, 0, 4), load(lowerHalf(0)), ifEqual(allowedFamily, 1, 0),
                                       giveBack(answer(EACCES)), loadCall()});
}

void SystemCallFilter::addRulesWithPrograms(const FilterRequest& request)
{
    m_program.insert(m_program.end(), {ifEqual(__NR_clone, 0, 4), load(lowerHalf(0)), ifAnyBit(kNewNamespaces, 0, 1),
                                       giveBack(answer(EPERM)), loadCall()});
    if (request.ownNumbers)
        return;
    deny(kPidfdSendSignal, EPERM);
    const auto parent = static_cast<std::uint32_t>(request.parent);
    for (const std::uint32_t call : {__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo})
        denyArgument(call, parent);
    denyArgument(__NR_kill, static_cast<std::uint32_t>(-request.parentGroup));
    denyArgument(__NR_kill, static_cast<std::uint32_t>(-1)); // everybody
}

void SystemCallFilter::addRulesWithoutPrograms(const FilterRequest& request)
{
#ifdef __NR_fork
    deny(__NR_fork, EPERM);
    deny(__NR_vfork, EPERM);
#endif
    m_program.insert(m_program.end(), {ifEqual(__NR_clone, 0, 4), load(lowerHalf(0)), ifAnyBit(CLONE_THREAD, 1, 0),
                                       giveBack(answer(EPERM)), loadCall()});
    for (const std::uint32_t call : {__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo})
        onlySelf(call);
    deny(kPidfdOpen, EPERM);
    deny(kPidfdSendSignal, EPERM);
    deny(__NR_execveat, EPERM);
    m_program.insert(m_program.end(),
                     {ifEqual(__NR_execve, 0, 6), load(lowerHalf(5)),
                      ifEqual(static_cast<std::uint32_t>(request.passphrase), 0, 2), load(upperHalf(5)),
                      ifEqual(static_cast<std::uint32_t>(request.passphrase >> 32), 1, 0), giveBack(answer(EPERM)),
                      loadCall()});
}

SystemCallFilter::SystemCallFilter(const FilterRequest& request)
{
    m_program = {load(offsetof(seccomp_data, arch)),
                 ifEqual(kArchitecture, 1, 0),
                 giveBack(answer(ENOSYS)),
                 loadCall(),
                 BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kForeignCalls, 0, 1),
                 giveBack(answer(ENOSYS))};
    addCommonRules(request);
    if (request.programs)
        addRulesWithPrograms(request);
    else
        addRulesWithoutPrograms(request);
    m_program.push_back(giveBack(kAllow));
}

int SystemCallFilter::enforce() noexcept
{
    for (const std::size_t instruction : m_ownNumber)
        m_program[instruction].k = static_cast<std::uint32_t>(::getpid());
    const sock_fprog program{static_cast<unsigned short>(m_program.size()), m_program.data()};
    // Without this flag, kernels before 5.16 switch off speculation in filtered processes, which slows the measured
    // passes down.
    constexpr unsigned kKeepSpeculation = 1U << 2;
    if (::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, kKeepSpeculation, &program) == 0)
        return 0;
    if (errno != EINVAL)
        return errno;
    return ::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}

} // namespace apertune::sandbox
