# Third-party libraries: those of the system first; with GPU_ADVISOR_FETCH_DEPENDENCIES, pinned
# sources for those that are missing. The oldest versions are those of Debian 12.
#
# gpu_advisor_dependency(<package> <oldest version> TARGET <target> [HEADER <file>]
#                        REPOSITORY <url> TAG <tag>)
#   TARGET  the target that must exist afterwards
#   HEADER  for a header-only library whose package may lack CMake files: found by this header

include(FetchContent)

function(gpu_advisor_fetch package repository tag)
  message(STATUS "Fetching ${package} ${tag}")
  set(BUILD_TESTING OFF)
  set(BUILD_SHARED_LIBS OFF)
  # Plain variables set the options of the library; what our package links must be installed too.
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(FMT_INSTALL ${GPU_ADVISOR_INSTALL})
  set(JSON_Install ${GPU_ADVISOR_INSTALL})
  set(JSON_BuildTests OFF)
  set(CLI11_BUILD_TESTS OFF)
  set(CLI11_BUILD_EXAMPLES OFF)
  set(CLI11_INSTALL OFF)
  set(valijson_BUILD_TESTS OFF)
  FetchContent_Declare(${package} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW TRUE
                       SYSTEM)
  FetchContent_MakeAvailable(${package})
endfunction()

# find_package is asked for no version, because packages differ in what they call compatible.
function(gpu_advisor_dependency package oldest)
  cmake_parse_arguments(arg "" "TARGET;HEADER;REPOSITORY;TAG" "" ${ARGN})
  find_package(${package} QUIET)
  if(TARGET ${arg_TARGET} AND ${package}_VERSION AND ${package}_VERSION VERSION_LESS oldest)
    message(FATAL_ERROR "${package} ${${package}_VERSION} is too old: ${oldest} is needed")
  endif()
  if(NOT TARGET ${arg_TARGET} AND arg_HEADER)
    find_path(${package}_INCLUDE_DIR ${arg_HEADER})
    mark_as_advanced(${package}_INCLUDE_DIR)
    if(${package}_INCLUDE_DIR)
      add_library(${arg_TARGET} INTERFACE IMPORTED)
      target_include_directories(${arg_TARGET} INTERFACE "${${package}_INCLUDE_DIR}")
    endif()
  endif()
  if(NOT TARGET ${arg_TARGET} AND GPU_ADVISOR_FETCH_DEPENDENCIES)
    gpu_advisor_fetch(${package} ${arg_REPOSITORY} ${arg_TAG})
  endif()
  if(NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "${package} ${oldest} or newer was not found. Install it, or configure "
                        "with -DGPU_ADVISOR_FETCH_DEPENDENCIES=ON to download its sources.")
  endif()
endfunction()

gpu_advisor_dependency(
  nlohmann_json 3.11.2 TARGET nlohmann_json::nlohmann_json
  REPOSITORY https://github.com/nlohmann/json.git TAG v3.11.3)
gpu_advisor_dependency(
  fmt 9.1.0 TARGET fmt::fmt
  REPOSITORY https://github.com/fmtlib/fmt.git TAG 11.0.2)
gpu_advisor_dependency(
  simdjson 3.0.1 TARGET simdjson::simdjson
  REPOSITORY https://github.com/simdjson/simdjson.git TAG v3.10.1)
gpu_advisor_dependency(
  CLI11 2.1.2 TARGET CLI11::CLI11
  REPOSITORY https://github.com/CLIUtils/CLI11.git TAG v2.5.0)
gpu_advisor_dependency(
  valijson 1.0 TARGET ValiJSON::valijson HEADER valijson/validator.hpp
  REPOSITORY https://github.com/tristanpenman/valijson.git TAG v1.0.3)
if(GPU_ADVISOR_BUILD_TESTS)
  gpu_advisor_dependency(
    Catch2 2.13 TARGET Catch2::Catch2WithMain
    REPOSITORY https://github.com/catchorg/Catch2.git TAG v3.7.1)
endif()
