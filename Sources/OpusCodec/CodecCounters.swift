import Synchronization

/// Counters of a codec, which the audio thread writes and any thread reads. Relaxed, since it orders nothing else.
struct CodecCounters: ~Copyable {
  let packets = Atomic<Int>(0)
  let payloadBytes = Atomic<Int>(0)
  let packetBytes = Atomic<Int>(0)
  let failures = Atomic<Int>(0)
}
