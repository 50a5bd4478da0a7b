# SPDX-License-Identifier: GPL-3.0-or-later
# One CMake target a folder. Every target gets the project's language level and warnings from
# apertune_options; nothing else is shared.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Installed files belong to the component apertune, except the window (gui), the header of plugins (dev), and the backends,
# each of which is a component of its own (plugin_<name>).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME apertune)

add_library(apertune_options INTERFACE)
target_include_directories(apertune_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(apertune_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety;-fbracket-depth=1024> $<$<BOOL:${APERTUNE_WERROR}>:-Werror>)
# GCC 12, and only when optimising, sees overlaps in std::string's operator+ that are not there (its bug 105651),
# and unset values behind std::optional's flag (80635).
target_compile_options(apertune_options INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-maybe-uninitialized>)
# Most presets compile the files of a folder together, which takes a third of the time: to the compiler they are
# then headers of one file.
if(CMAKE_UNITY_BUILD)
  target_compile_options(apertune_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endif()
if(APERTUNE_SANITIZE)
  target_compile_options(apertune_options INTERFACE -fsanitize=${APERTUNE_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer) # a finding fails the test that meets it
  target_link_options(apertune_options INTERFACE -fsanitize=${APERTUNE_SANITIZE})
endif()
# Checks of sanitizers that some code leaves out. These are libraries to link after apertune_options: of contradicting options
# the compiler takes the last one.
add_library(apertune_foreign_enumerators INTERFACE)
add_library(apertune_fewer_checks INTERFACE)
if(APERTUNE_SANITIZE MATCHES undefined)
  # A driver that is newer than its headers writes values into records that their enumerations do not name.
  target_compile_options(apertune_foreign_enumerators INTERFACE -fno-sanitize=enum)
  # A third of compiling the tests would be the checks before each access in their own code; the address sanitizer stops
  # at a null pointer, too.
  target_compile_options(apertune_fewer_checks INTERFACE -fno-sanitize=null,alignment,vptr)
endif()
if(APERTUNE_FUZZ)
  target_compile_options(apertune_options INTERFACE
    -fsanitize=fuzzer-no-link # counts which branches an input takes
    -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/tests/fuzz/ignored.txt)
endif()

# apertune_camel_case(result words)
# Sets `result` to the lower camel case of words that are joined by underscores: trace_record becomes traceRecord.
function(apertune_camel_case result words)
  string(REPLACE "_" ";" words ${words})
  list(POP_FRONT words name)
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND name ${first}${rest})
  endforeach()
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# apertune_add_module(name [HOT|THIN] SOURCES file... [DEPENDS public targets...] [PRIVATE private targets...])
# A static library apertune_<name>, also known as apertune::<name>. HOT: its loops are what the tests wait for, so that
# sanitizers, which build for speed of compiling, optimise it. THIN: it only puts together what others do, and is not
# worth the compiling that full optimisation costs.
function(apertune_add_module name)
  cmake_parse_arguments(ARG "HOT;THIN" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  add_library(apertune_${name} STATIC ${ARG_SOURCES})
  if(ARG_HOT AND APERTUNE_SANITIZE)
    target_compile_options(apertune_${name} PRIVATE -O1)
  endif()
  if(ARG_THIN)
    target_compile_options(apertune_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  add_library(apertune::${name} ALIAS apertune_${name})
  target_link_libraries(apertune_${name} PUBLIC apertune_options ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE})
endfunction()

# Compilers of LibTorch's headers take about 2 GiB each: no more of them at a time than memory holds.
cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR heavy_jobs "${memory_mib} / 3000")
if(heavy_jobs LESS 1)
  set(heavy_jobs 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS heavy=${heavy_jobs})

# apertune_add_program(name SOURCES file... DEPENDS targets... [COMPONENT component])
function(apertune_add_program name)
  cmake_parse_arguments(ARG "" "COMPONENT" "SOURCES;DEPENDS" ${ARGN})
  if(NOT ARG_COMPONENT)
    set(ARG_COMPONENT ${CMAKE_INSTALL_DEFAULT_COMPONENT_NAME})
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE apertune_options ${ARG_DEPENDS})
  # The prefix can be moved, and may bring its own copies of shared libraries (make gpu-bundle).
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${ARG_COMPONENT})
endfunction()

