# SPDX-License-Identifier: GPL-3.0-or-later
# LibTorch as the torch wheel ships it, and the CUDA and CUPTI headers that go with it.
#
# Own imported targets instead of TorchConfig.cmake, which on a CUDA wheel enables the CUDA
# language, wants a full toolkit and drags its compile flags along.
#
#   find_package(TorchWheel [REQUIRED])
#
# Reads
#   APERTUNE_TORCH_ROOT   cache path of the torch package (…/site-packages/torch). When empty it is
#                         looked up: environment APERTUNE_TORCH (that folder, its lib folder, or a
#                         Python environment holding it), then the environment `make setup` made.
#   APERTUNE_CUDA_INCLUDE cache path of the CUDA headers. When empty: those of the wheels, which
#                         match LibTorch to the patch level, else $CUDA_HOME, else /usr/local/cuda.
# Sets
#   TorchWheel_FOUND  TorchWheel_VERSION  TorchWheel_CUDA_VERSION (empty for a CPU-only wheel)
#   TorchWheel_PACKAGE_DIR  TorchWheel_CUDA_INCLUDE_DIR  TorchWheel_CUPTI_INCLUDE_DIR
# Targets, each present only when what it names was found
#   torchwheel::headers        LibTorch headers (SYSTEM)
#   torchwheel::torch_cpu      libtorch_cpu and libc10
#   torchwheel::torch_cuda     libtorch_cuda and libc10_cuda, kept as needed although nothing refers
#                              to them: loading them is what registers the CUDA back end
#   torchwheel::cuda_headers   CUDA runtime headers; also without a torch wheel, from a toolkit
#   torchwheel::cupti_headers  CUPTI and NVTX headers; likewise
#
# The libraries are linked without a run path and their own dependencies are not resolved at link
# time: the worker loads LibTorch by absolute path before it loads the plugin.

include(FindPackageHandleStandardArgs)

set(APERTUNE_TORCH_ROOT "" CACHE PATH "Folder of the torch package; empty: APERTUNE_TORCH, else the set-up's environment")
set(APERTUNE_CUDA_INCLUDE "" CACHE PATH "Folder of the CUDA headers; empty: the wheels', else CUDA_HOME or /usr/local/cuda")

