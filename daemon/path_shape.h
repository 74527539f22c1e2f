/* SPDX-License-Identifier: GPL-2.0-only */
/* Shapes of a path that give away what the tool layer handed in. Pure, on the raw text. */
#ifndef SANDFAULT_PATH_SHAPE_H
#define SANDFAULT_PATH_SHAPE_H

#include "model.h"

bool shape_cr(const struct signature *s);      /* a component ends in a carriage return */
bool shape_tilde(const struct signature *s);   /* a literal component ~, or ~user in front */
bool shape_foreign(const struct signature *s); /* C:\…, \\host\…, /Users/…, src\main.py */
bool shape_quoted(const struct signature *s);  /* literal quotes around it, or its last component */
bool shape_replacement(const struct signature *s); /* U+FFFD in it */
bool shape_bad_utf8(const struct signature *s);	   /* bytes that are no UTF-8 */
bool shape_sibling(const struct signature *s);	   /* explain found an equal name, normalized */
bool shape_escaped(const struct signature *s);	   /* \n, \u0041, %20 as text */
bool shape_empty(const struct signature *s);	   /* a path of no bytes */

#endif
