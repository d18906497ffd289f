# The core as WebAssembly: build/core.wasm, from Debian's clang, wasi-libc and libc++. Imports nothing; memory is fixed.
# Where one of them is missing, there is no target `core_wasm`.

# the same functions natively, for tests
file(GLOB wasm_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/forerun/wasm/*.cpp)
set(FORERUN_WASM_SYSTEM ${PROJECT_SOURCE_DIR}/forerun/wasm/system.cpp)
set(native_wasm_sources ${wasm_sources})
list(REMOVE_ITEM native_wasm_sources ${FORERUN_WASM_SYSTEM})
forerun_library(wasm ${native_wasm_sources})
target_link_libraries(forerun_wasm PUBLIC forerun_core)
target_compile_options(forerun_wasm PRIVATE -fno-exceptions -fno-rtti)

# once is enough: the other builds look for faults in native code, and other projects have pages of their own
if(FORERUN_SANITIZE OR FORERUN_FUZZ OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
find_program(FORERUN_WASM_CLANG NAMES clang++-14 clang++)
find_program(FORERUN_WASM_LINKER NAMES wasm-ld-14 wasm-ld)
find_file(FORERUN_WASM_LIBCXX libc++.a PATHS /usr/lib/wasm32-wasi NO_DEFAULT_PATH)
if(NOT FORERUN_WASM_CLANG OR NOT FORERUN_WASM_LINKER OR NOT FORERUN_WASM_LIBCXX)
  message(STATUS "core.wasm is not built: it needs clang, lld, wasi-libc, libc++-dev-wasm32 and libclang-rt-dev-wasm32")
  return()
endif()

set(FORERUN_WASM_MEMORY 268435456)  # bytes, fixed; pages that nobody touches cost a browser nothing
set(FORERUN_WASM_STACK 1048576)     # bytes, below everything else: an overflow traps
set(wasm_flags --target=wasm32-wasi -std=c++20 -O2 -DNDEBUG -msimd128 -fno-exceptions -fno-rtti -ffp-contract=off -fno-math-errno
  -fvisibility=hidden -ffunction-sections -fdata-sections -I${PROJECT_SOURCE_DIR} -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

# `system.cpp` takes the place of what needs a system
set(core_wasm_sources ${FORERUN_CORE_SOURCES} ${wasm_sources})
list(REMOVE_ITEM core_wasm_sources ${PROJECT_SOURCE_DIR}/forerun/base/check.cpp)
foreach(source ${core_wasm_sources})
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  set(object ${PROJECT_BINARY_DIR}/wasm/${name}.o)
  get_filename_component(folder ${object} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${FORERUN_WASM_CLANG} ${wasm_flags} -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d VERBATIM
    COMMENT "Building for WebAssembly ${name}")
  list(APPEND core_wasm_objects ${object})
endforeach()

# every function of the header is exported, and nothing else
set(wasm_header ${PROJECT_SOURCE_DIR}/forerun/wasm/core_api.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${wasm_header})
file(STRINGS ${wasm_header} declarations REGEX "^[A-Za-z].*forerun_[a-z0-9_]+\\(")
foreach(declaration ${declarations})
  string(REGEX MATCH "forerun_[a-z0-9_]+\\(" function ${declaration})
  string(REPLACE "(" "" function ${function})
  list(APPEND wasm_exports -Wl,--export=${function})
endforeach()

set(FORERUN_CORE_WASM ${PROJECT_BINARY_DIR}/core.wasm)
add_custom_command(OUTPUT ${FORERUN_CORE_WASM}
  COMMAND ${FORERUN_WASM_CLANG} ${wasm_flags} -mexec-model=reactor ${core_wasm_objects} -o ${FORERUN_CORE_WASM}
    ${wasm_exports} -Wl,--gc-sections,--strip-all,--stack-first,-z,stack-size=${FORERUN_WASM_STACK}
    -Wl,--initial-memory=${FORERUN_WASM_MEMORY},--max-memory=${FORERUN_WASM_MEMORY}
  DEPENDS ${core_wasm_objects} ${wasm_header} VERBATIM
  COMMENT "Linking core.wasm")
add_custom_target(core_wasm ALL DEPENDS ${FORERUN_CORE_WASM})
