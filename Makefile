# SPDX-License-Identifier: GPL-2.0-only
# make            both binaries, in build/
# make unit       unit tests; make unit SAN=1: the same under ASan and UBSan
# make check      format, lint
# make check-btf  the BPF objects against the types of Debian's kernels, without a boot
# make install    PREFIX=/usr/local, DESTDIR for packagers
# make ARCH=arm64 SYSROOT=DIR   for another architecture, in build/arm64 (scripts/cross-build)
# V=1 shows the commands.

.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' '$(1)' '$(2)')

B      := build
VERSION := $(shell cat VERSION)
HOST   := $(shell uname -m | sed 's/x86_64/x86/; s/aarch64/arm64/')
ARCH   := $(HOST)
K      := build# what the kernel loads: the same for every build of an architecture
TRIPLET := $(shell uname -m)-linux-gnu
PKG_CONFIG := pkg-config
CC     ?= gcc
AR     := ar
CLANG  ?= clang
BPFTOOL ?= $(shell command -v bpftool || echo /usr/sbin/bpftool)
PKGS   := libbpf sqlite3 json-c libseccomp libsystemd libcrypto

ifeq ($(origin CC),default)
CC := gcc
endif

ifneq ($(ARCH),$(HOST))
ifneq ($(ARCH),arm64)
$(error the architecture $(ARCH) is none of x86, arm64)
endif
B      := build/$(ARCH)
K      := $(B)
TRIPLET := aarch64-linux-gnu
CC     := $(TRIPLET)-gcc --sysroot=$(SYSROOT)
AR     := $(TRIPLET)-ar
PKG_CONFIG := PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) \
  PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(TRIPLET)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig pkg-config
endif

WARN   := -Wall -Wextra -Werror -Wno-unused-parameter -Wno-missing-field-initializers -Wshadow -Wstrict-prototypes -Wundef
CFLAGS := -std=gnu11 -O2 -g $(WARN) -D_GNU_SOURCE -fno-strict-aliasing -fstack-protector-strong
ifdef SAN
B      := build/san
CFLAGS += -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LDSAN  := -fsanitize=address,undefined
endif
CPPFLAGS := -I. -Idaemon -I$(B) -I$(K) -DSANDFAULT_VERSION='"$(VERSION)"' \
            $(shell $(PKG_CONFIG) --cflags $(PKGS))
LIBS   := $(shell $(PKG_CONFIG) --libs $(PKGS)) -lcap -lunistring -lelf -lz -lpthread -lm
BPFFLAGS := -std=gnu11 -O2 -g -target bpf -mcpu=v3 -D__TARGET_ARCH_$(ARCH) -Wall -Werror \
            -Ivmlinux -Ibpf -I$(SYSROOT)/usr/include/$(TRIPLET)

# base first: the linker of libbpf 1.1 wants the definitions of shared maps before their users
BPF_SRC := bpf/base.bpf.c $(filter-out bpf/base.bpf.c,$(sort $(wildcard bpf/*.bpf.c)))
BPF_OBJ := $(BPF_SRC:bpf/%.bpf.c=$(K)/bpf/%.bpf.o)
LIB_SRC := $(filter-out daemon/main.c,$(sort $(wildcard daemon/*.c)))
SQL_SRC := $(sort $(wildcard daemon/*.sql))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o) $(SQL_SRC:%.sql=$(B)/%_sql.o)
CLI_SRC := $(sort $(wildcard cli/*.c))
CLI_OBJ := $(CLI_SRC:%.c=$(B)/%.o)
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(B)/tests/unit/%)

all: $(B)/sandfault $(B)/sandfaultd

-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d $(K)/bpf/*.d)

$(K)/bpf/%.bpf.o: bpf/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPFFLAGS) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

$(K)/sandfault.bpf.o: $(BPF_OBJ)
	$(call say,LINK,$@)
	$(Q)$(BPFTOOL) gen object $@ $^

$(K)/sandfault.skel.h: $(K)/sandfault.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name sandfault_bpf >$@

$(B)/daemon/sensors.o: | $(K)/sandfault.skel.h
$(B)/daemon/sensors.o: $(K)/sandfault.skel.h

# The schema is SQL that people can read; it goes into the library as strings, schema_sql and so on.
$(B)/daemon/%_sql.c: daemon/%.sql
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)(echo 'extern const char $*_sql[];'; echo 'const char $*_sql[] ='; \
	  sed 's/ *--.*//; s/\\/\\\\/g; s/"/\\"/g; s/^/\t"/; s/$$/\\n"/' $<; echo ';') >$@

$(B)/daemon/%_sql.o: $(B)/daemon/%_sql.c
	$(Q)$(CC) $(CFLAGS) -c $< -o $@

$(B)/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(B)/libsandfault.a: $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/sandfaultd: $(B)/daemon/main.o $(B)/libsandfault.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $^ $(LIBS)

$(B)/sandfault: $(CLI_OBJ) $(B)/libsandfault.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $^ $(LIBS)

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/libsandfault.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $^ $(LIBS) -lcmocka

replay: $(B)/tests/replay/replay

$(B)/tests/replay/replay: $(B)/tests/replay/replay.o $(B)/libsandfault.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $^ $(LIBS)

# What the kernel side says of tools' channels, for tests/kernel/channel*.py.
$(B)/tests/kernel/tap: $(B)/tests/kernel/tap.o $(B)/libsandfault.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $^ $(LIBS)

# The kernel side's registers, of both architectures on any machine.
$(B)/tests/unit/test_compat: $(B)/tests/unit/compat_x86.o $(B)/tests/unit/compat_arm64.o

unit: $(UNIT_BIN)
	$(Q)failed=0; for t in $^; do echo "== $$t"; $$t || failed=1; done; exit $$failed

# The suite that runs inside virtual machines; its actors need nothing but a kernel.
VM_SUITE_OBJ := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/vm/suite*.c)))
VM_ACTOR_OBJ := $(patsubst %.c,$(B)/%.o,$(sort $(filter-out %/actor32.c,$(wildcard tests/vm/actor*.c))))
VM_PROGRAMS  := $(B)/tests/vm/suite $(B)/tests/vm/actor $(B)/tests/vm/actor32

