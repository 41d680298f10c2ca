// Runs the Python scripts that come with the program: they draw with Matplotlib, which has no equal in C++.
#pragma once

#include <string>

namespace scree {

/// Runs share/scree/python/NAME with one argument, a JSON document, and returns its exit code. Scripts lie beside the folder of the
/// program, as modules do. Python is what SCREE_PYTHON names, else the first of /usr/bin/python3 and `python3` of PATH that has NumPy,
/// Matplotlib and h5py. Throws Error where there is none, or no script.
int run_python_script(const std::string& name, const std::string& argument);

/// Absolute path of the running program.
std::string own_program();

}  // namespace scree
