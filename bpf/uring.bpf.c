/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests of io_uring, which are no syscalls: a failing completion counts as the failing syscall
 * that would have done the same. It comes in the name of the task, inline, in a worker or in the
 * thread that polls; by then the path is freed, so that is kept from the submission on. Optional:
 * before 6.0 the tracepoints do not name the request.
 */
#include "call.bpf.h"

#define ETIME	  62
#define ECANCELED 125

#define REQUEST_TEXT 512

/* include/uapi/linux/io_uring.h, enum io_uring_op */
enum {
	OP_CONNECT = 16,
	OP_OPENAT = 18,
	OP_STATX = 21,
	OP_OPENAT2 = 28,
	OP_RENAMEAT = 35,
	OP_UNLINKAT = 36,
	OP_MKDIRAT = 37,
	OP_SYMLINKAT = 38,
	OP_LINKAT = 39,
};

/* What a request is about, while it is under way. */
struct request {
	s32 dfd;
	u32 len; /* of an address; of a path that, and its terminator: not needed */
	u64 flags;
	char text[REQUEST_TEXT];
};

/* By address of the request. One that is pushed out has no subject any more, nothing else is lost. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 2048);
	__type(key, u64);
	__type(value, struct request);
} requests SEC(".maps");

static const struct request request_empty = {};

/* ---- submission ---- */

/* Between 6.18 and 7.3 the pointer was wrapped (struct delayed_filename, include/linux/fs.h); it is the
 * only thing in there. */
#define REQUEST_NAME(type, command, field)                                                         \
	({                                                                                         \
		struct type *__now = (void *)(command);                                            \
		struct type##___delayed *__later = (void *)(command);                              \
		struct filename *__name = NULL;                                                    \
		if (bpf_core_field_exists(__later->field.__incomplete_filename))                   \
			__name = BPF_CORE_READ(__later, field.__incomplete_filename);              \
		else                                                                               \
			__name = BPF_CORE_READ(__now, field);                                      \
		__name;                                                                            \
	})

static __always_inline struct filename *request_name(void *command, u32 op)
{
	switch (op) {
	case OP_OPENAT:
	case OP_OPENAT2:
		return REQUEST_NAME(io_open, command, filename);
	case OP_STATX:
		return REQUEST_NAME(io_statx, command, filename);
	case OP_UNLINKAT:
		return REQUEST_NAME(io_unlink, command, filename);
	case OP_MKDIRAT:
		return REQUEST_NAME(io_mkdir, command, filename);
	case OP_RENAMEAT:
		return REQUEST_NAME(io_rename, command, newpath);
	case OP_SYMLINKAT:
	case OP_LINKAT:
		return REQUEST_NAME(io_link, command, newpath);
	default:
		return NULL;
	}
}

/* The descriptor that its path starts from. */
static __always_inline s32 request_dfd(void *command, u32 op)
{
	if (op == OP_RENAMEAT)
		return BPF_CORE_READ((struct io_rename *)command, new_dfd);
	if (op == OP_SYMLINKAT || op == OP_LINKAT)
		return BPF_CORE_READ((struct io_link *)command, new_dfd);
	return BPF_CORE_READ((struct io_open *)command,
			     dfd); /* in all the others at the same place */
}

static __always_inline void request_connect(struct request *r, struct io_connect *connect)
{
	u32 len = BPF_CORE_READ(connect, addr_len);

	if (len > SF_SOCKADDR)
		len = SF_SOCKADDR;
	barrier_var(len);
	if (len > SF_SOCKADDR)
		return;
	if (!bpf_probe_read_user(r->text, len, BPF_CORE_READ(connect, addr)))
		r->len = len;
}

static __always_inline int request_submitted(struct io_kiocb *req)
{
	struct task_struct *task = compat_current();
	u64 key = (u64)req, cgroup;
	u32 op = BPF_CORE_READ(req, opcode);
	struct filename *name;
	struct request *r;
	void *command;

	if (op != OP_CONNECT && op != OP_OPENAT && op != OP_STATX && op != OP_OPENAT2 &&
	    (op < OP_RENAMEAT || op > OP_LINKAT))
		return 0;
	if (!task_instance(task, &cgroup))
		return 0;
	bpf_map_update_elem(&requests, &key, &request_empty, BPF_ANY);
	r = bpf_map_lookup_elem(&requests, &key);
	if (!r)
		return 0;
	command = (void *)req + bpf_core_field_offset(struct io_kiocb, cmd);
	if (op == OP_CONNECT) {
		request_connect(r, command);
		return 0;
	}
	r->dfd = request_dfd(command, op);
	if (op == OP_OPENAT || op == OP_OPENAT2)
		r->flags = BPF_CORE_READ((struct io_open *)command, how.flags);
	name = request_name(command, op);
	if (name)
		bpf_probe_read_kernel_str(r->text, sizeof(r->text), BPF_CORE_READ(name, name));
	return 0;
}

SEC("tp_btf/io_uring_submit_req")
int BPF_PROG(handle_io_uring_submit_req, struct io_kiocb *req)
{
	return request_submitted(req);
}

