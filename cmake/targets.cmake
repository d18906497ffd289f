# One library a layer: the core (pure), the files, the sockets, the studies, and the program.
set(FORERUN_CORE_ROOMS base geom world robot sense navigate sim sync predict estimate)

foreach(room ${FORERUN_CORE_ROOMS})
  file(GLOB_RECURSE room_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/forerun/${room}/*.cpp)
  list(APPEND FORERUN_CORE_SOURCES ${room_sources})
endforeach()
add_library(forerun_core STATIC ${FORERUN_CORE_SOURCES})
target_link_libraries(forerun_core PUBLIC forerun_flags)
target_compile_options(forerun_core PRIVATE -fno-exceptions -fno-rtti)

find_package(yaml-cpp REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.74 REQUIRED)  # Beast and Asio, headers only
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)

file(GLOB_RECURSE io_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/forerun/io/*.cpp)
add_library(forerun_io STATIC ${io_sources})
target_link_libraries(forerun_io PUBLIC forerun_core PRIVATE yaml-cpp PNG::PNG ZLIB::ZLIB nlohmann_json::nlohmann_json)
target_compile_definitions(forerun_io PRIVATE FORERUN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")

file(GLOB_RECURSE net_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/forerun/net/*.cpp)
add_library(forerun_net STATIC ${net_sources})
target_link_libraries(forerun_net PUBLIC forerun_core
  PRIVATE PkgConfig::SODIUM nlohmann_json::nlohmann_json Boost::headers OpenSSL::SSL)

file(GLOB_RECURSE study_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/forerun/study/*.cpp)
add_library(forerun_study STATIC ${study_sources})
target_link_libraries(forerun_study PUBLIC forerun_io forerun_net PRIVATE nlohmann_json::nlohmann_json)

file(GLOB app_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/forerun/app/*.cpp)
list(REMOVE_ITEM app_sources ${CMAKE_SOURCE_DIR}/forerun/app/main.cpp)
add_library(forerun_app STATIC ${app_sources})
target_link_libraries(forerun_app PUBLIC forerun_study PRIVATE CLI11::CLI11 nlohmann_json::nlohmann_json)
target_compile_definitions(forerun_app PRIVATE FORERUN_VERSION="${PROJECT_VERSION}")
# options and help texts: nothing here runs long, and CLI11 takes long to compile
target_compile_options(forerun_app PRIVATE -O1)

add_executable(forerun forerun/app/main.cpp)
target_link_libraries(forerun PRIVATE forerun_app)
