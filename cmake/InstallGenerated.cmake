# Part of the install: asks PROGRAM for its completions and for the help of every command, and writes
# them below SHARE and MANUAL_FOLDER.

function(ask out)
  execute_process(
    COMMAND "${PROGRAM}" ${ARGN}
    OUTPUT_VARIABLE text
    RESULT_VARIABLE status
    COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Text as it is, for a manual page: no line is a request, no character an escape.
function(preformatted out text)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "\n." "\n\\&." text "${text}")
  string(REPLACE "\n'" "\n\\&'" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  set(${out} ".nf\n\\&${text}.fi\n" PARENT_SCOPE)
endfunction()

set(completions
    "bash|${SHARE}/bash-completion/completions|gpu-advisor"
    "zsh|${SHARE}/zsh/site-functions|_gpu-advisor" "fish|${SHARE}/fish/vendor_completions.d|gpu-advisor.fish")
foreach(row IN LISTS completions)
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 shell)
  list(GET row 1 folder)
  list(GET row 2 name)
  ask(text completion ${shell})
  file(WRITE "${folder}/${name}" "${text}")
  message(STATUS "Installing: ${folder}/${name}")
endforeach()

ask(help --help)
preformatted(help_text "${help}")
set(page ".TH GPU\\-ADVISOR 1 \"\" \"gpu\\-advisor ${VERSION}\" \"User Commands\"\n")
string(APPEND page ".SH NAME\ngpu\\-advisor \\- which GPU, instance and layout for a workload\n")
string(APPEND page ".SH SYNOPSIS\n.B gpu\\-advisor\n.I COMMAND\n.RI [ OPTION ]...\n")
string(APPEND page ".SH DESCRIPTION\n${help_text}")
# Commands are the lines "  name  what it does" of the help below the line that says so.
string(REGEX REPLACE "^.*(Subcommands|SUBCOMMANDS|Commands|COMMANDS):[^\n]*\n" "" command_lines "${help}")
string(REGEX MATCHALL "\n  [a-z]+ " commands "\n${command_lines}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  ask(help ${command} --help)
  preformatted(help_text "${help}")
  string(TOUPPER "${command}" title)
  string(APPEND page ".SH ${title}\n${help_text}")
endforeach()
file(WRITE "${MANUAL_FOLDER}/gpu-advisor.1" "${page}")
message(STATUS "Installing: ${MANUAL_FOLDER}/gpu-advisor.1")
