// A relay in C, to compare the package's relay with: the same packets, without signalling.
//
//     publishers ─▶ recvmmsg ─▶ route ─▶ replay window ─▶ decrypt ─┬▶ number ─▶ encrypt ─▶ ring ─┐
//     listeners  ◀─ sendmmsg ◀─ trains (UDP_SEGMENT) ◀─────────────┴▶ ...                      ──┘
//
// One thread. A wake-up takes the datagrams that wait, encrypts each packet into the ring of each listener, and sends
// all with one call. Packets stay in the ring for retransmission, and the kernel reads them there. Datagrams of one
// listener that lie behind each other in the ring are one train, in one message.
//
// Not here: signalling, handshakes, RTCP, answers to requests for packets, and pacing of joins.
#include "twin.h"

enum {
  window_bits = 1024,
  ring_bytes = 65536,
  recent_count = 32,
  receive_count = 64,
  send_count = 1024,
  longest_train = 64,
  longest_train_bytes = 65000,
};

// Packets of one publisher to one listener.
struct leg {
  int64_t first_out, first_in;
  uint32_t timestamp_offset;
  bool is_started;
  // Places of packets in the listener's ring, by number.
  struct {
    uint16_t number, bytes;
    uint32_t place;
  } recent[recent_count];
};

struct listener {
  struct cipher cipher;
  struct sockaddr_in address;
  uint8_t *ring;
  // Bytes ever written; the place in the ring is the remainder.
  uint32_t written;
  // The train that may grow, if `batch` is the present batch.
  uint32_t batch, unsent;
  int train;
};

// A publisher.
struct source {
  struct cipher cipher;
  uint64_t window[window_bits / 64];
  int64_t highest;
  bool is_started;
  int listeners;
  struct listener **listener;
  struct leg *leg;
  uint32_t *ssrc;
};

struct user {
  struct sockaddr_in address;
  struct password password;
  struct cipher up, down;
  struct source *source;
  struct listener *listener;
  uint64_t heard_ns;
};

// Route of an address; key 0 is free.
struct route {
  uint64_t key;
  struct user *user;
};

struct relay {
  struct shape shape;
  int port, hold_us, batch_count;
  bool has_trains, has_batches, has_recvmmsg, blocks;
  int socket;
  struct user *users;
  struct route *routes;
  uint64_t route_mask;
  // The present batch.
  struct mmsghdr message[send_count];
  struct iovec bytes[send_count];
  union {
    char memory[CMSG_SPACE(sizeof(uint16_t))];
    struct cmsghdr header;
  } control[send_count];
  struct train {
    uint16_t size, count;
    bool is_closed;
  } train[send_count];
  uint32_t batch;
  int count;
  // Figures.
  uint64_t wakeups, packets_in, packets_out, messages_out, keepalives, refused, unsent, single;
};

static volatile sig_atomic_t is_over;

static void end(int number) {
  (void)number;
  is_over = 1;
}

// MARK: Routes

static uint64_t route_key(const struct sockaddr_in *address) {
  return (uint64_t)address->sin_addr.s_addr << 16 | address->sin_port;
}

static struct route *find_route(struct relay *relay, uint64_t key) {
  uint64_t place = key * 0x9E3779B97F4A7C15u >> 20;
  while (relay->routes[place & relay->route_mask].key != key && relay->routes[place & relay->route_mask].key) { place++; }
  return &relay->routes[place & relay->route_mask];
}

// Answers a binding request, which registers the address of its user or keeps it alive.
static void take_request(struct relay *relay, uint8_t *bytes, int count, const struct sockaddr_in *address, uint64_t now) {
  uint8_t answer[stun_answer_bytes];
  if (count != stun_request_bytes || get16(bytes) != 1 || get32(bytes + 4) != stun_cookie) { return; }
  uint32_t number = get32(bytes + 24);
  if (number >= (uint32_t)user_count(&relay->shape)) { return; }
  struct user *user = &relay->users[number];
  if (!stun_is_valid(bytes, count, &user->password)) {
    relay->refused++;
    return;
  }
  struct route *route = find_route(relay, route_key(address));
  if (!route->key) {
    route->key = route_key(address);
    route->user = user;
    user->address = *address;
    if (user->listener) { user->listener->address = *address; }
  }
  user->heard_ns = now;
  relay->keepalives++;
  int length = stun_answer(answer, bytes, address, &user->password);
  sendto(relay->socket, answer, (size_t)length, 0, (const struct sockaddr *)address, sizeof *address);
}

