# gpu_advisor_test(<name> SOURCES <file>... LINKS <target>... [ARGUMENTS <argument>...])
#
# A Catch2 program (main is given), registered with ctest under its name. The arguments are for
# ctest's run. Data beside the tests is found through GPU_ADVISOR_SOURCE_DIR.
function(gpu_advisor_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;ARGUMENTS" ${ARGN})
  if(NOT arg_SOURCES)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests"
                                             "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(${name}
                             PRIVATE GPU_ADVISOR_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LINKS} Catch2::Catch2WithMain gpu_advisor_build_flags)
  add_test(NAME ${name} COMMAND ${name} ${arg_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()

# gpu_advisor_module_test(<module> SOURCES <file>... [LINKS <target>...])
#
# The unit tests of a module: program and ctest name test_<module>.
function(gpu_advisor_module_test module)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  gpu_advisor_test(test_${module} SOURCES ${arg_SOURCES} LINKS gpu_advisor::${module} ${arg_LINKS})
endfunction()
