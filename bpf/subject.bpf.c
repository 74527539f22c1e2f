/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a syscall was about: its subject, as text in scratch memory and as a hash.
 */
#include "emit.bpf.h"
#include <bpf/bpf_endian.h>

/*
 * Over the first `len` bytes of the text, a word at a time, into s->hash; the rest of the last word
 * belongs to an earlier text and is cleared. A global function: the verifier walks its 512 rounds
 * once and not at every call.
 */
int subject_hash(u32 slot, u32 len, u64 seed)
{
	struct sf_scratch *s = scratch_at(slot);
	u64 *word, h = seed;
	u32 i, words;

	if (!s || len > SF_PATH)
		return 0;
	barrier_var(len);
	if (len > SF_PATH)
		return 0;
	*(u64 *)(s->bell.data + len) = 0;
	word = (u64 *)s->bell.data;
	words = (len + 7) / 8;
	for (i = 0; i < SF_PATH / 8; i++) {
		if (i >= words)
			break;
		h = hash_mix(h, word[i]);
	}
	h = hash_mix(h, len);
	s->hash = h ? h : 1; /* 0 means: no subject */
	return 0;
}

/* ---- addresses ---- */

struct sockaddr_head {
	u16 family;
	u16 port;
	u32 addr; /* IPv6: flow information */
};

static __always_inline void subject_address(struct sf_scratch *s, u32 len)
{
	s->text_kind = SF_TEXT_SOCKADDR;
	s->text_len = len;
	subject_hash(s->slot, len, HASH_SEED + SF_TEXT_SOCKADDR);
}

/* The name that a unix socket was bound to; a socketpair has none. */
static __always_inline u32 subject_unix(struct sf_scratch *s, struct sock *sk)
{
	struct unix_address *addr = BPF_CORE_READ((struct unix_sock *)sk, addr);
	u32 len;

	if (!addr)
		return sizeof(u16);
	len = BPF_CORE_READ(addr, len);
	if (len > SF_SOCKADDR)
		len = SF_SOCKADDR;
	barrier_var(len);
	if (len > SF_SOCKADDR)
		return sizeof(u16);
	bpf_core_read(s->bell.data, len, &addr->name);
	return len;
}

static __always_inline void subject_socket(struct sf_scratch *s, struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sockaddr_head *head = (void *)s->bell.data;
	struct sock *sk = BPF_CORE_READ(socket, sk);
	u32 len = sizeof(u16);

	__builtin_memset(s->bell.data, 0, 32);
	head->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	if (head->family == AF_INET) {
		head->port = BPF_CORE_READ(sk, __sk_common.skc_dport);
		head->addr = BPF_CORE_READ(sk, __sk_common.skc_daddr);
		len = 16;
	} else if (head->family == AF_INET6) {
		head->port = BPF_CORE_READ(sk, __sk_common.skc_dport);
		bpf_core_read(s->bell.data + 8, 16, &sk->__sk_common.skc_v6_daddr);
		len = 28;
	} else if (head->family == AF_UNIX) {
		len = subject_unix(s, BPF_CORE_READ((struct unix_sock *)sk, peer));
	}
	subject_address(s, len);
}

/* What a socket is bound to: for port 0 the kernel chose one. False: not of a family we know. */
static __always_inline bool subject_bound(struct sf_scratch *s, u32 fd)
{
	struct file *file = task_file(compat_current(), fd);
	struct sockaddr_head *head = (void *)s->bell.data;
	struct socket *socket;
	struct sock *sk;
	u32 len;

	if (!file || (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return false;
	socket = BPF_CORE_READ(file, private_data);
	sk = BPF_CORE_READ(socket, sk);
	__builtin_memset(s->bell.data, 0, 32);
	head->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	if (head->family == AF_INET) {
		head->addr = BPF_CORE_READ(sk, __sk_common.skc_rcv_saddr);
		len = 16;
	} else if (head->family == AF_INET6) {
		bpf_core_read(s->bell.data + 8, 16, &sk->__sk_common.skc_v6_rcv_saddr);
		len = 28;
	} else if (head->family == AF_UNIX) {
		len = subject_unix(s, sk);
	} else {
		return false;
	}
	if (head->family != AF_UNIX)
		head->port = bpf_htons(BPF_CORE_READ(sk, __sk_common.skc_num));
	subject_address(s, len);
	return true;
}

static __always_inline void subject_sockaddr(struct sf_scratch *s, u64 addr, u32 len)
{
	long failed;

	if (len > SF_SOCKADDR)
		len = SF_SOCKADDR;
	barrier_var(len);
	if (!addr || !len || len > SF_SOCKADDR)
		return;
	failed = s->sys.subject == SF_SUBJ_ADDRESS
			 ? bpf_probe_read_kernel(s->bell.data, len, (void *)addr)
			 : bpf_probe_read_user(s->bell.data, len, (void *)addr);
	if (failed) {
		s->text_kind = SF_TEXT_UNREADABLE;
		counter_add(SF_C_TEXT_UNREADABLE);
		return;
	}
	s->text_kind = SF_TEXT_SOCKADDR;
	s->text_len = len;
	/* Beyond its address a sockaddr_in is padding that nobody clears. */
	if (*(u16 *)s->bell.data == AF_INET && len > 8)
		len = 8;
	else if (*(u16 *)s->bell.data == AF_INET6 && len > 28)
		len = 28;
	subject_hash(s->slot, len, HASH_SEED + SF_TEXT_SOCKADDR);
}

/* ---- descriptors ---- */

static __noinline int subject_file(struct sf_scratch *s, u64 address)
{
	struct file *file = (void *)address;
	struct inode *inode;
	u64 h;

	if (!file)
		return 0;
	inode = BPF_CORE_READ(file, f_inode);
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFSOCK) {
		subject_socket(s, file);
		return 0;
	}
	h = hash_mix(HASH_SEED + SF_TEXT_FD, BPF_CORE_READ(inode, i_sb, s_dev));
	h = hash_mix(h, BPF_CORE_READ(inode, i_ino));
	s->hash = h ? h : 1;
	s->from_dentry = (u64)BPF_CORE_READ(file, f_path.dentry);
	s->from_mnt = (u64)BPF_CORE_READ(file, f_path.mnt);
	s->text_kind = SF_TEXT_FD;
	s->late_fd = 1;
	return 0;
}

static __always_inline void subject_fd(struct sf_scratch *s, u32 fd)
{
	subject_file(s, (u64)task_file(compat_current(), fd));
}

/* ---- paths ---- */

/* The directory that a relative path starts from goes into its hash, by device and inode. */
static __always_inline u64 subject_base(struct sf_scratch *s, struct task_struct *task, u32 fd)
{
	struct dentry *dentry;
	struct file *file;
	u64 h;

	if ((s32)fd == AT_FDCWD) {
		dentry = TASK_READ(task, fs, pwd.dentry);
		s->from_mnt = (u64)TASK_READ(task, fs, pwd.mnt);
		s->from_dentry = (u64)dentry;
		h = hash_mix(HASH_SEED, TASK_READ(dentry, d_sb, s_dev));
		return hash_mix(h, TASK_READ(dentry, d_inode, i_ino));
	}
	file = task_file(task, fd);
	if (!file)
		return HASH_SEED;
	dentry = BPF_CORE_READ(file, f_path.dentry);
	s->from_mnt = (u64)BPF_CORE_READ(file, f_path.mnt);
	s->from_dentry = (u64)dentry;
	h = hash_mix(HASH_SEED, BPF_CORE_READ(dentry, d_sb, s_dev));
	return hash_mix(h, BPF_CORE_READ(dentry, d_inode, i_ino));
}

static __always_inline void subject_path(struct sf_scratch *s, u64 addr, u32 fd)
{
	u64 seed = HASH_SEED;
	long len = 0;

	if (addr && s->sys.subject == SF_SUBJ_NAME)
		len = bpf_probe_read_kernel_str(s->bell.data, SF_PATH + 1, (void *)addr);
	else if (addr)
		len = bpf_probe_read_user_str(s->bell.data, SF_PATH + 1, (void *)addr);
	if (len < 0) {
		s->text_kind = SF_TEXT_UNREADABLE;
		counter_add(SF_C_TEXT_UNREADABLE);
		return;
	}
	/* No path, or an empty one (AT_EMPTY_PATH): the descriptor itself. */
	if (len <= 1 && (s32)fd >= 0) {
		subject_fd(s, fd);
		return;
	}
	s->text_kind = SF_TEXT_PATH;
	s->text_cut = len > SF_PATH;
	s->text_len = len ? len - 1 : 0;
	if (s->bell.data[0] != '/' || len <= 1)
		seed = subject_base(s, compat_current(), fd);
	subject_hash(s->slot, s->text_len, seed);
}

/* ---- by the syscall's entry in the table ---- */

static __always_inline u64 subject_arg(struct sf_scratch *s, u32 index)
{
	return index < 6 ? s->args[index] : 0;
}

static __always_inline void subject_value(struct sf_scratch *s, u64 value)
{
	*(u64 *)s->bell.data = value;
	s->text_kind = SF_TEXT_ARG;
	s->text_len = sizeof(value);
	subject_hash(s->slot, sizeof(value), HASH_SEED + SF_TEXT_ARG);
}

int subject_read(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct msghdr_native msg = {};
	u64 arg, other;
	u32 kind;

	if (!s)
		return 0;
	kind = s->sys.subject;
	arg = subject_arg(s, s->sys.path_arg);
	other = subject_arg(s, s->sys.dirfd_arg);

	/* The registers of a refused call are valid, what they point at was never looked at and
	 * may not even be in memory. */
	if (s->key.entry == SF_DENIED && kind != SF_SUBJ_ARG)
		return 0;
	if (kind == SF_SUBJ_PATH || kind == SF_SUBJ_NAME) {
		subject_path(s, arg, s->sys.dirfd_arg < 6 ? (u32)other : AT_FDCWD);
	} else if (kind == SF_SUBJ_SOCKADDR || kind == SF_SUBJ_BOUND || kind == SF_SUBJ_ADDRESS) {
		if (kind == SF_SUBJ_BOUND && !s->key.err && subject_bound(s, s->args[0]))
			return 0;
		subject_sockaddr(s, arg, other);
	} else if (kind == SF_SUBJ_FD) {
		subject_fd(s, arg);
	} else if (kind == SF_SUBJ_FILE) {
		subject_file(s, arg);
	} else if (kind == SF_SUBJ_ARG) {
		subject_value(s, arg);
	} else if (kind == SF_SUBJ_MSGHDR) {
		compat_msghdr(&msg, arg, s->key.abi == SF_ABI_COMPAT);
		if (msg.name && msg.namelen)
			subject_sockaddr(s, msg.name, msg.namelen);
		else
			subject_fd(s, other);
	}
	return 0;
}
