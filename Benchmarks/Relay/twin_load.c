// The users of the relay in C: publishers that send, listeners that check, silent users that stay.
//
// Each user has a UDP socket. A packet has the size and the fields of a packet of `audiopipe load`. Listeners decrypt
// every packet, and check its number. A delay runs from before the encryption of a packet to its arrival at the
// listener's socket, which the kernel notes.
//
// Each second of the measurement has a line in JSON; the last line is the result.
#include "twin.h"

#include <sys/prctl.h>

enum { frame_ns = 20000000, keepalive_ns = 2500000000u, receive_count = 64, event_count = 64 };

// TOC 1 | "LOAD" 4 | counted 1 | user 4 | number 4 | time of sending 8
struct __attribute__((packed)) payload {
  uint8_t toc;
  char mark[4];
  uint8_t is_counted;
  uint32_t user, number;
  uint64_t sent_ns;
};

struct user {
  int socket;
  bool is_registered;
  struct cipher up, down;
  struct password password;
  uint32_t number;
  uint64_t next_packet_ns, next_keepalive_ns;
};

// Packets of one publisher at one listener.
struct stream {
  int64_t highest, offset;
  uint64_t arrived;
  bool is_started;
};

static struct shape shape = {.channels = 1, .publishers = 1, .listeners = 3};
static struct user *users;
static struct stream *streams;
static int registered, wakeup;
static bool is_counting;
// Time of the next packet or request.
static uint64_t next_ns;
static uint64_t sent, received, duplicated, out_of_order, wrong;
static uint32_t *delays;
static size_t delay_capacity;
static volatile sig_atomic_t is_over;

static void end(int number) {
  (void)number;
  is_over = 1;
}

// MARK: Sending

static void send_request(int number) {
  uint8_t message[stun_request_bytes];
  static uint32_t transaction;
  int length = stun_request(message, number, ++transaction, &users[number].password);
  send(users[number].socket, message, (size_t)length, 0);
}

static void send_packet(int number) {
  struct user *user = &users[number];
  uint8_t packet[load_header_bytes + load_payload_bytes + tag_bytes], plain[load_payload_bytes] = {0};
  uint64_t now = clock_ns(CLOCK_REALTIME);
  struct payload payload = {0x48, {'L', 'O', 'A', 'D'}, is_counting, (uint32_t)number, user->number, now};
  memcpy(plain, &payload, sizeof payload);
  packet[0] = 0x90;
  packet[1] = user->number ? 111 : 0x80 | 111;
  put16(packet + 2, (uint16_t)user->number);
  put32(packet + 4, user->number * 960);
  put32(packet + 8, (uint32_t)number + 1);
  put32(packet + 12, 0xBEDEu << 16 | 1);
  put32(packet + 16, 0x109E0000);
  protect(
      &user->up, packet, load_header_bytes, plain, load_payload_bytes, packet + load_header_bytes, (uint32_t)number + 1,
      user->number);
  user->number++;
  if (send(user->socket, packet, sizeof packet, 0) == sizeof packet) { sent += is_counting; }
}

// Sends all that is due; returns the time of the next.
static uint64_t send_due(uint64_t now) {
  uint64_t next = UINT64_MAX;
  for (int number = 0; number < publisher_count(&shape); number++) {
    struct user *user = &users[number];
    if (user->next_packet_ns <= now) {
      send_packet(number);
      user->next_packet_ns += frame_ns;
    }
    if (user->next_packet_ns < next) { next = user->next_packet_ns; }
  }
  // Keepalives are due in the order of the users.
  static int user;
  while (users[user].next_keepalive_ns <= now) {
    send_request(user);
    users[user].next_keepalive_ns += keepalive_ns;
    user = (user + 1) % user_count(&shape);
  }
  return users[user].next_keepalive_ns < next ? users[user].next_keepalive_ns : next;
}

// MARK: Receiving

static void add_delay(uint64_t delay) {
  if (received == delay_capacity) {
    delay_capacity = delay_capacity ? 2 * delay_capacity : 65536;
    delays = realloc(delays, delay_capacity * sizeof *delays);
  }
  delays[received++] = delay > UINT32_MAX ? UINT32_MAX : (uint32_t)delay;
}

