# Ready worlds, robots, scenarios and link profiles: the program looks for them in share/forerun, beside itself or beside
# its folder (forerun/io/data_folders.hpp). In the build folder that is a folder of links into the source tree, so no
# program knows where its sources were.
set(FORERUN_DATA_KINDS worlds robots scenarios profiles)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/forerun)
foreach(kind ${FORERUN_DATA_KINDS})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${kind} ${PROJECT_BINARY_DIR}/share/forerun/${kind} SYMBOLIC)
endforeach()
