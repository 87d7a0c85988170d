// SPDX-License-Identifier: MIT
#include "CCryptoShim.h"
