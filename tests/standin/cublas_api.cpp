// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of cuBLAS and cuBLASLt that inference with LibTorch calls: products of matrices, which take the time
// that their sizes need. Solvers of equations are not here.
#include "tests/standin/library_call.h"
#include "tests/standin/machine.h"

#include <cublasLt.h>
#include <cublas_v2.h>

#include <cstdint>

using namespace apertune::standin; // this file holds nothing but functions of cuBLAS

namespace {

struct Handle
{
    cudaStream_t stream = nullptr;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

struct Layout
{
    cudaDataType type;
    std::uint64_t rows;
    std::uint64_t columns;
    std::int32_t batch = 1;
};

struct Product
{
    cublasComputeType_t arithmetic;
};

struct Preference
{
};

Handle& of(cublasHandle_t handle)
{
    return *reinterpret_cast<Handle*>(handle);
}

Layout& of(cublasLtMatrixLayout_t layout)
{
    return *reinterpret_cast<Layout*>(layout);
}

Arithmetic arithmeticOf(cudaDataType type, bool tf32)
{
    return type == CUDA_R_32F   ? (tf32 ? Arithmetic::tf32 : Arithmetic::fp32)
           : type == CUDA_R_64F ? Arithmetic::fp32
                                : Arithmetic::half;
}

cublasStatus_t multiply(cudaStream_t stream, double operations, Arithmetic arithmetic)
{
    const char* const name = arithmetic == Arithmetic::half ? "sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64"
                             : arithmetic == Arithmetic::tf32
                                 ? "sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32"
                                 : "ampere_sgemm_128x64_tn";
    return launchLibraryKernel(name, operations, arithmetic, stream) == success ? CUBLAS_STATUS_SUCCESS
                                                                                : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t multiply(cublasHandle_t handle, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
                        cudaDataType type)
{
    const bool tf32 = (of(handle).math & CUBLAS_TF32_TENSOR_OP_MATH) != 0;
    return multiply(of(handle).stream,
                    2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
                        static_cast<double>(batch),
                    arithmeticOf(type, tf32));
}

} // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle)
{
    *handle = reinterpret_cast<cublasHandle_t>(new Handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    delete &of(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    of(handle).stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, std::size_t)
{
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    of(handle).math = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode)
{
    *mode = of(handle).math;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode)
{
    of(handle).pointers = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode)
{
    *mode = of(handle).pointers;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                              const float*, const float*, int, const float*, int, const float*, float*, int)
{
    return multiply(handle, m, n, k, 1, CUDA_R_32F);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                             const float*, const void*, cudaDataType type, int, const void*, cudaDataType, int,
                             const float*, void*, cudaDataType, int)
{
    return multiply(handle, m, n, k, 1, type);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                            const void*, const void*, cudaDataType type, int, const void*, cudaDataType, int,
                            const void*, void*, cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t)
{
    return multiply(handle, m, n, k, 1, type);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t, cublasOperation_t, int m, int n,
                                         int k, const float*, const float*, int, long long, const float*, int,
                                         long long, const float*, float*, int, long long, int batch)
{
    return multiply(handle, m, n, k, batch, CUDA_R_32F);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t, cublasOperation_t, int m, int n,
                                          int k, const void*, const void*, cudaDataType type, int, long long,
                                          const void*, cudaDataType, int, long long, const void*, void*, cudaDataType,
                                          int, long long, int batch, cublasComputeType_t, cublasGemmAlgo_t)
{
    return multiply(handle, m, n, k, batch, type);
}

cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t, int m, int n, const float*, const float*, int,
                              const float*, int, const float*, float*, int)
{
    return multiply(handle, m, 1, n, 1, CUDA_R_32F);
}

// --- cuBLASLt --------------------------------------------------------------------------------------------------------

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t arithmetic, cudaDataType_t)
{
    *product = reinterpret_cast<cublasLtMatmulDesc_t>(new Product{arithmetic});
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product)
{
    delete reinterpret_cast<Product*>(product);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, const void*,
                                              std::size_t)
{
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t)
{
    *layout = reinterpret_cast<cublasLtMatrixLayout_t>(new Layout{type, rows, columns});
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    delete &of(layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t which,
                                                const void* value, std::size_t)
{
    if (which == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
        of(layout).batch = *static_cast<const std::int32_t*>(value);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference)
{
    *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new Preference);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    delete reinterpret_cast<Preference*>(preference);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, std::size_t)
{
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int, cublasLtMatmulHeuristicResult_t* found,
                                              int* count)
{
    found[0] = {};
    found[0].state = CUBLAS_STATUS_SUCCESS;
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t product, const void*, const void*,
                              cublasLtMatrixLayout_t a, const void*, cublasLtMatrixLayout_t, const void*, const void*,
                              cublasLtMatrixLayout_t, void*, cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t*,
                              void*, std::size_t, cudaStream_t stream)
{
    const Layout& result = of(d);
    const double size = static_cast<double>(of(a).rows) * static_cast<double>(of(a).columns);
    const double inner = size / static_cast<double>(result.rows);
    const bool tf32 = reinterpret_cast<Product*>(product)->arithmetic == CUBLAS_COMPUTE_32F_FAST_TF32;
    return multiply(stream,
                    2 * static_cast<double>(result.rows) * static_cast<double>(result.columns) * inner * result.batch,
                    arithmeticOf(of(a).type, tf32));
}

} // extern "C"
