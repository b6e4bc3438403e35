/// Packets of one stream that have come and are not yet decoded, found by their sequence number.
///
/// A fixed number of slots: packet n lies in slot n modulo `capacity`, so that reordered packets need no sorting and a
/// packet that came twice meets itself. Payloads lie in memory that is given out again as soon as it is free, what was
/// used last first: of what there is room for, only as much is ever touched as has waited at once. Thread: one at a
/// time. Real-time: all members are wait-free; `first` looks at `capacity` slots at most.
struct PacketBuffer: ~Copyable {
  /// Packets that fit, whatever their size: 5.12 s of the shortest that senders of speech use, more than a way is ever
  /// waited for. One that becomes short at once brings new packets so far ahead of those that are still on it.
  static var capacity: Int { @_noLocks get { 512 } }
  /// Bytes of the longest payload: what fits into an Ethernet frame.
  static var bytesPerPayload: Int { @_noLocks get { 1_500 } }

  private let slots: UnsafeMutablePointer<PacketSlot>
  private let payloads: UnsafeMutableRawPointer
  /// Places of payloads that are free; the first `capacity - count` count.
  private let free: UnsafeMutablePointer<UInt16>
  /// Packets that wait.
  private(set) var count = 0
  /// The highest sequence number that has been stored since the last `removeAll`.
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

  /// Stores a packet whose number is less than `capacity` away from all others that wait. Returns: false when its slot
  /// is taken.
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

  /// The packet with this number, nil when it is not there. Valid until it is removed.
  @_noLocks
  func packet(_ sequence: Int) -> UnsafePointer<PacketSlot>? {
    let slot = slots + PacketBuffer.index(sequence)
    return slot.pointee.sequence == sequence ? UnsafePointer(slot) : nil
  }

  /// The packet with the lowest number from `sequence` on.
  @_noLocks
  func first(from sequence: Int) -> UnsafePointer<PacketSlot>? {
    guard count > 0, sequence <= highestSequence else { return nil }
    let begin = max(sequence, highestSequence &- PacketBuffer.capacity &+ 1)
    for candidate in begin...highestSequence {
      if let found = packet(candidate) { return found }
    }
    return nil
  }

  /// The payload of a packet that waits.
  @_noLocks
  func payload(of slot: UnsafePointer<PacketSlot>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: payloads + Int(slot.pointee.place) &* PacketBuffer.bytesPerPayload, count: slot.pointee.byteCount)
  }

  /// Forgets the packet with this number, if it is there. Returns: whether it was.
  @_noLocks @discardableResult
  mutating func remove(_ sequence: Int) -> Bool {
    let index = PacketBuffer.index(sequence)
    guard slots[index].sequence == sequence else { return false }
    vacate(index)
    return true
  }

  /// Forgets every packet below `sequence`. Returns: how many those were.
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

  /// Forgets every packet. Returns: how many those were.
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
