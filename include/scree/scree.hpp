// The whole library.
#pragma once

#include <scree/config.hpp>
#include <scree/errors.hpp>
#include <scree/run_reader.hpp>
#include <scree/scene.hpp>
#include <scree/simulation.hpp>
#include <scree/state.hpp>
