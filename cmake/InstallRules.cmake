# What `cmake --install` puts where, and the package files for find_package(gpu_advisor).
