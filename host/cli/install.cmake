# Installs the programs and their data (`cmake --install`, `make package`). Programs find their files next to themselves and in
# ../share/weft. Missing build products are skipped; `make package` builds all of them.
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR}/weft)

foreach(program weft weft-inspect weft-words weft-board weft-program-board weft-asm)
  if(TARGET ${program})
    install(PROGRAMS $<TARGET_FILE:${program}> DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
  endif()
endforeach()

# libweft: the shared library, its headers, and what find_package(weft) reads.
if(TARGET weft_shared)
  install(TARGETS weft_shared weft_c EXPORT weft LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
  if(TARGET weft_inspected)
    install(TARGETS weft_inspected LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
  endif()
  install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
  install(EXPORT weft NAMESPACE weft:: FILE weftTargets.cmake DESTINATION ${package})
  install(FILES ${CMAKE_BINARY_DIR}/cmake/weftConfig.cmake ${CMAKE_BINARY_DIR}/cmake/weftConfigVersion.cmake
    DESTINATION ${package})
endif()

install(DIRECTORY configs DESTINATION ${share} FILES_MATCHING PATTERN *.yaml PATTERN corpus.txt)
install(DIRECTORY configs/shakespeare DESTINATION ${share}/configs)
install(FILES fpga/70-weft-boards.rules DESTINATION lib/udev/rules.d)
install(FILES host/cli/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})  # where Debian's packages have it
install(DIRECTORY scripts/gpt DESTINATION ${share}/scripts USE_SOURCE_PERMISSIONS
  PATTERN model_dir EXCLUDE PATTERN "gpt3_*" EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY scripts/csrun DESTINATION ${share}/scripts USE_SOURCE_PERMISSIONS)
install(PROGRAMS scripts/csrun_wse DESTINATION ${share}/scripts)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.png)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Bitstreams, each with its build number: those that `make fpga` has built by the time of the installation.
set(WEFT_BITSTREAMS ${CMAKE_BINARY_DIR}/fpga CACHE PATH "A folder of NAME/weft.bit, which are installed")
install(CODE "
  if(NOT WEFT_BITSTREAMS)
    set(WEFT_BITSTREAMS \"${WEFT_BITSTREAMS}\")
  endif()
  file(GLOB bitstreams \"\${WEFT_BITSTREAMS}/*/weft.bit\")
  foreach(bitstream \${bitstreams})
    get_filename_component(folder \"\${bitstream}\" DIRECTORY)
    get_filename_component(board \"\${folder}\" NAME)
    file(GLOB files \"\${bitstream}\" \"\${folder}/weft.build\")
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${share}/boards/\${board}\" TYPE FILE FILES \${files})
  endforeach()
")

# A symbolic link, and the pages that the program generates.
install(CODE "
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  file(CREATE_LINK ../${share}/scripts/csrun_wse \"\${root}/${CMAKE_INSTALL_BINDIR}/csrun_wse\" SYMBOLIC)
  set(weft \"\${root}/${CMAKE_INSTALL_BINDIR}/weft\")
  foreach(page \"completion bash;bash-completion/completions/weft\" \"completion zsh;zsh/vendor-completions/_weft\"
      \"manual;man/man1/weft.1\")
    list(GET page 0 words)
    list(GET page 1 file)
    separate_arguments(words)
    get_filename_component(folder \"\${root}/${CMAKE_INSTALL_DATADIR}/\${file}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND \"\${weft}\" \${words} OUTPUT_FILE \"\${root}/${CMAKE_INSTALL_DATADIR}/\${file}\" RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
      message(FATAL_ERROR \"\${weft} \${words}: \${code}\")
    endif()
  endforeach()
")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_CONTACT "Weft's maintainers <weft@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "weight-streaming wafers that train language models, simulated")
set(CPACK_PACKAGE_DESCRIPTION "Trains language models on one or many simulated wafers, as a functional model or as their RTL, or on boards.
 The programs are for processors with AVX2 and FMA (x86-64-v3).")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, bash-completion")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "slurm-client, gtkwave, openfpgaloader")
include(CPack)
