import Platform

/// Numbers and timestamps of one publisher's packets for one listener.
///
/// Numbers begin below 32768 and never recur. They continue without a gap behind a pause that the relay makes, and
/// behind a restart of the publisher. Numbers of packets that the network lost stay free.
///
/// Source: RFC 3550, section 5.1; RFC 3711, section 3.3.1, for the first number.
struct PacketRewriter {
  /// Whether the next packet continues without a gap.
  var isInterrupted = true
  /// Highest number so far, without wraps.
  private(set) var highest: Int
  /// Timestamp of the packet with the highest number.
  private(set) var lastTimestamp: UInt32 = 0
  /// Time of the packet with the highest number; nil before the first.
  private(set) var lastNanoseconds: Int?
  private var epoch = 0
  private var firstSource = 0
  private var first = 0
  private var lastSource: Int?
  private var timestampOffset: UInt32 = 0

  /// Creates the numbers of a listener.
  ///
  /// - Parameter random: a random number; 15 bits of it are used.
  init(random: UInt64) { highest = Int(random & 0x7FFF) &- 1 }

  /// Returns the number and the timestamp of a packet; nil for a packet from before the beginning or a pause.
  ///
  /// - Parameters:
  ///   - sequence: number at the publisher, without wraps.
  ///   - epoch: count of the publisher's restarts.
  mutating func rewrite(
    sequence: Int, timestamp: UInt32, epoch: Int, nowNanoseconds: Int
  ) -> (sequenceNumber: UInt16, timestamp: UInt32)? {
    if lastNanoseconds == nil || epoch != self.epoch || isInterrupted {
      if let lastNanoseconds, epoch != self.epoch {
        ReachPoints.note(.numbersContinued)
        let elapsed = (nowNanoseconds &- lastNanoseconds) / 1_000 &* 48 / 1_000
        timestampOffset = lastTimestamp &+ UInt32(truncatingIfNeeded: max(elapsed, 1)) &- timestamp
      }
      if epoch != self.epoch { lastSource = nil }
      self.epoch = epoch
      firstSource = sequence
      first = max(0, highest &+ 1)
      isInterrupted = false
    }
    guard sequence >= firstSource else {
      ReachPoints.note(.packetBeforePause)
      return nil
    }
    lastSource = max(lastSource ?? sequence, sequence)
    let number = first &+ sequence &- firstSource
    let rewritten = timestamp &+ timestampOffset
    if lastNanoseconds == nil || number > highest {
      highest = number
      lastTimestamp = rewritten
      lastNanoseconds = nowNanoseconds
    }
    return (UInt16(truncatingIfNeeded: number), rewritten)
  }

  /// Returns the number and the timestamp of a packet of the relay's own behind the last one; nil before the first.
  ///
  /// - Parameter backNanoseconds: time by which the next packet may be older than this one.
  mutating func makePause(
    backNanoseconds: Int, nowNanoseconds now: Int
  ) -> (sequenceNumber: UInt16, timestamp: UInt32)? {
    guard let last = lastNanoseconds else { return nil }
    highest &+= 1
    let elapsed = max(10_000_000, now &- last &- backNanoseconds)
    lastTimestamp &+= UInt32(truncatingIfNeeded: elapsed / 1_000 &* 48 / 1_000)
    lastNanoseconds = last &+ elapsed
    isInterrupted = true
    return (UInt16(truncatingIfNeeded: highest), lastTimestamp)
  }

  /// Highest number at the publisher that was rewritten, without wraps; nil if the publisher has restarted since.
  func lastSource(ofEpoch epoch: Int) -> Int? { epoch == self.epoch ? lastSource : nil }

  /// Notes that the next packet is another publisher's.
  mutating func beginAnotherSource() {
    // Epochs of publishers are not negative.
    epoch = -1
    isInterrupted = true
  }

  /// Returns the timestamp of the present, as the last packet's arrival suggests it.
  func timestamp(_ nowNanoseconds: Int) -> UInt32 {
    let elapsed = (nowNanoseconds &- (lastNanoseconds ?? nowNanoseconds)) / 1_000 &* 48 / 1_000
    return lastTimestamp &+ UInt32(truncatingIfNeeded: elapsed)
  }
}
