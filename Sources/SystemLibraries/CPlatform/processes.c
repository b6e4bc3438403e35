#define _GNU_SOURCE
#include "processes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int cplatform_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int cplatform_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

char *const *cplatform_environment(void) { return environ; }