# The torch package inside what a person may have named: the package, its lib folder, an environment.
function(_torchwheel_package_of folder result)
  set(${result} "" PARENT_SCOPE)
  file(GLOB candidates
    "${folder}" "${folder}/.." "${folder}/torch" "${folder}/lib/python3.*/site-packages/torch")
  foreach(candidate IN LISTS candidates)
    if(EXISTS "${candidate}/lib/libtorch_cpu.so" AND EXISTS "${candidate}/include/torch/script.h")
      get_filename_component(candidate "${candidate}" REALPATH)
      set(${result} "${candidate}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

set(TorchWheel_PACKAGE_DIR "")
set(_torchwheel_hint "")
if(APERTUNE_TORCH_ROOT)
  _torchwheel_package_of("${APERTUNE_TORCH_ROOT}" TorchWheel_PACKAGE_DIR)
  set(_torchwheel_hint "APERTUNE_TORCH_ROOT=${APERTUNE_TORCH_ROOT} holds no LibTorch")
elseif(DEFINED ENV{APERTUNE_TORCH} AND NOT "$ENV{APERTUNE_TORCH}" STREQUAL "")
  _torchwheel_package_of("$ENV{APERTUNE_TORCH}" TorchWheel_PACKAGE_DIR)
  set(_torchwheel_hint "APERTUNE_TORCH=$ENV{APERTUNE_TORCH} holds no LibTorch")
else()
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../setup/setup --print-env
    OUTPUT_VARIABLE _torchwheel_env OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(_torchwheel_env)
    _torchwheel_package_of("${_torchwheel_env}" TorchWheel_PACKAGE_DIR)
  endif()
  set(_torchwheel_hint "the torch wheel is not installed: run `make setup`, or name one with APERTUNE_TORCH_ROOT")
endif()

set(TorchWheel_VERSION "")
set(TorchWheel_CUDA_VERSION "")
if(TorchWheel_PACKAGE_DIR AND EXISTS "${TorchWheel_PACKAGE_DIR}/version.py")
  file(READ "${TorchWheel_PACKAGE_DIR}/version.py" _torchwheel_version)
  if(_torchwheel_version MATCHES "__version__ *= *'([0-9]+\\.[0-9]+\\.[0-9]+)")
    set(TorchWheel_VERSION ${CMAKE_MATCH_1})
  endif()
  if(_torchwheel_version MATCHES "cuda[^=\n]*= *'([0-9]+\\.[0-9]+)'")
    set(TorchWheel_CUDA_VERSION ${CMAKE_MATCH_1})
  endif()
endif()

# CUDA headers: a folder serves when everything LibTorch's own headers reach for is in it.
set(_torchwheel_cuda_candidates "")
if(APERTUNE_CUDA_INCLUDE)
  list(APPEND _torchwheel_cuda_candidates "${APERTUNE_CUDA_INCLUDE}")
else()
  if(TorchWheel_PACKAGE_DIR)
    list(APPEND _torchwheel_cuda_candidates "${TorchWheel_PACKAGE_DIR}/../nvidia/cu13/include")
  endif()
  foreach(_torchwheel_toolkit "$ENV{CUDA_HOME}" /usr/local/cuda)
    if(_torchwheel_toolkit)
      list(APPEND _torchwheel_cuda_candidates
        "${_torchwheel_toolkit}/include" "${_torchwheel_toolkit}/extras/CUPTI/include")
    endif()
  endforeach()
endif()
set(TorchWheel_CUDA_INCLUDE_DIR "")
set(TorchWheel_CUPTI_INCLUDE_DIR "")
foreach(_torchwheel_candidate IN LISTS _torchwheel_cuda_candidates)
  get_filename_component(_torchwheel_candidate "${_torchwheel_candidate}" REALPATH)
  if(NOT TorchWheel_CUDA_INCLUDE_DIR)
    set(_torchwheel_complete TRUE)
    foreach(_torchwheel_header cuda_runtime_api.h crt/host_defines.h nv/target cublas_v2.h cublasLt.h cusparse.h cusolverDn.h)
      if(NOT EXISTS "${_torchwheel_candidate}/${_torchwheel_header}")
        set(_torchwheel_complete FALSE)
      endif()
    endforeach()
    if(_torchwheel_complete)
      set(TorchWheel_CUDA_INCLUDE_DIR "${_torchwheel_candidate}")
    endif()
  endif()
  if(NOT TorchWheel_CUPTI_INCLUDE_DIR AND EXISTS "${_torchwheel_candidate}/cupti.h")
    set(TorchWheel_CUPTI_INCLUDE_DIR "${_torchwheel_candidate}")
  endif()
endforeach()

set(_torchwheel_required TorchWheel_PACKAGE_DIR TorchWheel_VERSION)
if(TorchWheel_CUDA_VERSION)
  list(APPEND _torchwheel_required TorchWheel_CUDA_INCLUDE_DIR)
  if(TorchWheel_PACKAGE_DIR AND NOT TorchWheel_CUDA_INCLUDE_DIR)
    set(_torchwheel_hint "no complete CUDA headers: run `make setup` (wheels nvidia-cuda-crt and nvidia-cuda-cccl), install a CUDA toolkit, or set APERTUNE_CUDA_INCLUDE")
  endif()
endif()
find_package_handle_standard_args(TorchWheel
  REQUIRED_VARS ${_torchwheel_required} VERSION_VAR TorchWheel_VERSION
  REASON_FAILURE_MESSAGE "${_torchwheel_hint}")

function(_torchwheel_header_target name)
  if(NOT TARGET torchwheel::${name})
    add_library(torchwheel::${name} INTERFACE IMPORTED)
    target_include_directories(torchwheel::${name} SYSTEM INTERFACE ${ARGN})
  endif()
endfunction()

if(TorchWheel_CUDA_INCLUDE_DIR)
  _torchwheel_header_target(cuda_headers "${TorchWheel_CUDA_INCLUDE_DIR}")
endif()
if(TorchWheel_CUPTI_INCLUDE_DIR AND TorchWheel_CUDA_INCLUDE_DIR)
  _torchwheel_header_target(cupti_headers "${TorchWheel_CUPTI_INCLUDE_DIR}" "${TorchWheel_CUDA_INCLUDE_DIR}")
endif()

if(TorchWheel_FOUND)
  _torchwheel_header_target(headers
    "${TorchWheel_PACKAGE_DIR}/include" "${TorchWheel_PACKAGE_DIR}/include/torch/csrc/api/include")
  foreach(_torchwheel_library c10 torch_cpu c10_cuda torch_cuda)
    if(EXISTS "${TorchWheel_PACKAGE_DIR}/lib/lib${_torchwheel_library}.so" AND NOT TARGET torchwheel::lib_${_torchwheel_library})
      add_library(torchwheel::lib_${_torchwheel_library} SHARED IMPORTED)
      set_target_properties(torchwheel::lib_${_torchwheel_library} PROPERTIES
        IMPORTED_LOCATION "${TorchWheel_PACKAGE_DIR}/lib/lib${_torchwheel_library}.so")
    endif()
  endforeach()
  if(NOT TARGET torchwheel::torch_cpu)
    add_library(torchwheel::torch_cpu INTERFACE IMPORTED)
    target_link_libraries(torchwheel::torch_cpu INTERFACE
      torchwheel::headers torchwheel::lib_torch_cpu torchwheel::lib_c10)
    target_compile_options(torchwheel::torch_cpu INTERFACE "-fmacro-prefix-map=${TorchWheel_PACKAGE_DIR}/=torch/")
    target_link_options(torchwheel::torch_cpu INTERFACE "LINKER:--allow-shlib-undefined")
  endif()
  if(TorchWheel_CUDA_VERSION AND TARGET torchwheel::lib_torch_cuda AND NOT TARGET torchwheel::torch_cuda)
    add_library(torchwheel::torch_cuda INTERFACE IMPORTED)
    # One link item, or CMake would sort or fold the two flags and lose the bracket they make.
    target_link_libraries(torchwheel::torch_cuda INTERFACE
      "-Wl,--push-state,--no-as-needed,${TorchWheel_PACKAGE_DIR}/lib/libtorch_cuda.so,${TorchWheel_PACKAGE_DIR}/lib/libc10_cuda.so,--pop-state"
      torchwheel::torch_cpu torchwheel::cuda_headers)
  endif()
endif()