static void take_packet(struct user *user, uint8_t *packet, int count, uint64_t arrival_ns) {
  uint8_t plain[datagram_bytes];
  int header = rtp_header_bytes(packet, count);
  uint32_t index = get32(packet + 8) - 1;
  if (!header || index >= (uint32_t)(publisher_count(&shape) * shape.listeners)) {
    wrong++;
    return;
  }
  struct stream *stream = &streams[index];
  uint16_t short_number = get16(packet + 2);
  int64_t number = stream->is_started ? unwrap(stream->highest, short_number) : short_number;
  struct payload payload;
  if (count - header - tag_bytes != load_payload_bytes
      || !unprotect(
          &user->down, packet, header, packet + header, load_payload_bytes, plain, index + 1, (uint64_t)number)) {
    wrong++;
    return;
  }
  memcpy(&payload, plain, sizeof payload);
  if (!stream->is_started) {
    stream->is_started = true;
    stream->highest = number - 1;
    stream->offset = number - payload.number;
  }
  // The number at the listener follows that at the publisher.
  if (number - stream->offset != payload.number || payload.user != index / (uint32_t)shape.listeners) { wrong++; }
  int64_t ahead = number - stream->highest;
  if (ahead > 0) {
    stream->arrived = ahead >= 64 ? 1 : stream->arrived << ahead | 1;
    stream->highest = number;
  } else if (ahead > -64) {
    if (stream->arrived >> -ahead & 1) {
      duplicated++;
      return;
    }
    stream->arrived |= (uint64_t)1 << -ahead;
    out_of_order++;
  }
  if (payload.is_counted) { add_delay(arrival_ns - payload.sent_ns); }
}

static void drain(int number) {
  static uint8_t memory[receive_count][datagram_bytes];
  static char control[receive_count][CMSG_SPACE(sizeof(struct timespec))];
  struct mmsghdr messages[receive_count];
  struct iovec vectors[receive_count];
  struct user *user = &users[number];
  for (int index = 0; index < receive_count; index++) {
    vectors[index] = (struct iovec){memory[index], datagram_bytes};
    messages[index].msg_hdr = (struct msghdr){
        .msg_iov = &vectors[index],
        .msg_iovlen = 1,
        .msg_control = control[index],
        .msg_controllen = sizeof control[index]};
  }
  int count = recvmmsg(user->socket, messages, receive_count, MSG_DONTWAIT, NULL);
  for (int index = 0; index < count; index++) {
    uint8_t *bytes = memory[index];
    if (messages[index].msg_len >= 20 && bytes[0] >> 6 == 2) {
      struct timespec arrival = {0};
      struct cmsghdr *header = CMSG_FIRSTHDR(&messages[index].msg_hdr);
      if (header && header->cmsg_type == SCM_TIMESTAMPNS) { memcpy(&arrival, CMSG_DATA(header), sizeof arrival); }
      take_packet(
          user, bytes, (int)messages[index].msg_len,
          (uint64_t)arrival.tv_sec * 1000000000u + (uint64_t)arrival.tv_nsec);
    } else if (
        messages[index].msg_len == stun_answer_bytes && stun_is_valid(bytes, stun_answer_bytes, &user->password)
        && !user->is_registered) {
      user->is_registered = true;
      registered++;
    }
  }
}

// MARK: Course

static void serve_until(uint64_t end_ns) {
  struct epoll_event events[event_count];
  while (!is_over) {
    uint64_t now = clock_ns(CLOCK_MONOTONIC);
    if (now >= end_ns) { return; }
    if (now >= next_ns) { next_ns = send_due(now); }
    uint64_t due = next_ns < end_ns ? next_ns : end_ns;
    now = clock_ns(CLOCK_MONOTONIC);
    struct timespec wait = {.tv_nsec = due > now ? (long)((due - now) % 1000000000) : 0};
    int count = epoll_pwait2(wakeup, events, event_count, &wait, NULL);
    for (int index = 0; index < count; index++) {
      if (clock_ns(CLOCK_MONOTONIC) >= next_ns) { break; }
      drain((int)events[index].data.u32);
    }
  }
}

static void make_users(int port) {
  EVP_CIPHER *kind = EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int count = user_count(&shape), yes = 1;
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  wakeup = epoll_create1(0);
  users = calloc((size_t)count, sizeof *users);
  streams = calloc((size_t)(publisher_count(&shape) * shape.listeners) + 1, sizeof *streams);
  uint64_t now = clock_ns(CLOCK_MONOTONIC);
  for (int number = 0; number < count; number++) {
    struct user *user = &users[number];
    user->socket = socket(AF_INET, SOCK_DGRAM, 0);
    if (user->socket < 0) { fail("socket"); }
    setsockopt(user->socket, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
    if (connect(user->socket, (struct sockaddr *)&address, sizeof address)) { fail("connect"); }
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)number};
    epoll_ctl(wakeup, EPOLL_CTL_ADD, user->socket, &event);
    user->up = make_cipher(kind, "up", number, true);
    user->down = make_cipher(kind, "down", number, false);
    user->password = make_password(number);
    user->next_packet_ns = UINT64_MAX;
    user->next_keepalive_ns = now + keepalive_ns + (uint64_t)number * keepalive_ns / (uint64_t)count;
  }
}

