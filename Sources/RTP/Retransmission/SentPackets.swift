/// Protected packets that a listener was sent, for its requests: the newest of them, in a ring for all of its legs.
///
///     ... | size 2, packet | size 2, packet | (end) oldest packets, overwritten next ...
///
/// A request is answered with the bytes of the first time, or not at all: two different packets of one index would
/// reveal AES-GCM's key of the authentication. So the ring holds datagrams as they were sent.
///
/// The memory comes with the first packet. It doubles while a lap takes less than the time of the requests.
///
/// Thread: one at a time.
package struct SentPackets: ~Copyable {
  private static let smallestByteCount = 8_192
  private static let sizeByteCount = 2

  /// Time for which packets are kept at least, as far as the largest memory suffices, in nanoseconds.
  private let historyNanoseconds: Int
  private let largestByteCount: Int
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Bytes written so far, with those that were left free at the end of the memory.
  private var end = 0
  /// Position of the oldest packet that the memory can hold.
  private var oldest = 0
  /// Position and time of the beginning of the lap.
  private var lapStart = 0
  private var lapNanoseconds = 0
  private var retransmissions: (secondNanoseconds: Int, count: Int) = (.min / 2, 0)

  /// Creates a ring without memory.
  ///
  /// - Parameters:
  ///   - historyNanoseconds: Time for which packets are kept at least, as far as the largest memory suffices.
  ///   - largestByteCount: Size of the largest memory in bytes, a power of two from 8,192 on.
  package init(historyNanoseconds: Int = 320_000_000, largestByteCount: Int = 262_144) {
    self.historyNanoseconds = historyNanoseconds
    self.largestByteCount = largestByteCount
  }

  deinit { memory.deallocate() }

  /// Memory in use, in bytes.
  package var byteCount: Int { memory.count }

  /// Place of the next packet; nil before the first.
  package var nextAddress: UnsafeRawPointer? { memory.baseAddress.map { UnsafeRawPointer($0 + offset(of: end)) } }

  /// Keeps a copy of a packet.
  ///
  /// - Returns: Its position; nil for a packet that is too long.
  package mutating func append(_ packet: UnsafeRawBufferPointer, nowNanoseconds now: Int) -> Int? {
    let byteCount = packet.count + Self.sizeByteCount
    guard byteCount <= Self.smallestByteCount / 2 else { return nil }
    if memory.count == 0 {
      memory = .allocate(byteCount: Self.smallestByteCount, alignment: 16)
      lapNanoseconds = now
    }
    let free = memory.count - offset(of: end)
    if free < byteCount || (free == memory.count && end > lapStart) {
      if free < byteCount { end += free }
      // A lap of the former memory ends in the middle of a doubled one.
      if end - lapStart >= memory.count, now &- lapNanoseconds < historyNanoseconds,
        memory.count < largestByteCount
      {
        grow()
      }
      if offset(of: end) == 0 { (lapStart, lapNanoseconds) = (end, now) }
    }
    let position = end
    let start = offset(of: position)
    memory.storeBytes(of: UInt16(packet.count), toByteOffset: start, as: UInt16.self)
    UnsafeMutableRawBufferPointer(rebasing: memory[(start + Self.sizeByteCount)...]).copyMemory(from: packet)
    end += byteCount
    return position
  }

  /// Returns the packet at a position; nil if another one has taken its place. It is valid until the next `append`.
  package func packet(at position: Int) -> UnsafeRawBufferPointer? {
    guard position >= oldest, position < end, end - position <= memory.count else { return nil }
    let start = offset(of: position) + Self.sizeByteCount
    let byteCount = Int(memory.loadUnaligned(fromByteOffset: start - Self.sizeByteCount, as: UInt16.self))
    return UnsafeRawBufferPointer(rebasing: memory[start..<(start + byteCount)])
  }

  /// Counts a packet that is sent again.
  ///
  /// - Returns: Whether it is within the limit of a second.
  package mutating func countRetransmission(limit: Int, nowNanoseconds now: Int) -> Bool {
    if now &- retransmissions.secondNanoseconds >= 1_000_000_000 { retransmissions = (now, 0) }
    retransmissions.count += 1
    return retransmissions.count <= limit
  }

  private func offset(of position: Int) -> Int { position & (memory.count - 1) }

  /// Doubles the memory at the beginning of a lap. The packets keep their positions.
  private mutating func grow() {
    let former = memory
    oldest = end - former.count
    memory = .allocate(byteCount: 2 * former.count, alignment: 16)
    // The last lap is the whole of the former memory; its positions lie in one half of the new one.
    UnsafeMutableRawBufferPointer(rebasing: memory[offset(of: end - former.count)...]).copyMemory(
      from: UnsafeRawBufferPointer(former))
    former.deallocate()
  }
}
