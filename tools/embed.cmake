# Writes the list of files that the program carries: cmake -DDIST=folder-of-the-page -DWASM=core.wasm -DOUT=folder -P embed.cmake
# Each is compressed, and taken up by the assembler. The list names their hashes, so that it changes when they do, and
# is left alone when they do not.
set(paths)
if(EXISTS ${DIST}/index.html)
  file(GLOB_RECURSE paths RELATIVE ${DIST} ${DIST}/*)
  list(REMOVE_ITEM paths core.wasm)  # this build's own, below
  list(SORT paths)
endif()
file(MAKE_DIRECTORY ${OUT})

set(assembly "")
set(declarations "")
set(rows "")
set(count 0)
function(embed source path)
  file(SHA256 ${source} hash)
  set(packed ${OUT}/${hash}.gz)
  if(NOT EXISTS ${packed})
    execute_process(COMMAND gzip -9 -n -c ${source} OUTPUT_FILE ${packed}.new COMMAND_ERROR_IS_FATAL ANY)
    file(RENAME ${packed}.new ${packed})
  endif()
  string(APPEND assembly
    "    \".balign 16\\n\"\n    \"forerun_file_${count}:\\n\"\n    \".incbin \\\"${packed}\\\"\\n\"\n"
    "    \"forerun_file_${count}_end:\\n\"\n")
  string(APPEND declarations
    "extern \"C\" const std::uint8_t forerun_file_${count}[];\nextern \"C\" const std::uint8_t forerun_file_${count}_end[];\n")
  string(APPEND rows "    {\"/${path}\", forerun_file_${count}, forerun_file_${count}_end},\n")
  math(EXPR count "${count} + 1")
  foreach(name assembly declarations rows count)
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()

foreach(path ${paths})
  embed(${DIST}/${path} ${path})
endforeach()
if(EXISTS "${WASM}")
  embed(${WASM} core.wasm)
endif()

set(text "// Written by tools/embed.cmake.\n#include \"forerun/web/embedded_file.hpp\"\n\n")
if(count GREATER 0)
  string(APPEND text
    "__asm__(\n    \".section .rodata\\n\"\n${assembly}    \".text\\n\");\n\n${declarations}\n"
    "namespace forerun::web {\n\nstatic const EmbeddedFile kFiles[] = {\n${rows}};\n\n"
    "std::span<const EmbeddedFile> embedded_files() noexcept { return kFiles; }\n\n}  // namespace forerun::web\n")
else()
  string(APPEND text
    "std::span<const forerun::web::EmbeddedFile> forerun::web::embedded_files() noexcept { return {}; }\n")
endif()
set(list_file ${OUT}/embedded_files.cpp)
set(before "")
if(EXISTS ${list_file})
  file(READ ${list_file} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${list_file} "${text}")
endif()
