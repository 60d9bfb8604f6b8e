/* SPDX-License-Identifier: MIT */
/* host MODULE: knows nothing of Filch; loads a module that does, calls it, unloads it, and goes on. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int turn = 0; turn < 2; turn++) {
		void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
		int (*answer)(void) = NULL;

		if (module)
			*(void **)&answer = dlsym(module, "answer");
		if (!answer) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		if (answer())
			return 1;
		dlclose(module);
		usleep(20000); /* what is left of it runs on */
	}
	return 0;
}