# apertune_plugin_options(target targets...): how the sources of a plugin are compiled, and what they use
function(apertune_plugin_options target)
  target_link_libraries(${target} PRIVATE apertune_options ${ARGN})
  # Headers of engines put __FILE__ into their messages; what is installed names no folder of the machine that built it.
  target_compile_options(${target} PRIVATE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON JOB_POOL_COMPILE heavy)
endfunction()

# apertune_add_plugin(name [FOR_TESTS] [VARIANT variant] SOURCES file... [DEPENDS targets...]) builds
# lib/apertune/plugins/<name>.so, or <name>/<variant>.so, installed as the component plugin_<name>. FOR_TESTS: in the
# build tree only, never installed.
function(apertune_add_plugin name)
  cmake_parse_arguments(ARG "FOR_TESTS" "VARIANT" "SOURCES;DEPENDS" ${ARGN})
  set(target apertune_plugin_${name})
  set(file ${name})
  set(folder "")
  if(ARG_VARIANT)
    set(target apertune_plugin_${name}_${ARG_VARIANT})
    set(file ${ARG_VARIANT})
    set(folder /${name})
  endif()
  add_library(${target} MODULE ${ARG_SOURCES})
  apertune_plugin_options(${target} ${ARG_DEPENDS})
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${file} LIBRARY_OUTPUT_DIRECTORY ${APERTUNE_PLUGIN_DIR}${folder} SKIP_BUILD_RPATH ON)
  if(ARG_VARIANT)
    # Who asks for a plugin means all that is installed with it.
    add_dependencies(apertune_plugin_${name} ${target})
  endif()
  if(NOT ARG_FOR_TESTS)
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/apertune/plugins${folder}
      COMPONENT plugin_${name})
  endif()
endfunction()

# apertune_add_test(name SOURCES file... DEPENDS targets... [LABELS label...] [SECONDS about] [SHARDS n] [PROCESSORS n] [MEASURES])
# one GoogleTest program a folder. SECONDS of the long ones: in a fresh clone ctest knows no better which to begin with. SHARDS: ctest
# runs that many parts of it side by side, name.1 and so on. PROCESSORS: 2 for what computes on all cores. ctest counts it
# as that many tests. MEASURES: it checks times that it measures. The thread
# sanitizer makes those unsteady, so that there only the sanitizer's own reports, and a crash, fail the test.
function(apertune_add_test name)
  cmake_parse_arguments(ARG "MEASURES" "SECONDS;SHARDS;PROCESSORS" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/tests/support/scripted_marks.cpp)
  target_link_libraries(test_${name} PRIVATE
    apertune_options apertune_fewer_checks ${ARG_DEPENDS} apertune::sentences GTest::gmock GTest::gtest_main)
  # The product's code is what waits; its tests cost more to optimise than they win by it.
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    set(part ${name})
    if(ARG_SHARDS GREATER 1)
      set(part ${name}.${shard})
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${part} COMMAND test_${name})
    # No test needs a display; Qt wants a private folder for its sockets.
    set_tests_properties(${part} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 1800
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;XDG_RUNTIME_DIR=${CMAKE_BINARY_DIR}/tests/runtime;GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index}")
    if(ARG_SECONDS)
      set_tests_properties(${part} PROPERTIES COST ${ARG_SECONDS})
    endif()
    if(ARG_PROCESSORS)
      set_tests_properties(${part} PROPERTIES PROCESSORS ${ARG_PROCESSORS})
    endif()
    if(ARG_MEASURES AND APERTUNE_SANITIZE MATCHES thread)
      set_tests_properties(${part} PROPERTIES
        PASS_REGULAR_EXPRESSION "tests? from [0-9]+ test suites? ran" FAIL_REGULAR_EXPRESSION "ThreadSanitizer")
    endif()
  endforeach()
endfunction()

# apertune_add_bench(name SOURCES file... DEPENDS targets...) builds bench/bench_<name>, which `make bench` runs
function(apertune_add_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(bench_${name} ${ARG_SOURCES})
  target_link_libraries(bench_${name} PRIVATE apertune_options ${ARG_DEPENDS} benchmark::benchmark)
  set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
endfunction()
