# The page within the program: web/dist as Vite built it, and core.wasm. Without them the program says so in their place.
set(page_folder ${CMAKE_BINARY_DIR}/page)
set(page_list ${page_folder}/embedded_files.cpp)
add_custom_target(embed_page
  COMMAND ${CMAKE_COMMAND} -DDIST=${CMAKE_SOURCE_DIR}/web/dist -DWASM=${FORERUN_CORE_WASM} -DOUT=${page_folder}
    -P ${CMAKE_SOURCE_DIR}/tools/embed.cmake
  BYPRODUCTS ${page_list} VERBATIM
  COMMENT "Looking at the page")
foreach(first core_wasm web_page)
  if(TARGET ${first})
    add_dependencies(embed_page ${first})
  endif()
endforeach()
target_sources(forerun_app PRIVATE ${page_list})
add_dependencies(forerun_app embed_page)
