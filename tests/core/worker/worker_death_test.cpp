// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/worker/worker_death.h"

#include <gmock/gmock.h>

#include <csignal>

namespace apertune::worker {
namespace {

using base::ChildExit;
using ::testing::HasSubstr;

TEST(WorkerDeath, AllocatorsThatGiveUpAreRecognisedByTheirWords)
{
    for (const char* log : {
             "RuntimeError: [enforce fail at alloc_cpu.cpp:124] DefaultCPUAllocator: can't allocate memory: you tried",
             "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
             "terminate called after throwing an instance of 'std::bad_alloc'",
             "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
         })
        EXPECT_TRUE(mentionsOutOfMemory(log)) << log;
    EXPECT_FALSE(mentionsOutOfMemory("a warning about memory formats"));
    EXPECT_FALSE(mentionsOutOfMemory(""));
}

TEST(WorkerDeath, ASignalIsACrashThatNamesIt)
{
    const auto reason = explainDeath(ChildExit{0, SIGABRT}, "some log", 0);
    EXPECT_EQ(reason.kind, model::ReasonKind::crash);
    EXPECT_THAT(sentences::sentence(reason.message), HasSubstr("SIGABRT"));
}

TEST(WorkerDeath, AbortAfterAFailedAllocationIsOutOfMemory)
{
    EXPECT_EQ(explainDeath(ChildExit{0, SIGABRT}, "what(): std::bad_alloc", 0).kind, model::ReasonKind::outOfMemory);
}

TEST(WorkerDeath, AKillIsOutOfMemoryOnlyWithTheKernelsWord)
{
    EXPECT_EQ(explainDeath(ChildExit{0, SIGKILL}, "", 0).kind, model::ReasonKind::crash);
    EXPECT_THAT(sentences::sentence(explainDeath(ChildExit{0, SIGKILL}, "", 0).message),
                HasSubstr("another process or"));
    EXPECT_EQ(explainDeath(ChildExit{0, SIGKILL}, "", 1).kind, model::ReasonKind::outOfMemory);
    EXPECT_EQ(explainDeath(ChildExit{0, SIGSEGV}, "", 1).kind, model::ReasonKind::crash);
}

} // namespace
} // namespace apertune::worker