// MARK: Replay window

static bool is_new(const struct source *source, int64_t index) {
  if (!source->is_started || index > source->highest) { return true; }
  if (index < 0 || source->highest - index >= window_bits) { return false; }
  return !(source->window[index / 64 % (window_bits / 64)] >> index % 64 & 1);
}

static void note(struct source *source, int64_t index) {
  if (!source->is_started) {
    source->highest = index;
    source->is_started = true;
  }
  if (index > source->highest) {
    int64_t words = index / 64 - source->highest / 64;
    for (int64_t word = 1; word <= words && word <= window_bits / 64; word++) {
      source->window[(source->highest / 64 + word) % (window_bits / 64)] = 0;
    }
    source->highest = index;
  }
  source->window[index / 64 % (window_bits / 64)] |= (uint64_t)1 << index % 64;
}

// MARK: Sending

// Sends the datagrams of a train one by one, as a path without segmentation needs it.
static void send_singly(struct relay *relay, int index) {
  uint8_t *bytes = relay->bytes[index].iov_base;
  size_t rest = relay->bytes[index].iov_len;
  struct msghdr *header = &relay->message[index].msg_hdr;
  while (rest) {
    size_t size = rest < relay->train[index].size ? rest : relay->train[index].size;
    relay->single++;
    if (sendto(relay->socket, bytes, size, MSG_DONTWAIT, header->msg_name, header->msg_namelen) < 0) { relay->unsent++; }
    bytes += size;
    rest -= size;
  }
}

// Passes over a message that could not be sent; false if it is to be tried again.
static bool skip_failed(struct relay *relay, int index) {
  if (errno == EINTR) { return false; }
  if (errno == EAGAIN) {
    struct pollfd ready = {relay->socket, POLLOUT, 0};
    if (poll(&ready, 1, 5) > 0) { return false; }
  }
  if ((errno == EIO || errno == EINVAL) && relay->train[index].count > 1) {
    send_singly(relay, index);
  } else {
    relay->unsent += relay->train[index].count;
  }
  return true;
}

static void flush(struct relay *relay) {
  for (int index = 0; index < relay->count; index++) {
    struct msghdr *header = &relay->message[index].msg_hdr;
    bool is_train = relay->train[index].count > 1;
    header->msg_control = is_train ? &relay->control[index] : NULL;
    header->msg_controllen = is_train ? sizeof relay->control[index].memory : 0;
    if (is_train) { memcpy(CMSG_DATA(&relay->control[index].header), &relay->train[index].size, sizeof(uint16_t)); }
  }
  int sent = 0;
  while (sent < relay->count) {
    int rest = relay->count - sent < relay->batch_count ? relay->count - sent : relay->batch_count;
    int result = relay->has_batches ? sendmmsg(relay->socket, &relay->message[sent], (unsigned)rest, MSG_DONTWAIT)
                 : sendmsg(relay->socket, &relay->message[sent].msg_hdr, MSG_DONTWAIT) < 0 ? -1
                                                                                            : 1;
    sent += result > 0 ? result : skip_failed(relay, sent);
  }
  relay->messages_out += (uint64_t)relay->count;
  relay->count = 0;
  relay->batch++;
}

// Prepares the parts of messages that do not change.
static void prepare_messages(struct relay *relay) {
  for (int index = 0; index < send_count; index++) {
    relay->message[index].msg_hdr = (struct msghdr){
        .msg_namelen = sizeof(struct sockaddr_in), .msg_iov = &relay->bytes[index], .msg_iovlen = 1};
    relay->control[index].header = (struct cmsghdr){
        .cmsg_level = SOL_UDP, .cmsg_type = UDP_SEGMENT, .cmsg_len = CMSG_LEN(sizeof(uint16_t))};
  }
}

