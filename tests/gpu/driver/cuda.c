/* SPDX-License-Identifier: GPL-3.0-or-later
 * A libcuda.so.1 that has no GPU and refuses as a driver does: what STANDIN_CUDA (12080 for 12.8) and STANDIN_CUINIT
 * (the error of cuInit) say. CUDA's runtime asks it no more than this before it gives up. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    success = 0,
    notFound = 500,
};

static int setting(const char* name, int otherwise)
{
    const char* const value = getenv(name);
    return value ? atoi(value) : otherwise;
}

int cuInit(unsigned flags)
{
    (void)flags;
    return setting("STANDIN_CUINIT", 100); /* no device */
}

int cuDriverGetVersion(int* version)
{
    *version = setting("STANDIN_CUDA", 13000);
    return success;
}

int cuGetExportTable(const void** table, const void* id)
{
    (void)table;
    (void)id;
    return notFound;
}

int cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long long flags, void* status)
{
    (void)version;
    (void)flags;
    (void)status;
    /* Newer forms of a function have its name with a suffix. */
    char newer[128];
    snprintf(newer, sizeof newer, "%s_v2", name);
    void* const here = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    *function = here ? dlsym(here, newer) : NULL;
    if (here && !*function)
        *function = dlsym(here, name);
    return *function ? success : notFound;
}
