function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(PREFIX "${WORK}/prefix")
file(REMOVE_RECURSE "${WORK}")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${PREFIX}")

foreach(
  path IN
  ITEMS bin/gpu-advisor
        include/gpu_advisor/catalog/catalog.hpp
        include/gpu_advisor/support/version.hpp
        share/gpu_advisor/data
        share/man/man1/gpu-advisor.1
        share/bash-completion/completions/gpu-advisor
        share/zsh/site-functions/_gpu-advisor
        share/fish/vendor_completions.d/gpu-advisor.fish)
  if(NOT EXISTS "${PREFIX}/${path}")
    message(FATAL_ERROR "not installed: ${path}")
  endif()
endforeach()

run("${CMAKE_COMMAND}" -E chdir "${PREFIX}" "${PREFIX}/bin/gpu-advisor" version)
if(NOT output MATCHES "gpu-advisor +${VERSION}")
  message(FATAL_ERROR "gpu-advisor version says: ${output}")
endif()

run(${CMAKE_COMMAND} -G "${GENERATOR}" -S "${CONSUMER}" -B "${WORK}/consumer"
    "-DCMAKE_PREFIX_PATH=${PREFIX}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DVERSION=${VERSION}")
run(${CMAKE_COMMAND} --build "${WORK}/consumer")
run("${WORK}/consumer/consumer")
if(NOT output MATCHES "library ${VERSION}, [1-9][0-9]* files")
  message(FATAL_ERROR "the consumer says: ${output}")
endif()
