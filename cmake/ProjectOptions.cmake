# Options, build type, warnings, sanitizers. Developer options default to on only when this project
# is the top level, so that a project which includes it builds no tests and sees no warnings of ours.

option(GPU_ADVISOR_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(GPU_ADVISOR_INSTALL "Add install and export rules" ${PROJECT_IS_TOP_LEVEL})
option(GPU_ADVISOR_WARNINGS "Compile with the project's warnings" ${PROJECT_IS_TOP_LEVEL})
option(GPU_ADVISOR_WARNINGS_AS_ERRORS "A warning fails the build" OFF)
option(GPU_ADVISOR_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(GPU_ADVISOR_COVERAGE "Instrument for coverage reports" OFF)
option(GPU_ADVISOR_FUZZ "Build the fuzz targets with libFuzzer (Clang)" OFF)
option(GPU_ADVISOR_CCACHE "Compile through ccache when it is found" ${PROJECT_IS_TOP_LEVEL})
option(GPU_ADVISOR_FETCH_DEPENDENCIES "Download pinned sources of libraries that are not installed" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# -O3 makes this program larger and its build slower, and not faster.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ${PROJECT_IS_TOP_LEVEL})

if(GPU_ADVISOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(GPU_ADVISOR_CCACHE_PROGRAM ccache)
  mark_as_advanced(GPU_ADVISOR_CCACHE_PROGRAM)
  if(GPU_ADVISOR_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${GPU_ADVISOR_CCACHE_PROGRAM}")
  endif()
endif()

# How our own targets are compiled; linked privately, so nothing of it reaches a consumer.
# -Wmissing-field-initializers is off because designated initialisers leave members out on purpose.
add_library(gpu_advisor_build_flags INTERFACE)
if(GPU_ADVISOR_WARNINGS)
  target_compile_options(
    gpu_advisor_build_flags
    INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wfloat-conversion>"
              "$<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Woverloaded-virtual;-Wcast-qual>"
              "$<$<COMPILE_LANGUAGE:CXX>:-Wformat=2;-Wno-missing-field-initializers>")
endif()
if(GPU_ADVISOR_WARNINGS_AS_ERRORS)
  target_compile_options(gpu_advisor_build_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()

# Sanitizers and coverage change the ABI of the standard library's checks, so they hold for all
# targets of the build, fetched libraries included.
if(GPU_ADVISOR_SANITIZE)
  # GCC warns falsely of uninitialised and dangling values in code that it has instrumented (its manual on
  # -fsanitize says so); the build without sanitizers still checks both.
  target_compile_options(
    gpu_advisor_build_flags
    INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-dangling-pointer>")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined>"
                      "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  add_link_options(-fsanitize=address,undefined)
endif()
if(GPU_ADVISOR_COVERAGE)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--coverage>")
  add_link_options(--coverage)
endif()
if(GPU_ADVISOR_FUZZ)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>")
endif()
