// SPDX-License-Identifier: MIT
#include "CCurlShim.h"