$(B)/tests/vm/suite: $(VM_SUITE_OBJ) $(B)/libsandfault.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $^ $(LIBS)

$(B)/tests/vm/actor: $(VM_ACTOR_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) -static -o $@ $^ -lpthread

# Of arm64's 32-bit brother no compiler is needed: clang knows it, and the linker of arm64 too.
ACTOR32_FLAGS := -std=gnu11 -O2 -ffreestanding -fomit-frame-pointer -fno-pic -fno-stack-protector
$(B)/tests/vm/actor32: tests/vm/actor32.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
ifeq ($(ARCH),arm64)
	$(Q)$(CLANG) --target=arm-linux-gnueabi -march=armv7-a -marm $(WARN) $(ACTOR32_FLAGS) -c -o $@.o $<
	$(Q)$(TRIPLET)-ld -m armelf_linux_eabi -static -o $@ $@.o
else
	$(Q)$(CC) $(WARN) $(ACTOR32_FLAGS) -m32 -nostdlib -static -no-pie -o $@ $<
endif

vm-suite: all $(VM_PROGRAMS)

# The object of the machine's own architecture and, on x86, arm64's; the latter needs no cross compiler.
BTF_TOOL := $(B)/tests/btf
BTF_ARM  := build/arm64/sandfault.bpf.o

$(BTF_TOOL)/check_btf: $(filter-out %/list_uses.o,$(patsubst %.c,$(B)/%.o,$(filter-out %.bpf.c,$(sort $(wildcard tests/btf/*.c))))) $(B)/libsandfault.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $^ $(LIBS)

$(BTF_TOOL)/list_uses: $(BTF_TOOL)/list_uses.o $(BTF_TOOL)/object.o $(BTF_TOOL)/spec.o
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) -o $@ $^ $(LIBS)

$(BTF_TOOL)/broken.bpf.o: tests/btf/broken.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPFFLAGS) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

check-btf: $(addprefix $(BTF_TOOL)/,check_btf list_uses broken.bpf.o) $(K)/sandfault.bpf.o
	$(Q)$(if $(filter x86,$(HOST)),$(MAKE) --no-print-directory ARCH=arm64 PKG_CONFIG=: $(BTF_ARM))
	$(Q)tests/btf/check $(BTF_TOOL) \
	  $(if $(filter x86,$(HOST)),amd64=$(K)/sandfault.bpf.o arm64=$(BTF_ARM),arm64=$(K)/sandfault.bpf.o)

C_FILES := $(wildcard daemon/*.[ch] cli/*.[ch] bpf/*.[ch] tests/unit/*.[ch] tests/replay/*.c tests/vm/*.[ch] \
  tests/kernel/tap.c tests/btf/*.[ch] tests/fuzz/*.c)

format:
	$(Q)clang-format -i $(C_FILES)

# A file a run: clang-tidy 14 carries the state of va_list over to the next file.
check: $(K)/sandfault.skel.h
	$(Q)clang-format --dry-run -Werror $(C_FILES)
	$(Q)printf '%s\n' $(wildcard daemon/*.c cli/*.c) | xargs -P "$$(nproc)" -I FILE \
	  clang-tidy --quiet FILE -- $(CPPFLAGS) $(CFLAGS)

PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
UNITDIR ?= $(PREFIX)/lib/systemd/system

# The group that may read the database and use the socket is made by the packager, or by
# `groupadd --system sandfault`.
install: all
	install -Dm755 $(B)/sandfaultd $(DESTDIR)$(PREFIX)/sbin/sandfaultd
	install -Dm755 $(B)/sandfault $(DESTDIR)$(PREFIX)/bin/sandfault
	install -Dm644 man/sandfault.1 $(DESTDIR)$(PREFIX)/share/man/man1/sandfault.1
	install -Dm644 man/sandfaultd.8 $(DESTDIR)$(PREFIX)/share/man/man8/sandfaultd.8
	test -e $(DESTDIR)$(SYSCONFDIR)/sandfault.conf || \
		install -Dm644 etc/sandfault.conf $(DESTDIR)$(SYSCONFDIR)/sandfault.conf
	sed 's|@SBINDIR@|$(PREFIX)/sbin|' etc/sandfault.service | \
		install -Dm644 /dev/stdin $(DESTDIR)$(UNITDIR)/sandfault.service

clean:
	$(Q)rm -rf build

.PHONY: all replay unit vm-suite format check check-btf install clean
.SECONDARY:
