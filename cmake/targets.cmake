# One library for the core, which is pure, and one for each room at its edge (tools/layers.txt); then the program.
set(FORERUN_CORE_ROOMS base geom clocks impair world robot sense respond navigate sim image sync ahead predict estimate localize mission)

# forerun_library(ROOM sources …): forerun_ROOM, which other projects know as forerun::ROOM
function(forerun_library room)
  add_library(forerun_${room} STATIC ${ARGN})
  add_library(forerun::${room} ALIAS forerun_${room})
  set_target_properties(forerun_${room} PROPERTIES EXPORT_NAME ${room})
  # first, and for ourselves alone
  target_link_libraries(forerun_${room} PRIVATE $<BUILD_INTERFACE:forerun_flags>)
endfunction()

foreach(room ${FORERUN_CORE_ROOMS})
  file(GLOB room_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/forerun/${room}/*.cpp)
  list(APPEND FORERUN_CORE_SOURCES ${room_sources})
endforeach()
forerun_library(core ${FORERUN_CORE_SOURCES})
target_include_directories(forerun_core PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
target_compile_features(forerun_core PUBLIC cxx_std_20)
# headers hold inline functions of the core: they must compute the same bits in other people's programs
target_compile_options(forerun_core PUBLIC -ffp-contract=off)
target_compile_options(forerun_core PRIVATE -fno-exceptions -fno-rtti)

find_package(yaml-cpp REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED)  # Beast and Asio, headers only
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(FORERUN_SODIUM REQUIRED IMPORTED_TARGET libsodium)
# by its bare name: Debian's CMake file for it names a folder that another package brings
find_library(FORERUN_MUJOCO mujoco REQUIRED)
pkg_check_modules(FORERUN_TURBOJPEG REQUIRED IMPORTED_TARGET libturbojpeg)
set(json nlohmann_json::nlohmann_json)
set(sodium PkgConfig::FORERUN_SODIUM)

# forerun_room(ROOM PUBLIC other rooms … PRIVATE libraries … INSIDE libraries that are headers only, and not in ours)
set(FORERUN_ROOMS core)
function(forerun_room room)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "PUBLIC;PRIVATE;INSIDE")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/forerun/${room}/*.cpp)
  list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/forerun/app/main.cpp)
  forerun_library(${room} ${sources})
  target_link_libraries(forerun_${room} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  foreach(library ${ARG_INSIDE})
    target_link_libraries(forerun_${room} PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()
  set(FORERUN_ROOMS ${FORERUN_ROOMS} ${room} PARENT_SCOPE)
endfunction()

# what each room needs of other libraries is also said in forerunConfig.cmake.in and forerun.pc.in
forerun_room(io PUBLIC forerun_core PRIVATE yaml-cpp PNG::PNG ZLIB::ZLIB INSIDE ${json})
forerun_room(atlas PUBLIC forerun_io INSIDE ${json})
forerun_room(learn PUBLIC forerun_atlas INSIDE Eigen3::Eigen ${json})
forerun_room(draw PUBLIC forerun_atlas)
forerun_room(physics PUBLIC forerun_core PRIVATE mujoco PkgConfig::FORERUN_TURBOJPEG)
forerun_room(net PUBLIC forerun_core ${json} PRIVATE ${sodium})
forerun_room(web PUBLIC forerun_net PRIVATE OpenSSL::SSL ${sodium} INSIDE Boost::headers)
forerun_room(record PUBLIC forerun_atlas forerun_web PRIVATE ZLIB::ZLIB)
target_compile_definitions(forerun_record PRIVATE FORERUN_VERSION="${PROJECT_VERSION}")
forerun_room(serve PUBLIC forerun_atlas forerun_net forerun_physics)
forerun_room(watch PUBLIC forerun_record forerun_physics)
# up to here for everybody; what follows is the program's own
set(FORERUN_PUBLIC_ROOMS ${FORERUN_ROOMS})
forerun_room(mapping PUBLIC forerun_draw INSIDE Eigen3::Eigen)
forerun_room(mobility PUBLIC forerun_draw forerun_physics)

# Kenaf's C libraries: one of them for each way to the robot, and all else the same. They use nothing else of ours
file(GLOB kenaf_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/forerun/kenaf/*.cpp)
list(FILTER kenaf_sources EXCLUDE REGEX "/(hrt_kenaf|open_bus_[a-z]+)\\.cpp$")
forerun_library(kenaf ${kenaf_sources})
target_include_directories(forerun_kenaf PUBLIC ${PROJECT_SOURCE_DIR})
set_target_properties(forerun_kenaf PROPERTIES POSITION_INDEPENDENT_CODE ON)
foreach(way sim can)
  add_library(hrt_kenaf_${way} SHARED forerun/kenaf/hrt_kenaf.cpp forerun/kenaf/open_bus_${way}.cpp)
  add_library(forerun::hrt_kenaf_${way} ALIAS hrt_kenaf_${way})
  set_target_properties(hrt_kenaf_${way} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 CXX_VISIBILITY_PRESET hidden)
  target_include_directories(hrt_kenaf_${way} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
  target_link_libraries(hrt_kenaf_${way} PRIVATE $<BUILD_INTERFACE:forerun_flags> $<BUILD_INTERFACE:forerun_kenaf>)
  # only what the header names is for others
  target_link_options(hrt_kenaf_${way} PRIVATE -Wl,--exclude-libs,ALL)
endforeach()

forerun_room(bridge PUBLIC forerun_io forerun_physics forerun_net forerun_kenaf)
forerun_room(latency PUBLIC forerun_learn forerun_draw)
forerun_room(study PUBLIC forerun_learn forerun_draw forerun_serve forerun_watch)
forerun_room(changing PUBLIC forerun_study INSIDE ${json})
forerun_room(load PUBLIC forerun_serve forerun_watch)

forerun_room(papers PUBLIC forerun_draw ${json})
forerun_room(cli PUBLIC forerun_io PRIVATE CLI11::CLI11 INSIDE ${json})
forerun_room(lab PUBLIC forerun_cli forerun_papers forerun_latency forerun_changing forerun_mapping forerun_mobility forerun_bridge forerun_study forerun_load PRIVATE CLI11::CLI11)
forerun_room(app PUBLIC forerun_lab forerun_bridge PRIVATE CLI11::CLI11)
foreach(room cli lab app)
  target_compile_definitions(forerun_${room} PRIVATE FORERUN_VERSION="${PROJECT_VERSION}")
  # options and help texts: nothing here runs long, and CLI11 takes long to compile
  target_compile_options(forerun_${room} PRIVATE $<IF:$<CXX_COMPILER_ID:Clang>,-O0,-O1>)
endforeach()

add_executable(forerun forerun/app/main.cpp)
target_link_libraries(forerun PRIVATE forerun_flags forerun_app)
