# Flags that every target of ours needs live here, never in a preset. Whoever links to our libraries gets none of them
# but those that the numbers need (targets.cmake).
add_library(forerun_flags INTERFACE)
target_compile_options(forerun_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion $<$<BOOL:${FORERUN_WERROR}>:-Werror>
  -Wno-missing-field-initializers   # structs have defaults that work; initialisers name only what differs
  -ffp-contract=off   # same bits on every compiler (docs/decisions.md)
  -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees both of these inside the standard library's strings and optionals, where they are not
  target_compile_options(forerun_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(FORERUN_SANITIZE)
  # `vptr` needs run-time types, which the core does not have
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
  target_compile_options(forerun_flags INTERFACE ${sanitizers} -fno-omit-frame-pointer)
  target_compile_definitions(forerun_flags INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(forerun_flags INTERFACE ${sanitizers})
endif()
