// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pins the layout of the records that the decoder reads. A header that moves a field fails to compile here instead of
// giving wrong numbers at run time. Sizes and offsets are those of CUPTI 13.0 on 64-bit Linux.
#include <cupti.h>

#include <cstddef>

#define APERTUNE_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type " has another size")
#define APERTUNE_AT(type, field, bytes) static_assert(offsetof(type, field) == (bytes), #type "::" #field " has moved")

APERTUNE_SIZE(CUpti_ActivityKernel10, 216);
APERTUNE_AT(CUpti_ActivityKernel10, registersPerThread, 6);
APERTUNE_AT(CUpti_ActivityKernel10, start, 16);
APERTUNE_AT(CUpti_ActivityKernel10, end, 24);
APERTUNE_AT(CUpti_ActivityKernel10, completed, 32);
APERTUNE_AT(CUpti_ActivityKernel10, deviceId, 40);
APERTUNE_AT(CUpti_ActivityKernel10, contextId, 44);
APERTUNE_AT(CUpti_ActivityKernel10, streamId, 48);
APERTUNE_AT(CUpti_ActivityKernel10, gridX, 52);
APERTUNE_AT(CUpti_ActivityKernel10, blockX, 64);
APERTUNE_AT(CUpti_ActivityKernel10, staticSharedMemory, 76);
APERTUNE_AT(CUpti_ActivityKernel10, dynamicSharedMemory, 80);
APERTUNE_AT(CUpti_ActivityKernel10, localMemoryPerThread, 84);
APERTUNE_AT(CUpti_ActivityKernel10, correlationId, 92);
APERTUNE_AT(CUpti_ActivityKernel10, gridId, 96);
APERTUNE_AT(CUpti_ActivityKernel10, name, 104);
APERTUNE_AT(CUpti_ActivityKernel10, launchType, 136);
APERTUNE_AT(CUpti_ActivityKernel10, graphNodeId, 144);
APERTUNE_AT(CUpti_ActivityKernel10, graphId, 156);
APERTUNE_AT(CUpti_ActivityKernel10, channelID, 168);
APERTUNE_AT(CUpti_ActivityKernel10, clusterX, 176);
APERTUNE_AT(CUpti_ActivityKernel10, maxActiveClusters, 204);

APERTUNE_SIZE(CUpti_ActivityMemcpy6, 96);
APERTUNE_AT(CUpti_ActivityMemcpy6, copyKind, 4);
APERTUNE_AT(CUpti_ActivityMemcpy6, srcKind, 5);
APERTUNE_AT(CUpti_ActivityMemcpy6, dstKind, 6);
APERTUNE_AT(CUpti_ActivityMemcpy6, flags, 7);
APERTUNE_AT(CUpti_ActivityMemcpy6, bytes, 8);
APERTUNE_AT(CUpti_ActivityMemcpy6, start, 16);
APERTUNE_AT(CUpti_ActivityMemcpy6, deviceId, 32);
APERTUNE_AT(CUpti_ActivityMemcpy6, correlationId, 44);
APERTUNE_AT(CUpti_ActivityMemcpy6, graphNodeId, 64);
APERTUNE_AT(CUpti_ActivityMemcpy6, graphId, 72);

APERTUNE_SIZE(CUpti_ActivityMemcpyPtoP4, 96);
APERTUNE_AT(CUpti_ActivityMemcpyPtoP4, bytes, 8);
APERTUNE_AT(CUpti_ActivityMemcpyPtoP4, srcDeviceId, 44);
APERTUNE_AT(CUpti_ActivityMemcpyPtoP4, dstDeviceId, 52);
APERTUNE_AT(CUpti_ActivityMemcpyPtoP4, correlationId, 60);

APERTUNE_SIZE(CUpti_ActivityMemset4, 88);
APERTUNE_AT(CUpti_ActivityMemset4, value, 4);
APERTUNE_AT(CUpti_ActivityMemset4, bytes, 8);
APERTUNE_AT(CUpti_ActivityMemset4, start, 16);
APERTUNE_AT(CUpti_ActivityMemset4, memoryKind, 50);

APERTUNE_SIZE(CUpti_ActivityAPI, 40);
APERTUNE_AT(CUpti_ActivityAPI, cbid, 4);
APERTUNE_AT(CUpti_ActivityAPI, start, 8);
APERTUNE_AT(CUpti_ActivityAPI, end, 16);
APERTUNE_AT(CUpti_ActivityAPI, threadId, 28);
APERTUNE_AT(CUpti_ActivityAPI, correlationId, 32);
APERTUNE_AT(CUpti_ActivityAPI, returnValue, 36);

