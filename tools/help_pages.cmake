# Man pages and completion for bash, from the program's own help texts:
#   cmake -DFORERUN=program -DOUT=folder -P help_pages.cmake
# writes OUT/forerun.1.gz, OUT/forerun-COMMAND.1.gz and OUT/forerun.bash.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})

# brackets and semicolons mean something in CMake's lists: they travel under other names
function(ask result)
  execute_process(COMMAND ${FORERUN} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "<semicolon>" text "${text}")
  string(REPLACE "[" "<open>" text "${text}")
  string(REPLACE "]" "<close>" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# "  name   what it does", the lines below a heading such as "Commands:"
function(names_below result heading text)
  set(names)
  if(text MATCHES "\n${heading}:\n(([ ]+[^\n]*\n)+)")
    set(block "${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "\n  [a-z][a-z-]*" found "\n${block}")
    foreach(name ${found})
      string(STRIP "${name}" name)
      list(APPEND names ${name})
    endforeach()
  endif()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

function(options_of result text)
  string(REGEX MATCHALL "\n  (-[a-z],)?--[a-z][a-z0-9-]*" found "${text}")
  set(options)
  foreach(option ${found})
    string(REGEX REPLACE "^.*--" "--" option "${option}")
    list(APPEND options ${option})
  endforeach()
  list(REMOVE_DUPLICATES options)
  string(REPLACE ";" " " options "${options}")
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# The text as it stands, for troff: no dash is a hyphen, and no line is a request.
function(as_troff result text)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${result} ".nf\n${text}.fi\n" PARENT_SCOPE)
endfunction()

function(write_page name about body)
  string(TOUPPER ${name} title)
  set(page ".TH ${title} 1 \"\" \"${version}\" \"Forerun\"\n.SH NAME\n${name} \\- ${about}\n${body}")
  if(NOT name STREQUAL forerun)
    string(APPEND page ".SH SEE ALSO\n.BR forerun (1)\n")
  endif()
  string(REPLACE "<semicolon>" ";" page "${page}")
  string(REPLACE "<open>" "[" page "${page}")
  string(REPLACE "<close>" "]" page "${page}")
  file(WRITE ${OUT}/${name}.1 "${page}")
  execute_process(COMMAND gzip -9 -n ${OUT}/${name}.1 COMMAND_ERROR_IS_FATAL ANY)
endfunction()

ask(version --version)
string(STRIP "${version}" version)
ask(overview --help)
names_below(commands Commands "${overview}")
as_troff(body "${overview}")
write_page(forerun "watch and command a mobile robot over bad networks" ".SH DESCRIPTION\n${body}")

set(cases "")
foreach(command ${commands})
  ask(help ${command} --help)
  as_troff(body "${help}")
  set(sections ".SH DESCRIPTION\n${body}")
  options_of(options "${help}")
  names_below(subcommands Subcommands "${help}")
  foreach(subcommand ${subcommands})
    ask(help ${command} ${subcommand} --help)
    as_troff(body "${help}")
    string(TOUPPER "${command} ${subcommand}" heading)
    string(APPEND sections ".SH ${heading}\n${body}")
    options_of(more "${help}")
    string(APPEND cases "    '${command} ${subcommand}') words='${more}' ;;\n")
  endforeach()
  string(REPLACE ";" " " subcommands "${subcommands}")
  string(APPEND cases "    '${command}'*) words='${subcommands} ${options}' ;;\n")
  string(REGEX MATCH "\n  ${command} +([^\n]*)" ignored "${overview}")
  write_page(forerun-${command} "${CMAKE_MATCH_1}" "${sections}")
endforeach()

string(REPLACE ";" " " commands "${commands}")
file(WRITE ${OUT}/forerun.bash
"# Completion of forerun for bash, written by tools/help_pages.cmake.
_forerun() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=
  if [ \"$COMP_CWORD\" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands} --help --version' -- \"$word\"))
    return
  fi
  # the command, and what may be its subcommand
  local chosen=\${COMP_WORDS[1]}
  if [ \"$COMP_CWORD\" -gt 2 ]; then chosen+=\" \${COMP_WORDS[2]}\"; fi
  case $chosen in
${cases}  esac
  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))
}
complete -o default -F _forerun forerun
")
