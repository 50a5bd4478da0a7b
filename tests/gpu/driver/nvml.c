/* SPDX-License-Identifier: GPL-3.0-or-later
 * A libnvidia-ml.so.1 that shows one GPU. STANDIN_DRIVER is the driver's version, STANDIN_CUDA the CUDA that it runs. */
#include <stdio.h>
#include <stdlib.h>

static int gpu;

static int copied(const char* text, char* to, unsigned size)
{
    snprintf(to, size, "%s", text);
    return 0;
}

int nvmlInit_v2(void)
{
    return 0;
}

const char* nvmlErrorString(int status)
{
    return status == 0 ? "Success" : "Unknown Error";
}

int nvmlSystemGetDriverVersion(char* to, unsigned size)
{
    const char* const version = getenv("STANDIN_DRIVER");
    return copied(version ? version : "580.65.06", to, size);
}

int nvmlSystemGetCudaDriverVersion_v2(int* version)
{
    const char* const value = getenv("STANDIN_CUDA");
    *version = value ? atoi(value) : 13000;
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = 1;
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle)
{
    *handle = &gpu;
    return index == 0 ? 0 : 2;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, void** handle)
{
    (void)uuid;
    *handle = &gpu;
    return 0;
}

int nvmlDeviceGetName(void* handle, char* to, unsigned size)
{
    (void)handle;
    return copied("NVIDIA H200", to, size);
}

int nvmlDeviceGetUUID(void* handle, char* to, unsigned size)
{
    (void)handle;
    return copied("GPU-01020304-0506-0708-090a-0b0c0d0e0f10", to, size);
}

int nvmlDeviceGetMemoryInfo(void* handle, unsigned long long* totalFreeUsed)
{
    (void)handle;
    totalFreeUsed[0] = totalFreeUsed[1] = 150754820096ull;
    totalFreeUsed[2] = 0;
    return 0;
}

int nvmlDeviceGetCudaComputeCapability(void* handle, int* major, int* minor)
{
    (void)handle;
    *major = 9;
    *minor = 0;
    return 0;
}

int nvmlDeviceGetClockInfo(void* handle, int kind, unsigned* mhz)
{
    (void)handle;
    (void)kind;
    *mhz = 345;
    return 0;
}

int nvmlDeviceGetMaxClockInfo(void* handle, int kind, unsigned* mhz)
{
    (void)handle;
    (void)kind;
    *mhz = 1980;
    return 0;
}
