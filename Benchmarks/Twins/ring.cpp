#include "twins.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>

namespace {

struct Header {
  int64_t position, captureTime, sequence, samplesPerChannel;
  uint32_t source, timestamp;
  bool hasTimestamp, isSilent;
  uint8_t provenance;
};

// A view of planar samples whose shape is known only when the program runs.
struct Frame {
  Header *header;
  long channelCount;
  float *samples;
  long stride;

  void copy(const Frame &other) const {
    if (channelCount != other.channelCount) { std::abort(); }
    long count = other.header->samplesPerChannel;
    if (count > stride) { std::abort(); }
    *header = *other.header;
    for (long channel = 0; channel < channelCount; channel++) {
      std::memcpy(samples + channel * stride, other.samples + channel * other.stride, count * sizeof(float));
    }
  }
};

// Frames of one shape, each on cache lines of its own.
struct FrameMemory {
  long stride, channelCount, bytesPerFrame;
  char *base;

  FrameMemory(long count, long channelCount, long samplesPerChannel)
      : stride((samplesPerChannel + 15) / 16 * 16), channelCount(channelCount),
        bytesPerFrame(64 + channelCount * stride * long(sizeof(float))),
        base(static_cast<char *>(std::aligned_alloc(64, size_t(count * bytesPerFrame)))) {
    std::memset(base, 0, size_t(count * bytesPerFrame));
    for (long index = 0; index < count; index++) { frame(index).header->samplesPerChannel = samplesPerChannel; }
  }
  ~FrameMemory() { std::free(base); }

  Frame frame(long index) const {
    auto start = base + index * bytesPerFrame;
    return {reinterpret_cast<Header *>(start), channelCount, reinterpret_cast<float *>(start + 64), stride};
  }
};

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

enum class Policy : char { dropNewest, dropOldest };

// Positions run through 0..<2 * capacity; each side caches the other's, on lines of its own. The head's lowest bit says
// that a consumer that can be overtaken is reading; here, as in our subject, none can.
template <class Element>
struct Ring {
  alignas(128) std::atomic<long> tail{0};
  alignas(128) std::atomic<long> head{0};
  alignas(128) std::atomic<long> dropped{0};
  alignas(128) long capacity;
  Element *slots;
  Policy policy = Policy::dropNewest;
  alignas(128) long producerTail = 0;
  long cachedHead = 0;
  alignas(128) long consumerHead = 0;
  long cachedTail = 0;

  explicit Ring(long capacity) : capacity(capacity), slots(new Element[size_t(capacity)]()) {}
  ~Ring() { delete[] slots; }

  static long distance(long from, long to, long capacity) {
    long distance = to - from;
    return distance < 0 ? distance + 2 * capacity : distance;
  }
  static long advance(long position, long count, long capacity) {
    long moved = position + count;
    return moved >= 2 * capacity ? moved - 2 * capacity : moved;
  }
  Element *slot(long position) { return slots + (position >= capacity ? position - capacity : position); }

  long freeCount() {
    cachedHead = head.load(std::memory_order_acquire) >> 1;
    return capacity - distance(cachedHead, producerTail, capacity);
  }
  [[gnu::noinline]] Element *drop() {
    dropped.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  Element *reserve() {
    if (distance(cachedHead, producerTail, capacity) < capacity || freeCount() > 0) { return slot(producerTail); }
    return drop();
  }
  void commit(long count) {
    producerTail = advance(producerTail, count, capacity);
    tail.store(producerTail, std::memory_order_release);
  }
  long readableCount() {
    cachedTail = tail.load(std::memory_order_acquire);
    return distance(consumerHead, cachedTail, capacity);
  }
  long beginReading(long count) {
    if (policy == Policy::dropOldest) { std::abort(); }
    long known = distance(consumerHead, cachedTail, capacity);
    return known >= count && known > 0 ? known : readableCount();
  }
  Element *peek() { return beginReading(1) > 0 ? slot(consumerHead) : nullptr; }
  void release(long count) {
    if (policy == Policy::dropOldest) { std::abort(); }
    consumerHead = advance(consumerHead, count, capacity);
    head.store(consumerHead << 1, std::memory_order_release);
  }
};

// A ring of mono frames at 48 kHz, and the frames that are copied in and out.
struct FrameLane {
  FrameMemory memory;
  Ring<Frame> ring;
  Frame source, target;

  explicit FrameLane(long capacity)
      : memory(capacity + 2, 1, 480), ring(capacity), source(memory.frame(capacity)),
        target(memory.frame(capacity + 1)) {
    for (long index = 0; index < capacity; index++) { ring.slots[index] = memory.frame(index); }
  }
};

// The consumer writes its part at the end only: the producer works on this stack frame.
template <class Lane>
struct Race {
  Lane *ring;
  long count;
  long batch;
  bool eager;
  void (*consume)(Race *);
  std::atomic<bool> ready{false};
  double end = 0;
  int64_t sum = 0;

  static void *main(void *argument) {
    auto race = static_cast<Race *>(argument);
    race->ready.store(true, std::memory_order_release);
    race->consume(race);
    race->end = now();
    return nullptr;
  }

