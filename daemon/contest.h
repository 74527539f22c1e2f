/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Was it the tool that left a file shorter than what it was given, or did somebody else write
 * there, whom the channel does not show? The kernel has seen every open that may make a file.
 * Pure.
 */
#ifndef SANDFAULT_CONTEST_H
#define SANDFAULT_CONTEST_H

#include "call.h"
#include "model.h"

/*
 * Another process of the task than the server, or one of the server's children, opened the
 * fault's file to write it anew between the write that is compared and a moment after the call.
 * False too where nobody can know: the file's name was not kept.
 */
bool contest_written(const struct task *t, const struct call *c, const struct call_fault *f);

#endif
