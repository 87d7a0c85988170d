// SPDX-License-Identifier: MIT
#ifndef CCRYPTOSHIM_H
#define CCRYPTOSHIM_H
#endif
