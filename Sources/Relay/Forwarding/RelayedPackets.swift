import Platform
import Synchronization

/// Packets of other channels' users on their way to a forwarder. Packets beyond its capacity are dropped.
///
/// Thread: any for `append`; that which holds the forwarder for the rest.
final class RelayedPackets {
  /// Capacity in bytes: 5,000 packets in a second, for 0.3 s.
  static let byteCount = 262_144
  /// Share of a link: one publisher beyond its rate leaves space for the others.
  static let shareByteCount = 16_384

  /// A packet's place: the link, and the number and the epoch of the publisher.
  struct Entry {
    let link: UInt64
    let sequence: Int
    let epoch: Int
    let byteCount: Int
  }

  /// Two memories: one fills while the other is read.
  private struct Memories: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the mutex holds `filling`, and the forwarder's lock `reading`.
    var filling: UnsafeMutableRawBufferPointer
    var reading: UnsafeMutableRawBufferPointer
    var byteCount = 0
    /// Readings so far.
    var readingCount = 0
  }

  private let memories: Guarded<Memories>
  private let hasPackets = Atomic(false)

  init() {
    func make() -> UnsafeMutableRawBufferPointer { .allocate(byteCount: Self.byteCount, alignment: 16) }
    memories = Guarded(Memories(filling: make(), reading: make()))
  }

  deinit {
    memories.withLock {
      $0.filling.deallocate()
      $0.reading.deallocate()
    }
  }

  /// Whether there are none.
  var isEmpty: Bool { !hasPackets.load(ordering: .acquiring) }

  /// Adds a copy of a packet.
  ///
  /// - Returns: Number of bytes that waited before; nil if the packet does not fit, and is dropped.
  func append(_ packet: UnsafeRawBufferPointer, of link: RelayLink, sequence: Int, epoch: Int) -> Int? {
    let entry = Entry(link: link.number, sequence: sequence, epoch: epoch, byteCount: packet.count)
    let stride = MemoryLayout<Entry>.stride
    return memories.withLock { memories in
      let start = memories.byteCount
      let end = start + stride + (packet.count + 15) & ~15
      if link.waiting.reading != memories.readingCount { link.waiting = (0, memories.readingCount) }
      let waiting = link.waiting.byteCount + end - start
      guard end <= memories.filling.count, waiting <= Self.shareByteCount else { return nil }
      link.waiting.byteCount = waiting
      memories.filling.storeBytes(of: entry, toByteOffset: start, as: Entry.self)
      UnsafeMutableRawBufferPointer(rebasing: memories.filling[(start + stride)..<end]).copyMemory(from: packet)
      memories.byteCount = end
      hasPackets.store(true, ordering: .releasing)
      return start
    }
  }

  /// Takes all packets, in the order of their arrival.
  func takeAll(_ body: (Entry, UnsafeRawBufferPointer) -> Void) {
    let (memory, byteCount) = memories.withLock { memories in
      defer {
        memories.byteCount = 0
        memories.readingCount += 1
      }
      swap(&memories.filling, &memories.reading)
      hasPackets.store(false, ordering: .relaxed)
      return (UnsafeRawBufferPointer(memories.reading), memories.byteCount)
    }
    let stride = MemoryLayout<Entry>.stride
    var start = 0
    while start < byteCount {
      let entry = memory.load(fromByteOffset: start, as: Entry.self)
      let packet = start + stride
      body(entry, UnsafeRawBufferPointer(rebasing: memory[packet..<packet + entry.byteCount]))
      start = packet + (entry.byteCount + 15) & ~15
    }
  }
}
