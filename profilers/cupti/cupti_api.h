// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cupti.h>

#include <cstdint>
#include <string>

namespace apertune::profilers {

/// The functions of CUPTI that a recording needs. They are bound at run time, because the library comes with LibTorch
/// or a toolkit, never with Apertune. Tests fill in a table of their own.
struct CuptiApi
{
    // NOLINTBEGIN: named as the library names its functions, without the prefix cupti
    decltype(&cuptiGetVersion) getVersion = nullptr;
    decltype(&cuptiGetResultString) getResultString = nullptr;
    decltype(&cuptiGetTimestamp) getTimestamp = nullptr;
    decltype(&cuptiGetCallbackName) getCallbackName = nullptr;
    decltype(&cuptiSubscribe_v2) subscribe = nullptr;
    decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
    decltype(&cuptiSetThreadIdType) setThreadIdType = nullptr;
    decltype(&cuptiActivitySetAttribute) activitySetAttribute = nullptr;
    decltype(&cuptiActivityRegisterTimestampCallback) activityRegisterTimestampCallback = nullptr;
    decltype(&cuptiActivityRegisterCallbacks) activityRegisterCallbacks = nullptr;
    decltype(&cuptiActivityEnable) activityEnable = nullptr;
    decltype(&cuptiActivityDisable) activityDisable = nullptr;
    decltype(&cuptiActivityFlushAll) activityFlushAll = nullptr;
    decltype(&cuptiActivityGetNextRecord) activityGetNextRecord = nullptr;
    decltype(&cuptiActivityGetNumDroppedRecords) activityGetNumDroppedRecords = nullptr;
    decltype(&cuptiActivityPushExternalCorrelationId) activityPushExternalCorrelationId = nullptr;
    decltype(&cuptiActivityPopExternalCorrelationId) activityPopExternalCorrelationId = nullptr;
    // Optional functions. Without one of them a recording has fewer or more records than it should.
    decltype(&cuptiActivityEnableAndDump) activityEnableAndDump = nullptr;
    decltype(&cuptiActivityEnableRuntimeApi) activityEnableRuntimeApi = nullptr;
    decltype(&cuptiActivityEnableDriverApi) activityEnableDriverApi = nullptr;
    decltype(&cuptiActivityEnableAllSyncRecords) activityEnableAllSyncRecords = nullptr;
    decltype(&cuptiActivityEnableAllocationSource) activityEnableAllocationSource = nullptr;
    decltype(&cuptiEnableCallback) enableCallback = nullptr;
    // NOLINTEND

    std::string file;      ///< the library's path; empty in a table that a test fills
    int driverVersion = 0; ///< result of cudaDriverVersion()

    /// Returns the name of a result, "CUPTI_ERROR_…", or its number.
    std::string textOf(CUptiResult result) const;
};

/// Returns CUPTI's name of a result, "CUPTI_ERROR_…", or its number when `getResultString` is null.
std::string resultText(decltype(&cuptiGetResultString) getResultString, CUptiResult result);

/// Opens CUPTI with openCupti() and the file that setCuptiLibrary() named. It is loaded once and kept.
///
/// Failures: notFound (no library), unsupported (two copies in the process, or not CUPTI 13).
base::Result<CuptiApi> loadCupti();

} // namespace apertune::profilers
