# What cmake --install puts into place: the program with its data, and the libraries for other people's programs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/forerun)

# the program
install(TARGETS forerun COMPONENT program)
foreach(kind ${FORERUN_DATA_KINDS})
  install(DIRECTORY ${kind} DESTINATION ${CMAKE_INSTALL_DATADIR}/forerun COMPONENT program)
endforeach()

# its man pages and its completion, from its help texts
set(help_pages ${PROJECT_BINARY_DIR}/help)
add_custom_command(OUTPUT ${help_pages}/forerun.bash
  COMMAND ${CMAKE_COMMAND} -DFORERUN=$<TARGET_FILE:forerun> -DOUT=${help_pages} -P ${PROJECT_SOURCE_DIR}/tools/help_pages.cmake
  DEPENDS forerun tools/help_pages.cmake VERBATIM
  COMMENT "Writing man pages and completion")
add_custom_target(help_pages ALL DEPENDS ${help_pages}/forerun.bash)
install(DIRECTORY ${help_pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program FILES_MATCHING PATTERN "*.1.gz")
install(FILES ${help_pages}/forerun.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME forerun
  COMPONENT program)

# its services, which nobody starts by himself
install(FILES packaging/forerun-serve.service packaging/forerun-relay.service DESTINATION lib/systemd/system
  COMPONENT program)
install(FILES packaging/forerun-serve.default packaging/forerun-relay.default README.md CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)

# the libraries, but for those that are the program's own
list(TRANSFORM FORERUN_PUBLIC_ROOMS PREPEND forerun_ OUTPUT_VARIABLE libraries)
install(TARGETS ${libraries} EXPORT forerun COMPONENT dev)
set(header_rooms ${FORERUN_CORE_ROOMS} ${FORERUN_PUBLIC_ROOMS})
list(REMOVE_ITEM header_rooms core)
foreach(room ${header_rooms})
  file(GLOB headers CONFIGURE_DEPENDS forerun/${room}/*.hpp)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/forerun/${room} COMPONENT dev)
endforeach()
install(FILES forerun/wasm/core_api.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/forerun/wasm COMPONENT dev)

# Kenaf's C libraries
install(TARGETS hrt_kenaf_sim hrt_kenaf_can EXPORT forerun COMPONENT dev)
install(FILES forerun/kenaf/hrt_kenaf.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/forerun/kenaf COMPONENT dev)

# find_package(forerun)
install(EXPORT forerun FILE forerunTargets.cmake NAMESPACE forerun:: DESTINATION ${package_folder} COMPONENT dev)
configure_package_config_file(cmake/forerunConfig.cmake.in ${PROJECT_BINARY_DIR}/forerunConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/forerunConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/forerunConfig.cmake ${PROJECT_BINARY_DIR}/forerunConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT dev)

# pkg-config: static archives, those that use others first; the folder is found from where the .pc file lies
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
string(REGEX REPLACE "[^/]+" ".." pc_up ${pc_folder})
set(pc_prefix "\${pcfiledir}/${pc_up}")
set(pc_libs)
foreach(room ${FORERUN_PUBLIC_ROOMS})
  if(NOT room STREQUAL core)
    string(PREPEND pc_libs "-lforerun_${room} ")
  endif()
endforeach()
foreach(name forerun-core forerun)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pc_folder} COMPONENT dev)
endforeach()
foreach(way sim can)
  set(kenaf_library hrt_kenaf_${way})
  configure_file(cmake/hrt_kenaf.pc.in ${PROJECT_BINARY_DIR}/${kenaf_library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${kenaf_library}.pc DESTINATION ${pc_folder} COMPONENT dev)
endforeach()
