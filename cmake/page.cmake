# The page within the program: web/ as Vite builds it, and core.wasm. Without them the program says so in their place.
option(FORERUN_PAGE "Build the page in web/ (needs Node and the registry of npm)" ${PROJECT_IS_TOP_LEVEL})
set(page_folder ${PROJECT_BINARY_DIR}/page)
set(page_dist ${page_folder}/dist)

find_program(FORERUN_NODE NAMES node nodejs)
find_program(FORERUN_NPM NAMES npm)
if(FORERUN_PAGE AND NOT FORERUN_NODE)
  message(STATUS "the page is not built: it needs Node")
elseif(FORERUN_PAGE)
  set(web ${PROJECT_SOURCE_DIR}/web)
  # npm itself writes this file, last of all; where it is set up for another registry, it knows how to get there
  set(web_modules ${web}/node_modules/.package-lock.json)
  if(FORERUN_NPM)
    set(install_modules ${FORERUN_NPM} ci --no-audit --no-fund --ignore-scripts --loglevel=error)
  else()
    set(install_modules ${FORERUN_NODE} ${web}/tools/install.mjs)
  endif()
  add_custom_command(OUTPUT ${web_modules}
    COMMAND ${install_modules}
    COMMAND ${CMAKE_COMMAND} -E touch ${web_modules}
    DEPENDS ${web}/package.json ${web}/package-lock.json
    WORKING_DIRECTORY ${web} VERBATIM
    COMMENT "Installing the page's packages")
  add_custom_target(web_modules DEPENDS ${web_modules})

  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css)
  add_custom_command(OUTPUT ${page_dist}/index.html
    COMMAND ${FORERUN_NODE} node_modules/typescript/bin/tsc --noEmit
    COMMAND ${FORERUN_NODE} node_modules/vite/bin/vite.js build --outDir ${page_dist} --emptyOutDir --logLevel warn
    DEPENDS ${web_modules} ${page_sources} ${web}/index.html ${web}/vite.config.ts ${web}/tsconfig.json
    WORKING_DIRECTORY ${web} VERBATIM
    COMMENT "Building the page")
  add_custom_target(web_page DEPENDS ${page_dist}/index.html)
  add_dependencies(web_page web_modules)
endif()

set(page_list ${page_folder}/embedded_files.cpp)
add_custom_target(embed_page
  COMMAND ${CMAKE_COMMAND} -DDIST=${page_dist} -DWASM=${FORERUN_CORE_WASM} -DOUT=${page_folder}
    -P ${PROJECT_SOURCE_DIR}/tools/embed.cmake
  BYPRODUCTS ${page_list} VERBATIM
  COMMENT "Looking at the page")
foreach(first core_wasm web_page)
  if(TARGET ${first})
    add_dependencies(embed_page ${first})
  endif()
endforeach()
target_sources(forerun_web PRIVATE ${page_list})
add_dependencies(forerun_web embed_page)
