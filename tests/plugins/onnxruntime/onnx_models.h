// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// ONNX files and artifacts around them, written byte by byte: the tests need no Python.
namespace apertune::test {

/// Two blocks of convolution, batch norm and ReLU, then pooling and a matrix product: x [N, 3, 16, 16] -> y [N, 10].
/// `batch` 0: any.
std::string convolutionModel(std::int64_t batch = 0);

/// A convolution that is quantized: between QuantizeLinear and DequantizeLinear, int8 weights. x [N, 3, 16, 16] -> y
/// [N, 16, 16, 16].
std::string quantizedModel();

/// Two long branches of element-wise work that do not need each other, added at the end: x [N, 64] -> y [N, 64].
std::string branchesModel();

/// One operator of this type on x [N, 64].
std::string singleOperatorModel(const std::string& type);

/// x [N, 64] converted to an element type of ONNX (10 float16, 16 bfloat16, 6 int32, …): y [N, 64].
std::string castModel(int type);

struct ArtifactInput
{
    std::string name = "x";
    std::string dtype = "float32";
    std::vector<std::int64_t> shape{1, 3, 16, 16}; ///< the batch dimension is the first
    int samples = 4;
};

/// Writes an artifact folder below artifacts() with this ONNX file and returns its path. An empty model: none.
std::string makeArtifact(const std::string& name, const std::string& onnx,
                         const std::vector<ArtifactInput>& inputs = {{}});

/// Path of the library that the tests run against: in APERTUNE_ENGINES or the engines' environment. Empty: none.
const std::string& realLibrary();

} // namespace apertune::test

/// The first line of a test that needs the engine itself. The thread sanitizer cannot see how the threads of a
/// library that it did not build wait for each other.
#ifdef __SANITIZE_THREAD__
#define NEEDS_ONNXRUNTIME() GTEST_SKIP() << "the thread sanitizer does not see into the engine"
#else
#define NEEDS_ONNXRUNTIME()                                                                                            \
    if (apertune::test::realLibrary().empty())                                                                         \
    GTEST_SKIP() << "ONNX Runtime is not installed: make setup"
#endif
