#pragma once

// Addresses are the bytes of the system's `sockaddr`.

// Memory for datagrams that are received at once.
typedef struct cplatform_receiver cplatform_receiver;

cplatform_receiver *cplatform_make_receiver(unsigned capacity, unsigned byte_count);
void cplatform_free_receiver(cplatform_receiver *receiver);

// Receives the waiting datagrams, as recvmmsg does. Returns their number, or -1 with errno. Longer ones are cut.
int cplatform_receive_many(cplatform_receiver *receiver, int descriptor);

// Returns the bytes of a received datagram, and its source. NULL stands for one that was too long.
void *cplatform_received(cplatform_receiver *receiver, int index, unsigned *byte_count,
                         const void **source, unsigned *length);

// Returns the nanoseconds since the arrival of the first datagram received last, or 0 if the kernel has not noted it.
long cplatform_received_age(const cplatform_receiver *receiver);

// Memory for datagrams that are sent at once.
typedef struct cplatform_batch cplatform_batch;

// What became of the datagrams of a batch since its beginning.
typedef struct {
  // Taken by the kernel.
  unsigned long sent;
  // Refused because the send buffer was full.
  unsigned long full;
  // Refused for another reason.
  unsigned long refused;
  // System calls that took at least one datagram, or none because of an error.
  unsigned long calls;
  // Trains that the kernel has taken: messages with more than one datagram.
  unsigned long trains;
  // 0 once the kernel has refused the first train; later datagrams are sent singly.
  int uses_trains;
} cplatform_batch_counts;

cplatform_batch *cplatform_make_batch(unsigned capacity, unsigned byte_count);
void cplatform_free_batch(cplatform_batch *batch);

// Copies a datagram into the batch. Returns 0 if it does not fit any more.
int cplatform_batch_append(cplatform_batch *batch, const void *bytes, unsigned byte_count, const void *to,
                           unsigned length);

// Sends the datagrams and empties the batch, without waiting. Datagrams to one address are joined into trains
// (UDP_SEGMENT) as far as their order allows it.
void cplatform_batch_flush(cplatform_batch *batch, int descriptor);

const cplatform_batch_counts *cplatform_batch_counted(const cplatform_batch *batch);
