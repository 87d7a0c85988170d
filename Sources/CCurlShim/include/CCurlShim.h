// SPDX-License-Identifier: MIT
#ifndef CCURLSHIM_H
#define CCURLSHIM_H
#endif