  template <class Produce>
  double run(Produce produce, int64_t *result) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, main, this) != 0) { return -1; }
    for (long spins = 0; !ready.load(std::memory_order_acquire); spins++) { twin_relax(spins); }
    double start = now();
    produce();
    pthread_join(thread, nullptr);
    *result = sum;
    return end - start;
  }
};

long produceTokens(Ring<int64_t> *ring, int64_t first, long count, bool eager) {
  if (eager) {
    auto slot = ring->reserve();
    if (!slot) { return 0; }
    *slot = first;
    ring->commit(1);
    return 1;
  }
  long room = ring->freeCount();
  if (room < count) { count = room; }
  auto slots = ring->slot(ring->producerTail);
  long beforeWrap = std::min(count, long(ring->slots + ring->capacity - slots));
  for (long index = 0; index < beforeWrap; index++) { slots[index] = first + index; }
  for (long index = beforeWrap; index < count; index++) { ring->slots[index - beforeWrap] = first + index; }
  ring->commit(count);
  return count;
}

long consumeTokens(Ring<int64_t> *ring, long count, bool eager, int64_t *sum) {
  if (eager) {
    auto slot = ring->peek();
    if (!slot) { return 0; }
    *sum += *slot;
    ring->release(1);
    return 1;
  }
  long readable = ring->beginReading(count);
  if (readable < count) { count = readable; }
  auto slots = ring->slot(ring->consumerHead);
  long beforeWrap = std::min(count, long(ring->slots + ring->capacity - slots));
  int64_t total = 0;
  for (long index = 0; index < beforeWrap; index++) { total += slots[index]; }
  for (long index = beforeWrap; index < count; index++) { total += ring->slots[index - beforeWrap]; }
  *sum += total;
  ring->release(count);
  return count;
}

bool produceFrame(FrameLane *lane, int64_t value) {
  auto slot = lane->ring.reserve();
  if (!slot) { return false; }
  auto bits = uint32_t(value);
  std::memcpy(lane->source.samples, &bits, sizeof bits);
  slot->copy(lane->source);
  lane->ring.commit(1);
  return true;
}

bool consumeFrame(FrameLane *lane, int64_t *sum) {
  auto slot = lane->ring.peek();
  if (!slot) { return false; }
  lane->target.copy(*slot);
  uint32_t bits;
  std::memcpy(&bits, lane->target.samples, sizeof bits);
  *sum += bits;
  lane->ring.release(1);
  return true;
}

}  // namespace

struct twin_token_ring : Ring<int64_t> {
  using Ring::Ring;
};
struct twin_frame_ring : FrameLane {
  using FrameLane::FrameLane;
};

twin_token_ring *twin_token_ring_create(long capacity) { return new twin_token_ring(capacity); }
void twin_token_ring_destroy(twin_token_ring *ring) { delete ring; }
twin_frame_ring *twin_frame_ring_create(long capacity) { return new twin_frame_ring(capacity); }
void twin_frame_ring_destroy(twin_frame_ring *ring) { delete ring; }

int64_t twin_token_ring_pass(twin_token_ring *ring, long count, long batch, int eager) {
  int64_t sum = 0;
  for (long done = 0; done < count; done += batch) {
    for (long pushed = 0; pushed < batch;) { pushed += produceTokens(ring, done + pushed, batch - pushed, eager); }
    for (long taken = 0; taken < batch;) { taken += consumeTokens(ring, batch - taken, eager, &sum); }
  }
  return sum;
}

int64_t twin_frame_ring_pass(twin_frame_ring *ring, long count) {
  int64_t sum = 0;
  for (long index = 0; index < count; index++) {
    produceFrame(ring, index);
    consumeFrame(ring, &sum);
  }
  return sum;
}

double twin_token_ring_race(twin_token_ring *ring, long count, long batch, int eager, int64_t *sum) {
  Race<Ring<int64_t>> race;
  race.ring = ring;
  race.count = count;
  race.batch = batch;
  race.eager = eager;
  race.consume = [](Race<Ring<int64_t>> *race) {
    long spins = 0;
    int64_t sum = 0;
    for (long taken = 0; taken < race->count;) {
      long want = race->count - taken < race->batch ? race->count - taken : race->batch;
      long got = consumeTokens(race->ring, want, race->eager, &sum);
      taken += got;
      if (got == 0) { twin_relax(spins++); }
    }
    race->sum = sum;
  };
  return race.run(
    [&] {
      long spins = 0;
      for (long pushed = 0; pushed < count;) {
        long want = count - pushed < batch ? count - pushed : batch;
        long got = produceTokens(ring, pushed, want, eager);
        pushed += got;
        if (got == 0) { twin_relax(spins++); }
      }
    },
    sum);
}

double twin_frame_ring_race(twin_frame_ring *ring, long count, int64_t *sum) {
  Race<FrameLane> race;
  race.ring = ring;
  race.count = count;
  race.consume = [](Race<FrameLane> *race) {
    long spins = 0;
    int64_t sum = 0;
    for (long taken = 0; taken < race->count;) {
      if (consumeFrame(race->ring, &sum)) { taken++; } else { twin_relax(spins++); }
    }
    race->sum = sum;
  };
  return race.run(
    [&] {
      long spins = 0;
      for (long pushed = 0; pushed < count;) {
        if (produceFrame(ring, pushed)) { pushed++; } else { twin_relax(spins++); }
      }
    },
    sum);
}
