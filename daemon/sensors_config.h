/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs are told before they are loaded: of the machine, and of its syscalls. */
#ifndef SANDFAULT_SENSORS_CONFIG_H
#define SANDFAULT_SENSORS_CONFIG_H

#include "../bpf/event.h"
#include "grants.h"

/* All that does not depend on settings, or on which programs are taken. */
void sensors_fill_config(struct sf_config *config, const struct grants *grants);

#endif
