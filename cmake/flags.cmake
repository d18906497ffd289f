# Flags that every target needs live here, never in a preset.
add_library(forerun_flags INTERFACE)
target_include_directories(forerun_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(forerun_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  -Wno-missing-field-initializers   # structs have defaults that work; initialisers name only what differs
  -ffp-contract=off   # same bits on every compiler (docs/decisions.md)
  -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees both of these inside the standard library's strings and optionals, where they are not
  target_compile_options(forerun_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(FORERUN_SANITIZE)
  target_compile_options(forerun_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(forerun_flags INTERFACE -fsanitize=address,undefined)
endif()