static void register_users(void) {
  for (int attempt = 0; attempt < 50 && registered < user_count(&shape) && !is_over; attempt++) {
    for (int number = 0, burst = 0; number < user_count(&shape); number++) {
      if (users[number].is_registered) { continue; }
      send_request(number);
      if (++burst % 64 == 0) { serve_until(clock_ns(CLOCK_MONOTONIC) + 2000000); }
    }
    serve_until(clock_ns(CLOCK_MONOTONIC) + 100000000);
  }
  if (registered < user_count(&shape)) {
    fprintf(stderr, "twin_load: %d of %d users are registered; does the relay have the same shape?\n", registered,
            user_count(&shape));
    exit(69);
  }
}

static int compare(const void *one, const void *other) {
  uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
  return (a > b) - (a < b);
}

static double delay_ms(double quantile) {
  if (!received) { return 0; }
  size_t index = (size_t)(quantile * (double)received);
  return delays[index < received ? index : received - 1] / 1e6;
}

int main(int argc, char **argv) {
  int port = 0;
  double duration = 5;
  bool is_in_step = false;
  for (int index = 1; index < argc; index++) {
    const char *name = argv[index], *value = argv[index + 1];
    bool took;
    if (shape_option(&shape, name, value, &took)) {
      index += took;
    } else if (!strcmp(name, "--in-step")) {
      is_in_step = true;
    } else if (value && !strcmp(name, "--port")) {
      port = atoi(argv[++index]);
    } else if (value && !strcmp(name, "--duration")) {
      duration = atof(argv[++index]);
    } else {
      bool is_help = !strcmp(name, "--help");
      fputs(
          "Usage: twin_load --port N [--channels N] [--publishers N] [--listeners N] [--silent N] [--both] [--in-step]\n"
          "                 [--duration S]\n"
          "Send packets through twin_relay, which has the same shape, and measure losses and delays. Publishers are\n"
          "spread over 20 ms; with --in-step they send at the same moment.\n",
          is_help ? stdout : stderr);
      return is_help ? 0 : 64;
    }
  }
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
  sigaction(SIGINT, &(struct sigaction){.sa_handler = end}, NULL);
  prctl(PR_SET_TIMERSLACK, 1ul);
  make_users(port);
  register_users();
  uint64_t start = clock_ns(CLOCK_MONOTONIC) + frame_ns;
  for (int number = 0; number < publisher_count(&shape); number++) {
    users[number].next_packet_ns =
        start + (is_in_step ? 0 : (uint64_t)number * frame_ns / (uint64_t)publisher_count(&shape));
  }
  next_ns = 0;
  serve_until(start + 500000000);
  is_counting = true;
  uint64_t begin = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), before = 0;
  for (int second = 1; second <= (int)duration && !is_over; second++) {
    serve_until(begin + (uint64_t)second * 1000000000);
    printf("{\"time_s\":%d,\"received\":%llu}\n", second, (unsigned long long)(received - before));
    fflush(stdout);
    before = received;
  }
  serve_until(begin + (uint64_t)(duration * 1e9));
  double cores = (double)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu) / (double)(clock_ns(CLOCK_MONOTONIC) - begin);
  is_counting = false;
  serve_until(clock_ns(CLOCK_MONOTONIC) + 300000000);
  int heard = shape.listeners - (shape.both ? 1 : 0);
  uint64_t expected = sent * (uint64_t)heard;
  qsort(delays, received, sizeof *delays, compare);
  printf(
      "{\"sent\":%llu,\"expected\":%llu,\"received\":%llu,\"duplicated\":%llu,\"out_of_order\":%llu,\"wrong\":%llu,"
      "\"delay_ms\":{\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f},\"load\":{\"cores\":%.3f}}\n",
      (unsigned long long)sent, (unsigned long long)expected, (unsigned long long)received, (unsigned long long)duplicated,
      (unsigned long long)out_of_order, (unsigned long long)wrong, delay_ms(0.5), delay_ms(0.99), delay_ms(1), cores);
  return wrong || is_over ? 1 : 0;
}
