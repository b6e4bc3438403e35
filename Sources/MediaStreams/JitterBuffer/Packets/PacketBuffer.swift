/// Packets of one stream that have come and are not yet decoded, found by their sequence number.
///
/// The number of slots is fixed: packet n lies in slot n modulo `capacity`, so that reordered packets need no sorting
/// and a duplicate meets its slot taken. Memory of payloads is given out again as soon as it is free, the last used
/// first. Of the capacity, only as much is ever touched as has waited at once. Thread: one at a time. Real-time: all
/// members are wait-free; `first` looks at `capacity` slots at most.
struct PacketBuffer: ~Copyable {
  /// Packets that fit, of any size: 5.12 s of the shortest that senders of speech use, more than any wait for packets.
  /// If a path becomes short at once, new packets come so far ahead of those still on it.
  static var capacity: Int { @_noLocks get { 512 } }
  /// Bytes of the longest payload that fits into an Ethernet frame.
  static var bytesPerPayload: Int { @_noLocks get { 1_500 } }

  private let slots: UnsafeMutablePointer<PacketSlot>
  private let payloads: UnsafeMutableRawPointer
  /// Free places of payloads; the first `capacity - count` are valid.
  private let free: UnsafeMutablePointer<UInt16>
  /// Packets that wait.
  private(set) var count = 0
  /// Highest sequence number stored since the last `removeAll`.
  private(set) var highestSequence = 0

  init() {
    slots = .allocate(capacity: PacketBuffer.capacity)
    slots.initialize(
      repeating: PacketSlot(sequence: PacketSlot.vacant, timestamp: 0, sampleCount: 0, arrival: 0, byteCount: 0),
      count: PacketBuffer.capacity)
    payloads = .allocate(byteCount: PacketBuffer.capacity * PacketBuffer.bytesPerPayload, alignment: 16)
    free = .allocate(capacity: PacketBuffer.capacity)
    for index in 0..<PacketBuffer.capacity {
      (free + index).initialize(to: UInt16(PacketBuffer.capacity - 1 - index))
    }
  }

  deinit {
    slots.deallocate()
    payloads.deallocate()
    free.deallocate()
  }

  /// Stores a packet with a number less than `capacity` away from all others that wait.
  ///
  /// - Returns: false if its slot is taken.
  @_noLocks
  mutating func insert(_ slot: PacketSlot, payload: UnsafeRawBufferPointer) -> Bool {
    let index = PacketBuffer.index(slot.sequence)
    guard slots[index].sequence == PacketSlot.vacant, payload.count <= PacketBuffer.bytesPerPayload else {
      return false
    }
    slots[index] = slot
    // There are as many places as slots.
    let place = free[PacketBuffer.capacity &- 1 &- count]
    slots[index].place = place
    if let base = payload.baseAddress {
      let target = payloads + Int(place) &* PacketBuffer.bytesPerPayload
      target.copyMemory(from: base, byteCount: payload.count)
    }
    if count == 0 || slot.sequence > highestSequence { highestSequence = slot.sequence }
    count &+= 1
    return true
  }

  /// Returns the packet with this number; nil if it is not there. Valid until it is removed.
  @_noLocks
  func packet(_ sequence: Int) -> UnsafePointer<PacketSlot>? {
    let slot = slots + PacketBuffer.index(sequence)
    return slot.pointee.sequence == sequence ? UnsafePointer(slot) : nil
  }

  /// Returns the packet with the lowest number from `sequence` on; nil if there is none.
  @_noLocks
  func first(from sequence: Int) -> UnsafePointer<PacketSlot>? {
    guard count > 0, sequence <= highestSequence else { return nil }
    let begin = max(sequence, highestSequence &- PacketBuffer.capacity &+ 1)
    for candidate in begin...highestSequence {
      if let found = packet(candidate) { return found }
    }
    return nil
  }

  /// Returns the payload of a packet that waits.
  @_noLocks
  func payload(of slot: UnsafePointer<PacketSlot>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: payloads + Int(slot.pointee.place) &* PacketBuffer.bytesPerPayload, count: slot.pointee.byteCount)
  }

  /// Forgets the packet with this number, if it is there.
  ///
  /// - Returns: whether it was there.
  @_noLocks @discardableResult
  mutating func remove(_ sequence: Int) -> Bool {
    let index = PacketBuffer.index(sequence)
    guard slots[index].sequence == sequence else { return false }
    vacate(index)
    return true
  }

  /// Forgets every packet below `sequence`.
  ///
  /// - Returns: number of forgotten packets.
  @_noLocks
  mutating func removeAll(below sequence: Int) -> Int {
    guard count > 0 else { return 0 }
    var removed = 0
    for index in 0..<PacketBuffer.capacity
    where slots[index].sequence != PacketSlot.vacant && slots[index].sequence < sequence {
      vacate(index)
      removed &+= 1
    }
    return removed
  }

  /// Forgets every packet.
  ///
  /// - Returns: number of forgotten packets.
  @_noLocks
  mutating func removeAll() -> Int { removeAll(below: .max) }

  @_noLocks
  private mutating func vacate(_ index: Int) {
    slots[index].sequence = PacketSlot.vacant
    free[PacketBuffer.capacity &- count] = slots[index].place
    count &-= 1
  }

  @_noLocks
  private static func index(_ sequence: Int) -> Int { sequence & (PacketBuffer.capacity &- 1) }
}
