// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pins the parameter blocks that CUPTI is called with, as record_layout.h pins its records.
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <cstddef>

// CUPTI's size of a parameter block ends with its last field, without padding.
#define APERTUNE_AT(type, field, bytes) static_assert(offsetof(type, field) == (bytes), #type "::" #field " has moved")
#define APERTUNE_STRUCT(type, bytes) static_assert(type##_STRUCT_SIZE == (bytes), #type " has another size")

APERTUNE_STRUCT(CUpti_Profiler_Initialize_Params, 16);
APERTUNE_STRUCT(CUpti_Profiler_DeInitialize_Params, 16);
APERTUNE_STRUCT(CUpti_Device_GetChipName_Params, 32);
APERTUNE_STRUCT(CUpti_Profiler_DeviceSupported_Params, 52);
APERTUNE_STRUCT(CUpti_Profiler_GetCounterAvailability_Params, 40);
APERTUNE_STRUCT(CUpti_Profiler_Host_Initialize_Params, 48);
APERTUNE_STRUCT(CUpti_Profiler_Host_Deinitialize_Params, 24);
APERTUNE_STRUCT(CUpti_Profiler_Host_ConfigAddMetrics_Params, 40);
APERTUNE_STRUCT(CUpti_Profiler_Host_GetConfigImageSize_Params, 32);
APERTUNE_STRUCT(CUpti_Profiler_Host_GetConfigImage_Params, 40);
APERTUNE_STRUCT(CUpti_Profiler_Host_GetNumOfPasses_Params, 40);
APERTUNE_STRUCT(CUpti_Profiler_Host_EvaluateToGpuValues_Params, 72);
APERTUNE_STRUCT(CUpti_Profiler_Host_GetSupportedChips_Params, 32);
APERTUNE_STRUCT(CUpti_PmSampling_Enable_Params, 32);
APERTUNE_STRUCT(CUpti_PmSampling_Disable_Params, 24);
APERTUNE_STRUCT(CUpti_PmSampling_SetConfig_Params, 64);
APERTUNE_STRUCT(CUpti_PmSampling_Start_Params, 24);
APERTUNE_STRUCT(CUpti_PmSampling_Stop_Params, 24);
APERTUNE_STRUCT(CUpti_PmSampling_DecodeData_Params, 45);
APERTUNE_STRUCT(CUpti_PmSampling_GetCounterAvailability_Params, 40);
APERTUNE_STRUCT(CUpti_PmSampling_GetCounterDataSize_Params, 56);
APERTUNE_STRUCT(CUpti_PmSampling_CounterDataImage_Initialize_Params, 40);
APERTUNE_STRUCT(CUpti_PmSampling_GetCounterDataInfo_Params, 56);
APERTUNE_STRUCT(CUpti_PmSampling_CounterData_GetSampleInfo_Params, 64);
APERTUNE_STRUCT(CUpti_RangeProfiler_Enable_Params, 32);
APERTUNE_STRUCT(CUpti_RangeProfiler_Disable_Params, 24);
APERTUNE_STRUCT(CUpti_RangeProfiler_SetConfig_Params, 90);
APERTUNE_STRUCT(CUpti_RangeProfiler_Start_Params, 24);
APERTUNE_STRUCT(CUpti_RangeProfiler_Stop_Params, 41);
APERTUNE_STRUCT(CUpti_RangeProfiler_DecodeData_Params, 32);
APERTUNE_STRUCT(CUpti_RangeProfiler_GetCounterDataSize_Params, 64);
APERTUNE_STRUCT(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, 40);
APERTUNE_STRUCT(CUpti_RangeProfiler_GetCounterDataInfo_Params, 40);
APERTUNE_STRUCT(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params, 56);
APERTUNE_AT(CUpti_Profiler_DeviceSupported_Params, isSupported, 20);
APERTUNE_AT(CUpti_Profiler_DeviceSupported_Params, api, 48);
APERTUNE_AT(CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues, 64);
APERTUNE_AT(CUpti_PmSampling_SetConfig_Params, samplingInterval, 48);
APERTUNE_AT(CUpti_PmSampling_SetConfig_Params, hwBufferAppendMode, 60);
APERTUNE_AT(CUpti_PmSampling_DecodeData_Params, decodeStopReason, 40);
APERTUNE_AT(CUpti_PmSampling_DecodeData_Params, overflow, 44);
APERTUNE_AT(CUpti_PmSampling_GetCounterDataInfo_Params, numCompletedSamples, 48);
APERTUNE_AT(CUpti_PmSampling_CounterData_GetSampleInfo_Params, startTimestamp, 48);
APERTUNE_AT(CUpti_RangeProfiler_SetConfig_Params, range, 56);
APERTUNE_AT(CUpti_RangeProfiler_SetConfig_Params, replayMode, 60);
APERTUNE_AT(CUpti_RangeProfiler_SetConfig_Params, targetNestingLevel, 88);
APERTUNE_AT(CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted, 40);

#undef APERTUNE_STRUCT
#undef APERTUNE_AT
