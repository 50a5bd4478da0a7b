// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apertune::standin {

constexpr int kMostGpus = 8;

/// The properties of a card that the stand-in simulates.
struct Card
{
    const char* word; ///< the value of STANDIN_GPU that selects it
    const char* name; ///< the name that the driver reports
    int major;        ///< compute capability
    int minor;
    int multiprocessors;
    std::uint64_t memory; ///< bytes
    int idleClock;        ///< MHz
    int mostClock;        ///< MHz
    double bandwidth;     ///< bytes of device memory a nanosecond
    int powerLimit;       ///< watts
};

/// The settings that the environment variables select. README.md describes each variable.
struct Settings
{
    const Card* card = nullptr;
    int gpus = 1;
    std::uint64_t memory = 0;         ///< bytes of each GPU, or of each MIG instance
    std::string mig;                  ///< the profile, "1g.18gb"; empty: the GPUs are not split
    std::string driver;               ///< "580.65.06"
    int cuda = 13000;                 ///< CUDA version of the driver: 12080 is CUDA 12.8
    int initialization = 0;           ///< the answer of cuInit
    std::uint64_t otherMemory = 0;    ///< bytes that another process holds on GPU 0
    int otherLoad = 0;                ///< percent of GPU 0 that another process uses
    unsigned long long throttle = 0;  ///< bits of NVML's clock event reasons
    std::uint64_t failAllocation = 0; ///< the number of the first allocation that fails; 0: none does
    std::uint64_t faultLaunch = 0;    ///< the number of the launch that ends in error 700; 0: none
    std::uint64_t breakCapture = 0;   ///< the number of the captured operation that invalidates a capture; 0: none
    std::uint64_t dropRecord = 0;     ///< every n-th record is dropped; 0: none
    std::size_t bufferRecords = 1000; ///< the most records in one of CUPTI's buffers
    std::uint32_t cupti = 0;          ///< the version that CUPTI reports; 0: that of the real library
    std::string subscriber;           ///< the tool that is subscribed to CUPTI already
    bool spin = false;                ///< waiting uses processor time, as CUDA's default does
    bool sleep = false;               ///< nothing uses processor time: waits sleep, launches use GPU time
    std::int64_t launchCost = 2500;   ///< ns for each launch, of the processor unless `sleep`
    std::int64_t kernelTime = 2000;   ///< ns of the GPU for the smallest kernel
    std::string state;                ///< the file that all processes of one machine share
    std::string tally; ///< the folder for the counts of each process (tally.h); empty: nothing is written
};

/// Returns the settings; the first call reads the environment.
const Settings& settings();

/// Returns the GPUs that CUDA_VISIBLE_DEVICES lists, in its order, or all GPUs without it. An entry that matches no GPU
/// ends the list, as in CUDA.
std::vector<int> visibleGpus();

/// Returns the 16 bytes of the UUID of a GPU or MIG instance.
std::array<unsigned char, 16> uuidOf(int gpu);

/// Returns "GPU-01020304-…", or "MIG-…" for an instance.
std::string uuidText(int gpu);

} // namespace apertune::standin