/* Its older name: in 6.1, no longer in 6.12. */
SEC("tp_btf/io_uring_submit_sqe")
int BPF_PROG(handle_io_uring_submit_sqe, struct io_kiocb *req, bool force_nonblock)
{
	return request_submitted(req);
}

/* ---- completion ---- */

/* Where the table looks for it. */
static __always_inline void request_set_arg(struct sf_scratch *s, u32 index, u64 value)
{
	barrier_var(index);
	if (index < 6)
		s->args[index] = value;
}

static __always_inline void request_subject(struct sf_scratch *s, struct io_kiocb *req,
					    struct request *r)
{
	struct file *file;

	if (s->sys.subject == SF_SUBJ_PATH && r) {
		s->sys.subject = SF_SUBJ_NAME;
		request_set_arg(s, s->sys.path_arg, (u64)r->text);
		request_set_arg(s, s->sys.dirfd_arg, (u32)r->dfd);
		request_set_arg(s, s->sys.flags_arg, r->flags);
	} else if (s->sys.subject == SF_SUBJ_SOCKADDR && r) {
		s->sys.subject = SF_SUBJ_ADDRESS;
		request_set_arg(s, s->sys.path_arg, (u64)r->text);
		request_set_arg(s, s->sys.dirfd_arg, r->len);
	} else if (s->sys.subject == SF_SUBJ_FD || s->sys.subject == SF_SUBJ_MSGHDR) {
		file = BPF_CORE_READ(req, file);
		s->sys.subject = file ? SF_SUBJ_FILE : SF_SUBJ_NONE;
		request_set_arg(s, s->sys.path_arg, (u64)file);
	} else {
		s->sys.subject = SF_SUBJ_NONE;
	}
}

/* Does a success count that the kernel side folds for the syscall? */
static __always_inline bool request_matters(const struct request *r,
					    const volatile struct sf_sys *sys)
{
	if (!r || !(sys->flags & (SF_SYS_SUCCESS | SF_SYS_CREAT)))
		return false;
	return !(sys->flags & SF_SYS_CREAT) || r->flags & O_CREAT;
}

/* As call_failed() for a syscall, so that counts are as exact. */
static __always_inline void request_failed(struct io_kiocb *req, struct request *r, u64 nr, u32 err)
{
	struct task_struct *task = compat_current();
	u64 cgroup, instance = task_instance(task, &cgroup);
	struct sf_scratch *s;

	/* Called back by the program itself, and the end of a timer that was set on another. */
	if (!instance || err == ECANCELED || err == ETIME)
		return;
	counter_add(SF_C_FAILED);
	counter_add(SF_C_REQUEST);
	barrier_var(nr);
	if (nr >= SF_NR_MAX)
		return;
	if (call_is_benign(&config.sys[SF_ABI_NATIVE][nr], err)) {
		call_count_benign(instance);
		return;
	}
	s = noncall_slot(task, instance, cgroup, nr, err, SF_REQUEST);
	if (!s) {
		signature_fold_bare(instance, err, nr, SF_ABI_NATIVE, SF_REQUEST);
		return;
	}
	request_subject(s, req, r);
	call_fold(s);
	scratch_put(s);
}

static __always_inline void request_succeeded(struct io_kiocb *req, struct request *r, u64 nr)
{
	struct task_struct *task = compat_current();
	u64 cgroup, instance = task_instance(task, &cgroup);
	struct sf_scratch *s;

	barrier_var(nr);
	if (!instance || nr >= SF_NR_MAX || !request_matters(r, &config.sys[SF_ABI_NATIVE][nr]))
		return;
	s = noncall_slot(task, instance, cgroup, nr, 0, SF_REQUEST);
	if (!s)
		return;
	counter_add(SF_C_SUCCESS);
	request_subject(s, req, r);
	call_fold(s);
	scratch_put(s);
}

static __always_inline int request_completed(struct io_kiocb *req, long ret)
{
	u64 key = (u64)req;
	struct request *r;
	u64 nr; /* not 32 bits: 6.1 forgets the bounds of those when they are kept on the stack */
	u32 op;

	if (!req)
		return 0;
	r = bpf_map_lookup_elem(&requests, &key);
	if (!r && (ret >= 0 || ret < -MAX_ERRNO))
		return 0;
	op = BPF_CORE_READ(req, opcode);
	barrier_var(op);
	nr = op < SF_REQUESTS ? config.request_nr[op] : SF_NR_MAX;
	if (nr < SF_NR_MAX && ret < 0)
		request_failed(req, r, nr, -ret);
	else if (nr < SF_NR_MAX)
		request_succeeded(req, r, nr);
	if (r)
		bpf_map_delete_elem(&requests, &key);
	return 0;
}

/* Between 6.12 and 6.18 it was given the whole completion in place of its parts (both forms are in
 * include/trace/events/io_uring.h). */
SEC("tp_btf/io_uring_complete")
int BPF_PROG(handle_io_uring_complete, struct io_ring_ctx *ring, void *req,
	     struct io_uring_cqe *cqe)
{
	return request_completed(req, BPF_CORE_READ(cqe, res));
}

SEC("tp_btf/io_uring_complete")
int BPF_PROG(handle_io_uring_complete_res, void *ring, void *req, u64 user_data, int res)
{
	return request_completed(req, res);
}
