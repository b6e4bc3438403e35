#pragma once

// What glibc declares only under _GNU_SOURCE, which cannot be switched on for Swift's own view of it, and what the kernel's
// headers declare.

#include <poll.h>
#include <sys/socket.h>

// poll with a limit in nanoseconds; for ever below 0. Returns as poll does.
int cplatform_poll(struct pollfd *entries, unsigned long count, long nanoseconds);

// Has the kernel keep what comes back by ICMP about datagrams that this socket sends.
void cplatform_watch_refusals(int descriptor);

// The next of them: where the datagram was to go, and why it did not get there. Returns that error, or 0 for none.
int cplatform_next_refusal(int descriptor, struct sockaddr_storage *destination, socklen_t *length);

// Joins a group on every interface that lets it, the one of the route to it first. Returns 0, or -1 with the first errno where
// none did.
int cplatform_join_group(int descriptor, const struct sockaddr *group);

// Accepts a connection that no program inherits and whose calls never wait. Returns its descriptor, or -1 with errno.
int cplatform_accept(int listener, struct sockaddr_storage *source, socklen_t *length);

// Makes a descriptor that is readable from an 8-byte write of a number until an 8-byte read. Returns it, or -1 with errno.
int cplatform_event_descriptor(void);

// Has the kernel note the arrival of each datagram.
void cplatform_note_arrivals(int descriptor);

// Returns how many nanoseconds ago the kernel noted the arrival of a received `struct msghdr`, 0 if it noted none.
long cplatform_age(const void *received);

// Receives a datagram, as recvfrom does. Stores how many nanoseconds ago the kernel noted its arrival, 0 if it noted none.
long cplatform_receive_noted(int descriptor, void *bytes, unsigned long count, struct sockaddr_storage *source,
                             socklen_t *length, long *nanoseconds);

// Returns the datagrams that a socket has dropped, most of them because its buffer was full; 0 if the kernel does not say.
unsigned cplatform_dropped(int descriptor);

// Asks for a receive buffer of `count` bytes, beyond the system's limit if this process may. Returns what was given.
int cplatform_set_receive_buffer(int descriptor, int count);

// Makes a set of descriptors to wait for. Returns its descriptor, which is readable while one of them is, or -1 with errno.
int cplatform_make_set(void);

// Adds a descriptor to a set, with a number of the caller's. Returns 0, or -1 with errno.
int cplatform_add_to_set(int set, int descriptor, unsigned long number);

// Stores the numbers of descriptors that are readable, without a wait. Returns their count, or -1 with errno.
int cplatform_take_ready(int set, unsigned long *numbers, int capacity);
