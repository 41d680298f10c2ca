// Is a device there, and what is it called? A missing driver is an answer, not a crash.
#pragma once

#include <string>

#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

/// Empty where kernels of this flavor can run here, else the reason.
std::string device_problem();
/// Name of the processor or device kernels run on.
std::string device_name();
/// Waits for all kernels started before; a device's error becomes scree::RunError naming `where`. Nothing to do on the host.
void synchronize(const char* where);
/// Throws scree::RunError naming the kernel where the device refused to start it. Nothing to do on the host.
void check_launch(const char* label);

}  // namespace scree::SCREE_FLAVOR
