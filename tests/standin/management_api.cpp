// SPDX-License-Identifier: GPL-3.0-or-later
// libnvidia-ml.so.1: the driver's report on its GPUs to any process. The declarations are those of NVML's API 13.
#include "tests/standin/board.h"
#include "tests/standin/clock.h"
#include "tests/standin/device_facts.h"
#include "tests/standin/settings.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace apertune::standin; // this file holds nothing but functions of NVML

namespace {

enum Answer : int { ok = 0, invalidArgument = 2, notSupported = 3, notFound = 6, tooSmall = 7, unknown = 999 };

constexpr unsigned long long kReserved = 600ULL << 20; ///< GPU memory of the driver itself
constexpr int kOtherProcess = 4242;
constexpr unsigned kClockOfMemory = 2619;
constexpr unsigned long long kIdle = 1;
constexpr int kShareOfIdlePower = 10; ///< an idle GPU draws a tenth of its limit

/// A handle points to the number of its GPU; instances have handles of their own.
std::array<int, kMostGpus> gpuHandles{0, 1, 2, 3, 4, 5, 6, 7};
std::array<int, kMostGpus> instanceHandles{0, 1, 2, 3, 4, 5, 6, 7};

int gpuOf(void* handle)
{
    return *static_cast<int*>(handle);
}

bool split()
{
    return !settings().mig.empty();
}

bool isInstance(void* handle)
{
    const auto* const place = static_cast<int*>(handle);
    return place >= instanceHandles.data() && place < instanceHandles.data() + instanceHandles.size();
}

int copied(const std::string& text, char* to, unsigned size)
{
    if (size <= text.size())
        return tooSmall;
    std::memcpy(to, text.c_str(), text.size() + 1);
    return ok;
}

bool working(int gpu)
{
    return Board::machine().working(gpu, monotonicNow()) || (gpu == 0 && settings().otherLoad > 0);
}

/// A GPU keeps its clock for a while after its work, in case there is more.
bool isAwake(int gpu)
{
    constexpr std::int64_t kUntilIdle = 1'000'000'000;
    return working(gpu) || Board::machine().working(gpu, monotonicNow() - kUntilIdle);
}

unsigned milliwatts(int gpu)
{
    const unsigned limit = static_cast<unsigned>(settings().card->powerLimit) * 1000;
    return working(gpu) ? limit * 8 / 10 : limit / kShareOfIdlePower;
}

/// The processes of a GPU with the memory that each holds, the planted one among them.
std::vector<Board::Use> usersOf(int gpu)
{
    std::vector<Board::Use> users = Board::machine().users(gpu);
    if (gpu == 0 && (settings().otherMemory > 0 || settings().otherLoad > 0))
        users.push_back({kOtherProcess, settings().otherMemory});
    return users;
}

/// Fills in the processes that there is room for.
template <typename Process>
int listUsers(void* handle, unsigned* count, Process* processes)
{
    const std::vector<Board::Use> users = usersOf(gpuOf(handle));
    const auto room = static_cast<std::size_t>(*count);
    for (std::size_t i = 0; processes && i < std::min(room, users.size()); ++i) {
        processes[i] = {};
        processes[i].pid = static_cast<unsigned>(users[i].process);
        processes[i].usedGpuMemory = users[i].bytes;
    }
    *count = static_cast<unsigned>(users.size());
    return users.size() > room ? tooSmall : ok;
}

struct OldProcess
{
    unsigned pid;
    unsigned long long usedGpuMemory;
};

struct Process
{
    unsigned pid;
    unsigned long long usedGpuMemory;
    unsigned gpuInstanceId;
    unsigned computeInstanceId;
};

struct Memory
{
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct PciInfo
{
    char shortBusId[16];
    unsigned domain;
    unsigned bus;
    unsigned device;
    unsigned deviceId;
    unsigned subsystemId;
    char busId[32];
};

struct Utilization
{
    unsigned gpu;
    unsigned memory;
};

struct FieldValue
{
    unsigned fieldId;
    unsigned scopeId;
    long long timestamp;
    long long latencyUsec;
    int valueType;
    int answer;
    unsigned long long value;
};

constexpr int kUnsignedInt = 1; ///< types of values
constexpr int kUnsignedLongLong = 3;

/// Numbers of fields.
enum Field : unsigned {
    powerCapTime = 74,
    totalEnergy = 83,
    averagePower = 185,
    instantPower = 186,
    softwareHeatTime = 269,
    hardwareHeatTime = 270,
    powerBrakeTime = 271,
};

/// The time for which a limit held the clock back: all of it, when it is set.
unsigned long long heldBack(unsigned long long bit)
{
    return (settings().throttle & bit) != 0 ? static_cast<unsigned long long>(monotonicNow()) : 0;
}

/// Millijoules since the driver loaded: a base load, and what the work took.
unsigned long long millijoules(int gpu)
{
    constexpr double kPerJoule = 1e-9 * 1000;
    const double limit = settings().card->powerLimit;
    return static_cast<unsigned long long>(
        kPerJoule * (static_cast<double>(monotonicNow()) * limit / kShareOfIdlePower +
                     static_cast<double>(Board::machine().workedNanoseconds(gpu)) * limit * 7 / 10));
}

} // namespace

extern "C" {

int nvmlInit_v2()
{
    return ok;
}

int nvmlShutdown()
{
    return ok;
}

const char* nvmlErrorString(int answer)
{
    return answer == ok ? "Success" : answer == notSupported ? "Not Supported" : "Unknown Error";
}

int nvmlSystemGetDriverVersion(char* text, unsigned size)
{
    return copied(settings().driver, text, size);
}

int nvmlSystemGetCudaDriverVersion_v2(int* version)
{
    *version = settings().cuda;
    return ok;
}

int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = static_cast<unsigned>(settings().gpus);
    return ok;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle)
{
    if (index >= static_cast<unsigned>(settings().gpus))
        return invalidArgument;
    *handle = &gpuHandles[index];
    return ok;
}

int nvmlDeviceGetUUID(void* handle, char* text, unsigned size)
{
    std::string uuid = uuidText(gpuOf(handle));
    if (!isInstance(handle))
        uuid.replace(0, 3, "GPU");
    return copied(uuid, text, size);
}

int nvmlDeviceGetHandleByUUID(const char* text, void** handle)
{
    for (int gpu = 0; gpu < settings().gpus; ++gpu)
        if (uuidText(gpu) == text) {
            const auto index = static_cast<std::size_t>(gpu);
            *handle = split() ? &instanceHandles[index] : &gpuHandles[index];
            return ok;
        }
    return notFound;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* text, void** handle)
{
    for (int gpu = 0; gpu < settings().gpus; ++gpu)
        if (std::string(text).ends_with(busText(gpu).substr(4))) // domains are written with 4 or 8 digits
            return nvmlDeviceGetHandleByIndex_v2(static_cast<unsigned>(gpu), handle);
    return notFound;
}

int nvmlDeviceGetName(void* handle, char* text, unsigned size)
{
    return copied(isInstance(handle) ? deviceName() : settings().card->name, text, size);
}

int nvmlDeviceGetMemoryInfo(void* handle, Memory* memory)
{
    const int gpu = gpuOf(handle);
    memory->total = split() && !isInstance(handle) ? settings().card->memory : settings().memory;
    memory->used = kReserved + Board::machine().held(gpu) + (gpu == 0 ? settings().otherMemory : 0);
    memory->free = memory->total > memory->used ? memory->total - memory->used : 0;
    return ok;
}

int nvmlDeviceGetCudaComputeCapability(void*, int* major, int* minor)
{
    *major = settings().card->major;
    *minor = settings().card->minor;
    return ok;
}

int nvmlDeviceGetClockInfo(void* handle, int kind, unsigned* megahertz)
{
    constexpr int kMemory = 2;
    const Card& card = *settings().card;
    const int busy = settings().throttle != 0 ? card.mostClock * 3 / 4 : card.mostClock;
    *megahertz =
        kind == kMemory ? kClockOfMemory : static_cast<unsigned>(isAwake(gpuOf(handle)) ? busy : card.idleClock);
    return isInstance(handle) ? notSupported : ok;
}

int nvmlDeviceGetMaxClockInfo(void* handle, int kind, unsigned* megahertz)
{
    constexpr int kMemory = 2;
    *megahertz = kind == kMemory ? kClockOfMemory : static_cast<unsigned>(settings().card->mostClock);
    return isInstance(handle) ? notSupported : ok;
}

int nvmlDeviceGetPowerUsage(void* handle, unsigned* power)
{
    *power = milliwatts(gpuOf(handle));
    return isInstance(handle) ? notSupported : ok;
}

int nvmlDeviceGetPciInfo_v3(void* handle, PciInfo* info)
{
    *info = {};
    unsigned function = 0;
    const std::string text = busText(gpuOf(handle));
    std::sscanf(text.c_str(), "%x:%x:%x.%x", &info->domain, &info->bus, &info->device, &function);
    copied(text, info->busId, sizeof info->busId);
    return copied(text, info->shortBusId, sizeof info->shortBusId);
}

int nvmlDeviceGetEnforcedPowerLimit(void* handle, unsigned* power)
{
    *power = static_cast<unsigned>(settings().card->powerLimit) * 1000;
    return isInstance(handle) ? notSupported : ok;
}

int nvmlDeviceGetTemperature(void* handle, int, unsigned* degrees)
{
    constexpr unsigned kHot = 88;
    *degrees = settings().throttle & 0x60 ? kHot : working(gpuOf(handle)) ? 61 : 34;
    return isInstance(handle) ? notSupported : ok;
}

int nvmlDeviceGetTotalEnergyConsumption(void* handle, unsigned long long* energy)
{
    *energy = millijoules(gpuOf(handle));
    return isInstance(handle) ? notSupported : ok;
}

int nvmlDeviceGetCurrentClocksEventReasons(void* handle, unsigned long long* reasons)
{
    *reasons = settings().throttle;
    if (*reasons == 0 && !working(gpuOf(handle)))
        *reasons = kIdle;
    return isInstance(handle) ? notSupported : ok;
}

int nvmlDeviceGetUtilizationRates(void* handle, Utilization* rates)
{
    const int gpu = gpuOf(handle);
    const unsigned other = gpu == 0 ? static_cast<unsigned>(settings().otherLoad) : 0;
    rates->gpu = Board::machine().working(gpu, monotonicNow()) ? 100 : other;
    rates->memory = rates->gpu / 2;
    return isInstance(handle) ? notSupported : ok;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* handle, unsigned* count, Process* processes)
{
    return listUsers(handle, count, processes);
}

int nvmlDeviceGetComputeRunningProcesses(void* handle, unsigned* count, OldProcess* processes)
{
    return listUsers(handle, count, processes);
}

int nvmlDeviceGetNvLinkRemoteDeviceType(void*, unsigned, int*)
{
    return notSupported;
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(void*, unsigned, void*)
{
    return notSupported;
}

int nvmlDeviceGetGpuFabricInfoV(void*, void*)
{
    return notSupported;
}

int nvmlDeviceGetFieldValues(void* handle, int count, FieldValue* values)
{
    const int gpu = gpuOf(handle);
    for (int i = 0; i < count; ++i) {
        FieldValue& field = values[i];
        field.timestamp = monotonicNow() / 1000;
        field.valueType = kUnsignedLongLong;
        field.answer = isInstance(handle) ? notSupported : ok;
        switch (field.fieldId) {
        case powerCapTime:
            field.value = heldBack(0x4);
            break;
        case softwareHeatTime:
            field.value = heldBack(0x20);
            break;
        case hardwareHeatTime:
            field.value = heldBack(0x40);
            break;
        case powerBrakeTime:
            field.value = heldBack(0x80);
            break;
        case totalEnergy:
            field.value = millijoules(gpu);
            break;
        case averagePower:
        case instantPower:
            field.valueType = kUnsignedInt;
            field.value = milliwatts(gpu);
            break;
        default:
            field.answer = notSupported;
        }
    }
    return ok;
}

int nvmlDeviceGetMigMode(void* handle, unsigned* current, unsigned* pending)
{
    *current = *pending = split() && !isInstance(handle) ? 1 : 0;
    return settings().card->major >= 8 ? ok : notSupported;
}

int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count)
{
    *count = split() ? 1 : 0;
    return ok;
}

int nvmlDeviceGetMigDeviceHandleByIndex(void* handle, unsigned index, void** instance)
{
    if (!split() || index > 0)
        return notFound;
    *instance = &instanceHandles[static_cast<std::size_t>(gpuOf(handle))];
    return ok;
}

} // extern "C"
