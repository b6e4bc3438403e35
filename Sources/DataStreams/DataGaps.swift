import RTP

/// Numbers of the packets that one end of a path misses, and its requests for them.
///
/// The numbers of a source begin at 1, so that even the first packet can be missed.
///
/// Thread: one at a time.
package struct DataGaps {
  private struct Gap {
    let number: Int
    let sinceNanoseconds: Int
    var requestNanoseconds: Int
  }

  /// Packets that are missed at the same time, at most.
  private let largestCount: Int
  /// Wait before the first request, in nanoseconds: the packet may only have been overtaken.
  private static let patienceNanoseconds = 20_000_000
  /// Round trip while none is measured, in nanoseconds.
  private static let assumedRoundTripNanoseconds = 100_000_000

  private var gaps: [Gap] = []
  private var highest = 0

  /// Creates the state of a source without packets.
  ///
  /// - Parameter largestCount: Packets that are missed at the same time, at most.
  package init(largestCount: Int = 1_024) { self.largestCount = largestCount }

  /// Lowest number that is missed; nil without one.
  package var lowestMissing: Int? { gaps.first?.number }

  /// Takes the number of a packet.
  ///
  /// - Returns: The number without wraps.
  package mutating func receive(_ number: UInt16, nowNanoseconds now: Int) -> Int {
    let number = highest + Int(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: highest)))
    if number > highest {
      for missed in max(highest + 1, number - largestCount)..<number {
        gaps.append(Gap(number: missed, sinceNanoseconds: now, requestNanoseconds: now + Self.patienceNanoseconds))
      }
      if gaps.count > largestCount { gaps.removeFirst(gaps.count - largestCount) }
      highest = number
    } else if let index = gaps.firstIndex(where: { $0.number == number }) {
      gaps.remove(at: index)
    }
    return number
  }

  /// Time of the next request or end of one; nil if nothing is missed.
  package var nextDeadlineNanoseconds: Int? {
    gaps.lazy.map { min($0.requestNanoseconds, $0.sinceNanoseconds + DataLimits.repetitionNanoseconds) }.min()
  }

  /// Writes requests for the packets that are due, and gives up those that were missed for too long.
  ///
  /// - Parameters:
  ///   - sender: SSRC of the requests.
  ///   - source: SSRC of the packets.
  ///   - memory: Memory for a datagram, of 512 bytes or more.
  ///   - now: Present time, in nanoseconds.
  ///   - roundTripNanoseconds: Round trip of the path; nil if none is measured.
  /// - Returns: Bytes of the datagram; 0 if nothing is due.
  package mutating func writeRequests(
    from sender: UInt32, for source: UInt32, into memory: UnsafeMutableRawBufferPointer, nowNanoseconds now: Int,
    roundTripNanoseconds: Int?
  ) -> Int {
    gaps.removeAll { now - $0.sinceNanoseconds >= DataLimits.repetitionNanoseconds }
    let roundTrip = roundTripNanoseconds ?? Self.assumedRoundTripNanoseconds
    var numbers: [Int] = []
    for index in gaps.indices where gaps[index].requestNanoseconds <= now && numbers.count < 128 {
      numbers.append(gaps[index].number)
      gaps[index].requestNanoseconds = now + roundTrip + roundTrip / 4 + Self.patienceNanoseconds
    }
    guard !numbers.isEmpty else { return 0 }
    var writer = RTCPWriter(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<min(memory.count, 1_200)]))
    do throws(RTCPError) {
      try writer.appendReceiverReport(ssrc: sender)
      var isFirst = true
      for pair in Self.pairs(numbers) {
        if isFirst {
          try writer.appendNack(senderSSRC: sender, mediaSSRC: source, pair)
        } else {
          try writer.append(pair)
        }
        isFirst = false
      }
    } catch {
      // Requests that do not fit are repeated later.
    }
    return writer.byteCount
  }

  /// Pairs for ascending numbers.
  private static func pairs(_ numbers: [Int]) -> [NackPair] {
    var pairs: [NackPair] = []
    var index = 0
    while index < numbers.count {
      let first = numbers[index]
      var bits: UInt16 = 0
      index += 1
      while index < numbers.count, numbers[index] - first <= 16 {
        bits |= 1 << UInt16(numbers[index] - first - 1)
        index += 1
      }
      pairs.append(NackPair(packetID: UInt16(truncatingIfNeeded: first), bitmask: bits))
    }
    return pairs
  }
}