// Returns the place for a packet in a listener's ring. Unsent packets are not overwritten.
static uint8_t *reserve(struct relay *relay, struct listener *listener, int length) {
  uint32_t place = listener->written % ring_bytes;
  uint32_t skipped = place + (uint32_t)length > ring_bytes ? ring_bytes - place : 0;
  if (listener->batch == relay->batch && listener->unsent + skipped + (uint32_t)length > ring_bytes) { flush(relay); }
  if (listener->batch != relay->batch) {
    listener->batch = relay->batch;
    listener->unsent = 0;
    listener->train = -1;
  }
  if (skipped) {
    listener->written += skipped;
    listener->unsent += skipped;
    if (listener->train >= 0) { relay->train[listener->train].is_closed = true; }
  }
  return listener->ring + listener->written % ring_bytes;
}

// Adds the packet at the end of a listener's ring to its train, or begins a train.
static void post(struct relay *relay, struct listener *listener, uint8_t *packet, int length) {
  listener->written += (uint32_t)length;
  listener->unsent += (uint32_t)length;
  relay->packets_out++;
  if (listener->train >= 0 && relay->has_trains) {
    struct train *train = &relay->train[listener->train];
    struct iovec *bytes = &relay->bytes[listener->train];
    if (!train->is_closed && length <= train->size && train->count < longest_train
        && bytes->iov_len + (size_t)length <= longest_train_bytes) {
      bytes->iov_len += (size_t)length;
      train->count++;
      train->is_closed = length < train->size;
      return;
    }
  }
  int index = relay->count++;
  relay->bytes[index] = (struct iovec){packet, (size_t)length};
  relay->message[index].msg_hdr.msg_name = &listener->address;
  relay->train[index] = (struct train){.size = (uint16_t)length, .count = 1};
  listener->train = index;
}

// MARK: Forwarding

static void forward(
    struct relay *relay, struct source *source, const uint8_t *header, int header_bytes, const uint8_t *payload, int bytes,
    int64_t index) {
  int length = header_bytes + bytes + tag_bytes;
  uint32_t timestamp = get32(header + 4);
  for (int which = 0; which < source->listeners; which++) {
    struct listener *listener = source->listener[which];
    struct leg *leg = &source->leg[which];
    if (!listener->address.sin_port) { continue; }
    if (!leg->is_started) {
      leg->is_started = true;
      leg->first_in = index;
    }
    int64_t number = leg->first_out + index - leg->first_in;
    if (number < leg->first_out) { continue; }
    if (relay->count == send_count) { flush(relay); }
    uint8_t *packet = reserve(relay, listener, length);
    memcpy(packet, header, (size_t)header_bytes);
    put16(packet + 2, (uint16_t)number);
    put32(packet + 4, timestamp + leg->timestamp_offset);
    put32(packet + 8, source->ssrc[which]);
    protect(
        &listener->cipher, packet, header_bytes, payload, bytes, packet + header_bytes, source->ssrc[which],
        (uint64_t)number);
    leg->recent[number % recent_count].number = (uint16_t)number;
    leg->recent[number % recent_count].bytes = (uint16_t)length;
    leg->recent[number % recent_count].place = listener->written;
    post(relay, listener, packet, length);
  }
}

static void take_packet(struct relay *relay, uint8_t *packet, int count, const struct sockaddr_in *address, uint64_t now) {
  uint8_t payload[datagram_bytes];
  struct user *user = find_route(relay, route_key(address))->user;
  int header_bytes = rtp_header_bytes(packet, count);
  if (!user || !user->source || !header_bytes) {
    relay->refused++;
    return;
  }
  struct source *source = user->source;
  uint16_t number = get16(packet + 2);
  int64_t index = source->is_started ? unwrap(source->highest, number) : number;
  int bytes = count - header_bytes - tag_bytes;
  if (!is_new(source, index)
      || !unprotect(
          &source->cipher, packet, header_bytes, packet + header_bytes, bytes, payload, get32(packet + 8),
          (uint64_t)index)) {
    relay->refused++;
    return;
  }
  note(source, index);
  user->heard_ns = now;
  relay->packets_in++;
  forward(relay, source, packet, header_bytes, payload, bytes, index);
}

