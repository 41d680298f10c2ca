# Writes OUTPUT, a header that names this build of the engine: a hash of its sources and of CONFIGURATION (compiler, options that change types).
# Programs refuse modules of another build.   cmake -D SOURCES=src -D CONFIGURATION=... -D OUTPUT=... -P build_id.cmake
file(GLOB_RECURSE files RELATIVE ${SOURCES} ${SOURCES}/base/*.?pp ${SOURCES}/model/*.?pp ${SOURCES}/engine/*.?pp)
list(SORT files)
set(hashes "${CONFIGURATION}")
foreach(file ${files})
  file(SHA256 ${SOURCES}/${file} hash)
  string(APPEND hashes "${file} ${hash}\n")
endforeach()
string(SHA256 id "${hashes}")
string(SUBSTRING ${id} 0 16 id)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// Written by cmake/build_id.cmake.
#pragma once

namespace scree {

inline constexpr char build_id[] = \"@id@\";

}  // namespace scree
")
