# make package: `forerun` (program, data, services, man pages) and `forerun-dev` (libraries and headers) for Debian.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME forerun)
set(CPACK_PACKAGE_VENDOR Forerun)
# a name without an address is enough for dpkg, and the developers have no common address
set(FORERUN_PACKAGE_CONTACT "The Forerun developers" CACHE STRING
  "who answers for the packages: a name, and an address in angle brackets where packages are handed on")
set(CPACK_PACKAGE_CONTACT "${FORERUN_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "watch and command a mobile robot over bad networks")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_COMPONENTS_ALL program dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME forerun)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "A faithful copy of the robot, with its planner, collision avoidance and sensors, runs\nahead of the link and is corrected by every packet: it is seen as it is now.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME forerun-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libmujoco-dev, libpng-dev, libsodium-dev, libssl-dev, libturbojpeg0-dev, libyaml-cpp-dev, nlohmann-json3-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "forerun (= ${PROJECT_VERSION}), pkgconf")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Libraries, headers, CMake package and pkg-config files of Forerun.")
include(CPack)