static void take_datagram(struct relay *relay, uint8_t *bytes, int count, const struct sockaddr_in *address, uint64_t now) {
  if (count < 20) { return; }
  if (bytes[0] < 4) {
    take_request(relay, bytes, count, address, now);
  } else if (bytes[0] >> 6 == 2 && (bytes[1] & 0x7F) >= 96) {
    take_packet(relay, bytes, count, address, now);
  } else {
    relay->refused++;
  }
}

// MARK: Loop

static void run(struct relay *relay) {
  static uint8_t memory[receive_count][datagram_bytes + 36];
  static struct sockaddr_in addresses[receive_count];
  static struct mmsghdr messages[receive_count];
  static struct iovec vectors[receive_count];
  for (int index = 0; index < receive_count; index++) {
    vectors[index] = (struct iovec){memory[index], datagram_bytes};
    messages[index].msg_hdr = (struct msghdr){.msg_name = &addresses[index], .msg_iov = &vectors[index], .msg_iovlen = 1};
  }
  int wakeup = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(wakeup, EPOLL_CTL_ADD, relay->socket, &event);
  while (!is_over) {
    if (!relay->blocks && epoll_wait(wakeup, &event, 1, 1000) <= 0) { continue; }
    if (relay->hold_us) { nanosleep(&(struct timespec){.tv_nsec = relay->hold_us * 1000}, NULL); }
    uint64_t now = clock_ns(CLOCK_MONOTONIC);
    int count = 0;
    if (relay->has_recvmmsg) {
      for (int index = 0; index < receive_count; index++) { messages[index].msg_hdr.msg_namelen = sizeof *addresses; }
      count = recvmmsg(relay->socket, messages, receive_count, relay->blocks ? MSG_WAITFORONE : MSG_DONTWAIT, NULL);
    } else {
      for (; count < receive_count; count++) {
        socklen_t size = sizeof *addresses;
        ssize_t result = recvfrom(
            relay->socket, memory[count], datagram_bytes, MSG_DONTWAIT, (struct sockaddr *)&addresses[count], &size);
        if (result < 0) { break; }
        messages[count].msg_len = (unsigned)result;
      }
    }
    relay->wakeups++;
    for (int index = 0; index < count; index++) {
      take_datagram(relay, memory[index], (int)messages[index].msg_len, &addresses[index], now);
    }
    flush(relay);
  }
}

// MARK: Start

static void make_users(struct relay *relay) {
  const struct shape *shape = &relay->shape;
  EVP_CIPHER *kind = EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
  int users = user_count(shape);
  relay->users = calloc((size_t)users, sizeof *relay->users);
  relay->route_mask = 1;
  while (relay->route_mask < 4 * (uint64_t)users) { relay->route_mask *= 2; }
  relay->routes = calloc(relay->route_mask, sizeof *relay->routes);
  relay->route_mask--;
  for (int number = 0; number < users; number++) {
    struct user *user = &relay->users[number];
    user->password = make_password(number);
    user->up = make_cipher(kind, "up", number, false);
    user->down = make_cipher(kind, "down", number, true);
  }
  for (int channel = 0; channel < shape->channels; channel++) {
    for (int index = 0; index < shape->listeners; index++) {
      struct user *user = &relay->users[listener_number(shape, channel, index)];
      user->listener = calloc(1, sizeof *user->listener);
      user->listener->cipher = user->down;
      user->listener->ring = aligned_alloc(64, ring_bytes);
      user->listener->batch = ~0u;
    }
    for (int index = 0; index < shape->publishers; index++) {
      int number = channel * shape->publishers + index;
      struct source *source = calloc(1, sizeof *source);
      relay->users[number].source = source;
      source->cipher = relay->users[number].up;
      source->listener = calloc((size_t)shape->listeners, sizeof(struct listener *));
      source->leg = calloc((size_t)shape->listeners, sizeof *source->leg);
      source->ssrc = calloc((size_t)shape->listeners, sizeof *source->ssrc);
      for (int which = 0; which < shape->listeners; which++) {
        int listener = listener_number(shape, channel, which);
        if (listener == number) { continue; }
        struct leg *leg = &source->leg[source->listeners];
        leg->first_out = rand() & 0x7FFF;
        leg->timestamp_offset = (uint32_t)rand();
        source->listener[source->listeners] = relay->users[listener].listener;
        source->ssrc[source->listeners++] = leg_ssrc(shape, number, which);
      }
    }
  }
}

