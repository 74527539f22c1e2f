// SPDX-License-Identifier: GPL-2.0-only
/* attach OBJECT: attaches its programs, says "ready", and leaves at the end of its input. */
#include <bpf/libbpf.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct bpf_object *obj = argc == 2 ? bpf_object__open_file(argv[1], NULL) : NULL;
	struct bpf_program *prog;

	if (!obj || bpf_object__load(obj))
		return 1;
	bpf_object__for_each_program(prog, obj) if (!bpf_program__attach(prog)) return 1;
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