APERTUNE_SIZE(CUpti_ActivityMemory4, 128);
APERTUNE_AT(CUpti_ActivityMemory4, memoryOperationType, 4);
APERTUNE_AT(CUpti_ActivityMemory4, memoryKind, 8);
APERTUNE_AT(CUpti_ActivityMemory4, address, 16);
APERTUNE_AT(CUpti_ActivityMemory4, bytes, 24);
APERTUNE_AT(CUpti_ActivityMemory4, timestamp, 32);
APERTUNE_AT(CUpti_ActivityMemory4, deviceId, 52);
APERTUNE_AT(CUpti_ActivityMemory4, name, 64);

APERTUNE_SIZE(CUpti_ActivityMemoryPool3, 80);
APERTUNE_AT(CUpti_ActivityMemoryPool3, memoryPoolOperationType, 4);
APERTUNE_AT(CUpti_ActivityMemoryPool3, deviceId, 20);
APERTUNE_AT(CUpti_ActivityMemoryPool3, size, 40);
APERTUNE_AT(CUpti_ActivityMemoryPool3, timestamp, 56);

APERTUNE_SIZE(CUpti_ActivitySynchronization2, 56);
APERTUNE_AT(CUpti_ActivitySynchronization2, start, 8);
APERTUNE_AT(CUpti_ActivitySynchronization2, correlationId, 24);
APERTUNE_AT(CUpti_ActivitySynchronization2, returnValue, 48);

APERTUNE_SIZE(CUpti_ActivityCudaEvent2, 56);
APERTUNE_AT(CUpti_ActivityCudaEvent2, eventId, 16);
APERTUNE_AT(CUpti_ActivityCudaEvent2, deviceId, 24);
APERTUNE_AT(CUpti_ActivityCudaEvent2, deviceTimestamp, 40);

APERTUNE_SIZE(CUpti_ActivityStream, 24);
APERTUNE_SIZE(CUpti_ActivityContext3, 32);
APERTUNE_AT(CUpti_ActivityContext3, deviceId, 8);
APERTUNE_SIZE(CUpti_ActivityDevice5, 184);
APERTUNE_AT(CUpti_ActivityDevice5, id, 112);
APERTUNE_AT(CUpti_ActivityDevice5, name, 136);

APERTUNE_SIZE(CUpti_ActivityOverhead3, 56);
APERTUNE_AT(CUpti_ActivityOverhead3, overheadKind, 4);
APERTUNE_AT(CUpti_ActivityOverhead3, start, 24);
APERTUNE_AT(CUpti_ActivityOverhead3, overheadData, 48);

APERTUNE_SIZE(CUpti_ActivityMarker2, 56);
APERTUNE_AT(CUpti_ActivityMarker2, flags, 4);
APERTUNE_AT(CUpti_ActivityMarker2, timestamp, 8);
APERTUNE_AT(CUpti_ActivityMarker2, id, 16);
APERTUNE_AT(CUpti_ActivityMarker2, name, 40);
APERTUNE_SIZE(CUpti_ActivityMarkerData2, 40);
APERTUNE_SIZE(CUpti_ActivityName, 32);
APERTUNE_AT(CUpti_ActivityName, name, 24);

APERTUNE_SIZE(CUpti_ActivityExternalCorrelation, 24);
APERTUNE_AT(CUpti_ActivityExternalCorrelation, externalId, 8);
APERTUNE_AT(CUpti_ActivityExternalCorrelation, correlationId, 16);

APERTUNE_SIZE(CUpti_ActivityGraphTrace2, 56);
APERTUNE_AT(CUpti_ActivityGraphTrace2, correlationId, 4);
APERTUNE_AT(CUpti_ActivityGraphTrace2, start, 8);
APERTUNE_AT(CUpti_ActivityGraphTrace2, graphId, 28);
APERTUNE_AT(CUpti_ActivityGraphTrace2, streamId, 36);

APERTUNE_SIZE(CUpti_ActivityJit2, 72);
APERTUNE_AT(CUpti_ActivityJit2, start, 16);
APERTUNE_AT(CUpti_ActivityJit2, threadId, 68);
APERTUNE_SIZE(CUpti_ActivityUnifiedMemoryCounter3, 104);
APERTUNE_AT(CUpti_ActivityUnifiedMemoryCounter3, value, 8);
APERTUNE_AT(CUpti_ActivityUnifiedMemoryCounter3, start, 16);
APERTUNE_SIZE(CUpti_ActivityEnvironment, 40);
APERTUNE_AT(CUpti_ActivityEnvironment, timestamp, 8);
APERTUNE_AT(CUpti_ActivityEnvironment, data, 20);
APERTUNE_SIZE(CUpti_ActivityMemDecompress, 64);
APERTUNE_AT(CUpti_ActivityMemDecompress, start, 48);
APERTUNE_SIZE(CUpti_ActivityPcie, 168);
APERTUNE_AT(CUpti_ActivityPcie, linkRate, 18);
APERTUNE_SIZE(CUpti_ActivityNvLink4, 136);
APERTUNE_SIZE(CUpti_ActivityConfidentialComputeRotation, 32);

#undef APERTUNE_SIZE
#undef APERTUNE_AT
