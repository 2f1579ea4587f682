# SPDX-License-Identifier: Apache-2.0
# find_package(ilk) yields ilk::ilk, the shared library. Static users: pkg-config --static, which knows what it needs.
include("${CMAKE_CURRENT_LIST_DIR}/ilk-targets.cmake")
