// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/settings.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace apertune::standin {

namespace {

constexpr std::uint64_t kGibibyte = 1ULL << 30;

constexpr std::array kCards{
    Card{"h200", "NVIDIA H200", 9, 0, 132, 150'754'820'096ULL, 345, 1980, 4800, 700},
    Card{"a100", "NVIDIA A100-SXM4-40GB", 8, 0, 108, 42'297'786'368ULL, 210, 1410, 1555, 400},
    Card{"t4", "Tesla T4", 7, 5, 40, 15'655'829'504ULL, 300, 1590, 320, 70},
    Card{"v100", "Tesla V100-SXM2-16GB", 7, 0, 80, 16'935'682'048ULL, 135, 1530, 900, 300},
};

struct Limit
{
    const char* word;
    unsigned long long bit; ///< its bit in NVML's clock event reasons
};

constexpr std::array kLimits{Limit{"power", 0x4}, Limit{"hardware", 0x8}, Limit{"heat", 0x20},
                             Limit{"hardware-heat", 0x40}, Limit{"power-brake", 0x80}};

/// The CUDA that each branch of the driver runs.
struct Branch
{
    int driver;
    int cuda;
};

constexpr std::array kBranches{Branch{470, 11040}, Branch{525, 12000}, Branch{535, 12020},
                               Branch{550, 12040}, Branch{570, 12080}, Branch{580, 13000}};

std::string text(const char* name, const char* otherwise = "")
{
    const char* const value = std::getenv(name);
    return value ? value : otherwise;
}

/// A number, with K, M, G or T for powers of 1024.
std::uint64_t number(const char* name, std::uint64_t otherwise)
{
    const std::string value = text(name);
    if (value.empty())
        return otherwise;
    char* end = nullptr;
    const double count = std::strtod(value.c_str(), &end);
    const std::size_t power = std::string_view(" KMGT").find(*end ? *end : ' ');
    return static_cast<std::uint64_t>(count *
                                      static_cast<double>(1ULL << (10 * (power == std::string::npos ? 0 : power))));
}

const Card& cardOf(const std::string& word)
{
    const auto* const found =
        std::find_if(kCards.begin(), kCards.end(), [&](const Card& card) { return word == card.word; });
    return found == kCards.end() ? kCards.front() : *found;
}

int cudaOf(const std::string& driver)
{
    int cuda = kBranches.front().cuda;
    for (const Branch& branch : kBranches)
        if (std::atoi(driver.c_str()) >= branch.driver)
            cuda = branch.cuda;
    return cuda;
}

unsigned long long limitsOf(const std::string& words)
{
    unsigned long long bits = 0;
    for (const Limit& limit : kLimits)
        if (("," + words + ",").find("," + std::string(limit.word) + ",") != std::string::npos)
            bits |= limit.bit;
    return bits;
}

/// The memory of a profile: 18 GiB of "1g.18gb".
std::uint64_t memoryOf(const std::string& profile)
{
    const std::size_t dot = profile.find('.');
    return dot == std::string::npos ? 0 : std::strtoull(profile.c_str() + dot + 1, nullptr, 10) * kGibibyte;
}

std::string defaultState()
{
    return text("TMPDIR", "/tmp") + "/apertune-standin-" + std::to_string(::getuid());
}

Settings read()
{
    Settings s;
    s.card = &cardOf(text("STANDIN_GPU"));
    s.gpus = static_cast<int>(std::min<std::uint64_t>(number("STANDIN_GPUS", 1), kMostGpus));
    s.mig = text("STANDIN_MIG");
    s.memory = number("STANDIN_MEMORY", s.mig.empty() ? s.card->memory : memoryOf(s.mig));
    s.driver = text("STANDIN_DRIVER", "580.65.06");
    s.cuda = static_cast<int>(number("STANDIN_CUDA", static_cast<std::uint64_t>(cudaOf(s.driver))));
    s.initialization = static_cast<int>(number("STANDIN_CUINIT", 0));
    s.otherMemory = number("STANDIN_OTHER_MEMORY", 0);
    s.otherLoad = static_cast<int>(number("STANDIN_OTHER_LOAD", 0));
    s.throttle = limitsOf(text("STANDIN_THROTTLE"));
    s.failAllocation = number("STANDIN_FAIL_ALLOCATION", 0);
    s.faultLaunch = number("STANDIN_FAULT_LAUNCH", 0);
    s.breakCapture = number("STANDIN_BREAK_CAPTURE", 0);
    s.dropRecord = number("STANDIN_DROP_RECORD", 0);
    s.bufferRecords = number("STANDIN_BUFFER_RECORDS", 1000);
    s.cupti = static_cast<std::uint32_t>(number("STANDIN_CUPTI", 0));
    s.subscriber = text("STANDIN_SUBSCRIBER");
    s.spin = text("STANDIN_WAIT") == "spin";
    s.sleep = text("STANDIN_WAIT") == "sleep";
    s.launchCost = static_cast<std::int64_t>(number("STANDIN_LAUNCH_NS", 2500));
    s.kernelTime = static_cast<std::int64_t>(number("STANDIN_KERNEL_NS", 2000));
    s.state = text("STANDIN_STATE", defaultState().c_str());
    s.tally = text("STANDIN_TALLY");
    return s;
}

} // namespace

const Settings& settings()
{
    static const Settings kRead = read();
    return kRead;
}

std::vector<int> visibleGpus()
{
    std::vector<int> gpus;
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    for (int gpu = 0; !visible && gpu < settings().gpus; ++gpu)
        gpus.push_back(gpu);
    std::stringstream words(visible ? visible : "");
    for (std::string word; std::getline(words, word, ',');) {
        int found = -1;
        for (int gpu = 0; gpu < settings().gpus; ++gpu)
            if (word == std::to_string(gpu) || (word.size() > 4 && uuidText(gpu).starts_with(word)))
                found = gpu;
        if (found < 0)
            break;
        gpus.push_back(found);
    }
    return gpus;
}

std::array<unsigned char, 16> uuidOf(int gpu)
{
    std::array<unsigned char, 16> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<unsigned char>(i + 1);
    bytes.back() = static_cast<unsigned char>(bytes.back() + gpu);
    return bytes;
}

std::string uuidText(int gpu)
{
    std::string result = settings().mig.empty() ? "GPU" : "MIG";
    const auto bytes = uuidOf(gpu);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            result += '-';
        std::array<char, 3> hex{};
        std::snprintf(hex.data(), hex.size(), "%02x", bytes[i]);
        result += hex.data();
    }
    return result;
}

} // namespace apertune::standin
