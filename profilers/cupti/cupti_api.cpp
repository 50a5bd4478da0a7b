// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/cupti_api.h"

#include "profilers/cupti/cupti_library.h"
#include "profilers/cupti/errors.h"

#include <dlfcn.h>
#include <link.h>

#include <set>
#include <string_view>

namespace apertune::profilers {

using base::Error;
using base::ErrorCode;

namespace {

constexpr const char* kName = "libcupti.so.13";
constexpr std::uint32_t kOldest = 130000; // the first version with the records of record_layout.h
/// The first version that may have other record layouts: they change only with the major version.
constexpr std::uint32_t kBeyond = 140000;

/// The files of CUPTI that are mapped into this process.
std::set<std::string> mappedCopies()
{
    std::set<std::string> files;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* user) {
            const std::string_view file = info->dlpi_name ? info->dlpi_name : "";
            if (file.substr(file.rfind('/') + 1).starts_with("libcupti.so"))
                static_cast<std::set<std::string>*>(user)->emplace(file);
            return 0;
        },
        &files);
    return files;
}

template <typename Function>
void bind(void* library, const char* name, Function& into, std::string* missing)
{
    into = reinterpret_cast<Function>(::dlsym(library, name));
    if (!into && missing)
        *missing += missing->empty() ? name : std::string(", ") + name;
}

base::Result<CuptiApi> bindCupti()
{
    void* const library = openCupti(kName, cuptiLibrary());
    if (!library)
        return Error{ErrorCode::notFound, base::message<cupti::errors::kNotFound>(), kName,
                     base::message<cupti::errors::kWhereFrom>()};
    const auto copies = mappedCopies();
    // Two copies of the library would each see a part of the calls.
    if (copies.size() > 1)
        return Error{ErrorCode::unsupported, base::message<cupti::errors::kTwoCopies>(),
                     *copies.begin() + ", " + *copies.rbegin(), base::message<cupti::errors::kOneOnPath>()};
    CuptiApi api;
    api.file = copies.empty() ? std::string() : *copies.begin();
    std::string missing;
    bind(library, "cuptiGetVersion", api.getVersion, &missing);
    bind(library, "cuptiGetResultString", api.getResultString, &missing);
    bind(library, "cuptiGetTimestamp", api.getTimestamp, &missing);
    bind(library, "cuptiGetCallbackName", api.getCallbackName, &missing);
    bind(library, "cuptiSubscribe_v2", api.subscribe, &missing);
    bind(library, "cuptiUnsubscribe", api.unsubscribe, &missing);
    bind(library, "cuptiSetThreadIdType", api.setThreadIdType, &missing);
    bind(library, "cuptiActivitySetAttribute", api.activitySetAttribute, &missing);
    bind(library, "cuptiActivityRegisterTimestampCallback", api.activityRegisterTimestampCallback, &missing);
    bind(library, "cuptiActivityRegisterCallbacks", api.activityRegisterCallbacks, &missing);
    bind(library, "cuptiActivityEnable", api.activityEnable, &missing);
    bind(library, "cuptiActivityDisable", api.activityDisable, &missing);
    bind(library, "cuptiActivityFlushAll", api.activityFlushAll, &missing);
    bind(library, "cuptiActivityGetNextRecord", api.activityGetNextRecord, &missing);
    bind(library, "cuptiActivityGetNumDroppedRecords", api.activityGetNumDroppedRecords, &missing);
    bind(library, "cuptiActivityPushExternalCorrelationId", api.activityPushExternalCorrelationId, &missing);
    bind(library, "cuptiActivityPopExternalCorrelationId", api.activityPopExternalCorrelationId, &missing);
    // The remaining functions are optional.
    bind(library, "cuptiActivityEnableAndDump", api.activityEnableAndDump, nullptr);
    bind(library, "cuptiActivityEnableRuntimeApi", api.activityEnableRuntimeApi, nullptr);
    bind(library, "cuptiActivityEnableDriverApi", api.activityEnableDriverApi, nullptr);
    bind(library, "cuptiActivityEnableAllSyncRecords", api.activityEnableAllSyncRecords, nullptr);
    bind(library, "cuptiActivityEnableAllocationSource", api.activityEnableAllocationSource, nullptr);
    bind(library, "cuptiEnableCallback", api.enableCallback, nullptr);
    if (!missing.empty())
        return Error{ErrorCode::unsupported, base::message<cupti::errors::kLacksFunctions>(), missing,
                     base::message<cupti::errors::kUseCuda13>()};
    std::uint32_t version = 0;
    api.getVersion(&version);
    // Records of other versions have another layout.
    if (version < kOldest || version >= kBeyond)
        return Error{ErrorCode::unsupported, base::message<cupti::errors::kOtherRecords>(version), kName,
                     base::message<cupti::errors::kUseCuda13>()};
    api.driverVersion = cudaDriverVersion();
    return api;
}

} // namespace

std::string resultText(decltype(&cuptiGetResultString) getResultString, CUptiResult result)
{
    const char* text = nullptr;
    if (getResultString && getResultString(result, &text) == CUPTI_SUCCESS && text)
        return text;
    return "CUPTI error " + std::to_string(static_cast<int>(result));
}

std::string CuptiApi::textOf(CUptiResult result) const
{
    return resultText(getResultString, result);
}

base::Result<CuptiApi> loadCupti()
{
    static const base::Result<CuptiApi> loaded = bindCupti();
    return loaded;
}

} // namespace apertune::profilers
