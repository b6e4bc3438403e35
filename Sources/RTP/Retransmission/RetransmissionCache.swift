/// Packets sent lately, for retransmission to a receiver that misses them.
///
/// With SRTP it holds the protected packets, since the same packet must not be encrypted twice.
///
/// Its memory is allocated at initialization. Thread: one at a time.
public struct RetransmissionCache: ~Copyable {
  private struct Slot: BitwiseCopyable {
    var sequenceNumber: UInt16 = 0
    /// Bytes of the packet; 0 without one.
    var byteCount = 0
    var sentNanoseconds = 0

    @_noLocks
    init() {}
  }

  private let capacity: Int
  private let maximumByteCount: Int
  private let historyNanoseconds: Int
  private let slots: UnsafeMutablePointer<Slot>
  private let memory: UnsafeMutableRawPointer

  /// Creates a cache with capacity for 500 ms of packets, or for the given number.
  ///
  /// - Parameters:
  ///   - capacity: packets, rounded up to a power of two; 64 hold 500 ms of packets of 10 ms.
  ///   - maximumByteCount: longest packet in bytes; longer ones are not kept.
  ///   - historyNanoseconds: greatest age of a packet; older ones are not returned.
  public init(capacity: Int = 64, maximumByteCount: Int = 1500, historyNanoseconds: Int = 500_000_000) {
    precondition((1...65_536).contains(capacity), "there is room for 1 to 65536 packets")
    precondition((1...65_535).contains(maximumByteCount), "a packet has 1 to 65535 bytes")
    self.capacity = 1 << (Int.bitWidth - (capacity - 1).leadingZeroBitCount)
    self.maximumByteCount = maximumByteCount
    self.historyNanoseconds = historyNanoseconds
    slots = .allocate(capacity: self.capacity)
    slots.initialize(repeating: Slot(), count: self.capacity)
    memory = .allocate(byteCount: self.capacity * maximumByteCount, alignment: 8)
  }

  deinit {
    slots.deallocate()
    memory.deallocate()
  }

  /// Keeps a copy of a packet that has been sent.
  ///
  /// Real-time: wait-free.
  ///
  /// - Returns: false for a packet that is too long.
  @_noLocks @discardableResult
  public mutating func insert(
    _ packet: UnsafeRawBufferPointer, sequenceNumber: UInt16, nowNanoseconds: Int
  ) -> Bool {
    guard let source = packet.baseAddress, packet.count > 0, packet.count <= maximumByteCount else { return false }
    let index = Int(sequenceNumber) & (capacity &- 1)
    let target = memory + index &* maximumByteCount
    for offset in 0..<packet.count { store8(byte(source, offset), target, offset) }
    slots[index].sequenceNumber = sequenceNumber
    slots[index].byteCount = packet.count
    slots[index].sentNanoseconds = nowNanoseconds
    return true
  }

  /// Returns a packet if it is still kept; it is valid until the next one is inserted.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func packet(_ sequenceNumber: UInt16, nowNanoseconds: Int) -> UnsafeRawBufferPointer? {
    let index = Int(sequenceNumber) & (capacity &- 1)
    let slot = slots[index]
    guard slot.byteCount > 0, slot.sequenceNumber == sequenceNumber,
      nowNanoseconds &- slot.sentNanoseconds <= historyNanoseconds
    else { return nil }
    return UnsafeRawBufferPointer(start: memory + index &* maximumByteCount, count: slot.byteCount)
  }
}
