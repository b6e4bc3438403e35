#define _GNU_SOURCE
#include "sockets.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

int cplatform_poll(struct pollfd *entries, unsigned long count, long nanoseconds) {
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(entries, count, nanoseconds < 0 ? 0 : &limit, 0);
}

void cplatform_watch_refusals(int descriptor) {
  int on = 1;
  // A socket of IPv6 sends to IPv4 as well, and needs both.
  setsockopt(descriptor, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_IP, IP_RECVERR, &on, sizeof on);
}

int cplatform_next_refusal(int descriptor, struct sockaddr_storage *destination, socklen_t *length) {
  char byte;
  struct iovec part = {&byte, sizeof byte};
  _Alignas(struct cmsghdr) char control[512];
  for (;;) {
    struct msghdr message = {0};
    message.msg_name = destination;
    message.msg_namelen = sizeof *destination;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(descriptor, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
      if (errno == EINTR) continue;
      return 0;
    }
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
      int is_error = (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_RECVERR) ||
                     (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_RECVERR);
      if (!is_error) continue;
      struct sock_extended_err error;
      memcpy(&error, CMSG_DATA(header), sizeof error);
      // What this machine found wrong itself was told when it was sent.
      if (error.ee_origin != SO_EE_ORIGIN_ICMP && error.ee_origin != SO_EE_ORIGIN_ICMP6) continue;
      *length = message.msg_namelen;
      return (int)error.ee_errno;
    }
  }
}

static int join_at(int descriptor, const struct sockaddr *group, unsigned int interface) {
  if (group->sa_family == AF_INET6) {
    struct ipv6_mreq request = {.ipv6mr_interface = interface};
    memcpy(&request.ipv6mr_multiaddr, &((const struct sockaddr_in6 *)group)->sin6_addr, sizeof request.ipv6mr_multiaddr);
    return setsockopt(descriptor, IPPROTO_IPV6, IPV6_JOIN_GROUP, &request, sizeof request);
  }
  struct ip_mreqn request = {.imr_ifindex = (int)interface};
  memcpy(&request.imr_multiaddr, &((const struct sockaddr_in *)group)->sin_addr, sizeof request.imr_multiaddr);
  return setsockopt(descriptor, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof request);
}

int cplatform_join_group(int descriptor, const struct sockaddr *group) {
  int joined = join_at(descriptor, group, 0) == 0, first = errno;
  struct if_nameindex *interfaces = if_nameindex();
  if (interfaces) {
    for (struct if_nameindex *each = interfaces; each->if_index; each++) {
      joined |= join_at(descriptor, group, each->if_index) == 0;
    }
    if_freenameindex(interfaces);
  }
  errno = first;
  return joined ? 0 : -1;
}

int cplatform_accept(int listener, struct sockaddr_storage *source, socklen_t *length) {
  *length = sizeof *source;
  return accept4(listener, (struct sockaddr *)source, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int cplatform_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cplatform_note_arrivals(int descriptor) {
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

unsigned cplatform_dropped(int descriptor) {
  unsigned counts[SK_MEMINFO_VARS] = {0};
  socklen_t length = sizeof counts;
  if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, counts, &length)) return 0;
  return counts[SK_MEMINFO_DROPS];
}

int cplatform_set_receive_buffer(int descriptor, int count) {
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &count, sizeof count))
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &count, sizeof count);
  int given = 0;
  socklen_t length = sizeof given;
  getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &given, &length);
  // The kernel doubles it, for what it keeps beside each datagram.
  return given / 2;
}

long cplatform_age(const void *received) {
  // CMSG_NXTHDR takes a message that it does not change.
  struct msghdr *message = (struct msghdr *)received;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    struct timespec noted, now;
    memcpy(&noted, CMSG_DATA(part), sizeof noted);
    clock_gettime(CLOCK_REALTIME, &now);
    long age = (now.tv_sec - noted.tv_sec) * 1000000000 + now.tv_nsec - noted.tv_nsec;
    // The calendar may have been set meanwhile.
    return age > 0 && age < 60000000000 ? age : 0;
  }
  return 0;
}

long cplatform_receive_noted(int descriptor, void *bytes, unsigned long count, struct sockaddr_storage *source,
                             socklen_t *length, long *nanoseconds) {
  struct iovec part = {bytes, count};
  _Alignas(struct cmsghdr) char control[128];
  struct msghdr message = {0};
  message.msg_name = source;
  message.msg_namelen = sizeof *source;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  long received = recvmsg(descriptor, &message, 0);
  *nanoseconds = 0;
  if (received < 0) return received;
  *length = message.msg_namelen;
  *nanoseconds = cplatform_age(&message);
  return received;
}

int cplatform_make_set(void) { return epoll_create1(EPOLL_CLOEXEC); }

int cplatform_add_to_set(int set, int descriptor, unsigned long number) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = number};
  return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

int cplatform_take_ready(int set, unsigned long *numbers, int capacity) {
  struct epoll_event events[256];
  int count = epoll_wait(set, events, capacity < 256 ? capacity : 256, 0);
  for (int index = 0; index < count; index++) numbers[index] = events[index].data.u64;
  return count;
}
