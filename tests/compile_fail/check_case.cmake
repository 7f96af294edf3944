# cmake -DCOMPILER=... -DINCLUDE=... -DCASE=... -P check_case.cmake
function(compiles out)
  execute_process(
    COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "-I${INCLUDE}" ${ARGN} "${CASE}"
    RESULT_VARIABLE status
    ERROR_VARIABLE messages)
  set(messages "${messages}" PARENT_SCOPE)
  if(status EQUAL 0)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

compiles(twin)
if(NOT twin)
  message(FATAL_ERROR "the twin does not compile:\n${messages}")
endif()
compiles(wrong -DGPU_ADVISOR_MUST_NOT_COMPILE)
if(wrong)
  message(FATAL_ERROR "this compiles and must not")
endif()
