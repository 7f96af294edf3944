# gpu_advisor_module(<module> [SOURCES <file>...] [DEPENDS <module>...] [LIBRARIES <target>...])
#
# The static library gpu_advisor_<module>, alias gpu_advisor::<module>, of src/<module>. DEPENDS names
# the modules below that it may include, all of them and not only the nearest; LIBRARIES names
# third-party targets. A module without sources is an interface library: its headers can be used.
function(gpu_advisor_module module)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gpu_advisor_module(${module}): unknown words ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(target gpu_advisor_${module})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:gpu_advisor_build_flags>)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(gpu_advisor::${module} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${module})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(
    ${target}
    ${scope} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
             "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>"
             "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  list(TRANSFORM arg_DEPENDS PREPEND gpu_advisor::)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY GPU_ADVISOR_LIBRARIES ${target})
endfunction()