static void open_socket(struct relay *relay) {
  relay->socket = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)relay->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int size = 8 << 20;
  for (int option = 0; option < 2; option++) {
    if (setsockopt(relay->socket, SOL_SOCKET, option ? SO_RCVBUFFORCE : SO_SNDBUFFORCE, &size, sizeof size)) {
      setsockopt(relay->socket, SOL_SOCKET, option ? SO_RCVBUF : SO_SNDBUF, &size, sizeof size);
    }
  }
  if (bind(relay->socket, (struct sockaddr *)&address, sizeof address)) { fail("bind"); }
  socklen_t length = sizeof address;
  getsockname(relay->socket, (struct sockaddr *)&address, &length);
  printf("{\"port\":%d}\n", ntohs(address.sin_port));
  fflush(stdout);
}

static const char usage[] =
    "Usage: twin_relay [--port N] [--channels N] [--publishers N] [--listeners N] [--silent N] [--both] [SWITCH]...\n"
    "Forward packets of publishers to the listeners of their channel, until SIGTERM. --publishers and --listeners are\n"
    "those of each channel; with --both, the first listeners are the publishers. Then print the figures in JSON.\n\n"
    "      --no-trains     One message for each datagram, without UDP_SEGMENT\n"
    "      --no-batch      One sendmsg for each message, not sendmmsg\n"
    "      --no-recvmmsg   One recvfrom for each datagram\n"
    "      --block         Wait within recvmmsg, not in epoll_wait\n"
    "      --batch N       Most messages of one sendmmsg (default: 1024)\n"
    "      --hold US       Wait after the first datagram of a wake-up, for more of them (default: 0)\n";

int main(int argc, char **argv) {
  static struct relay relay = {
      .shape = {.channels = 1, .publishers = 1, .listeners = 3},
      .batch_count = send_count,
      .has_trains = true,
      .has_batches = true,
      .has_recvmmsg = true,
      .batch = 1,
  };
  for (int index = 1; index < argc; index++) {
    const char *name = argv[index], *value = argv[index + 1];
    bool took;
    if (shape_option(&relay.shape, name, value, &took)) {
      index += took;
    } else if (!strcmp(name, "--no-trains")) {
      relay.has_trains = false;
    } else if (!strcmp(name, "--no-batch")) {
      relay.has_batches = false;
    } else if (!strcmp(name, "--no-recvmmsg")) {
      relay.has_recvmmsg = false;
    } else if (!strcmp(name, "--block")) {
      relay.blocks = true;
    } else if (value && !strcmp(name, "--port")) {
      relay.port = atoi(argv[++index]);
    } else if (value && !strcmp(name, "--batch")) {
      relay.batch_count = atoi(argv[++index]);
    } else if (value && !strcmp(name, "--hold")) {
      relay.hold_us = atoi(argv[++index]);
    } else {
      fputs(usage, strcmp(name, "--help") ? stderr : stdout);
      return strcmp(name, "--help") ? 64 : 0;
    }
  }
  // Without SA_RESTART, so that a signal ends a wait.
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
  sigaction(SIGINT, &(struct sigaction){.sa_handler = end}, NULL);
  make_users(&relay);
  prepare_messages(&relay);
  open_socket(&relay);
  run(&relay);
  printf(
      "{\"packets_in\":%llu,\"packets_out\":%llu,\"messages_out\":%llu,\"wakeups\":%llu,\"keepalives\":%llu,"
      "\"refused\":%llu,\"unsent\":%llu,\"single\":%llu,\"cpu_s\":%.6f}\n",
      (unsigned long long)relay.packets_in, (unsigned long long)relay.packets_out, (unsigned long long)relay.messages_out,
      (unsigned long long)relay.wakeups, (unsigned long long)relay.keepalives, (unsigned long long)relay.refused,
      (unsigned long long)relay.unsent, (unsigned long long)relay.single,
      (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9);
  return 0;
}
