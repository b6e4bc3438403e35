#pragma once

// What glibc declares only under _GNU_SOURCE, which cannot be switched on for Swift's own view of it.

// Makes a pipe whose ends no program started meanwhile by another thread can inherit. Returns 0, or -1 with errno.
int cplatform_pipe(int ends[2]);

// Makes a file that is nowhere but in memory, and gone with its last descriptor; no program inherits this one. Returns it, or -1 with errno.
int cplatform_memory_file(const char *name);

// The environment of this process, which ends with a null pointer.
char *const *cplatform_environment(void);
