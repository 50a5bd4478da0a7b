// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace apertune::plugins {

struct Description;

/// Adds the GPUs that the driver shows, or a note with the reason why there are none. It asks the driver's own library,
/// and creates no context. Never throws.
void addCudaDevices(Description& info);

} // namespace apertune::plugins
