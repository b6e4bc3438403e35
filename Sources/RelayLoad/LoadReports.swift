import RTP

/// Reports of a user, every 5 s on average.
///
/// Source: RFC 3550, section 6.2.
struct LoadReports {
  /// Time of the next report; `Int.max` before the join.
  private(set) var nextNanoseconds = Int.max
  private var random: any RandomNumberGenerator

  private static let interval = 5_000_000_000
  /// Most blocks of a report.
  private static let blockCount = 31
  private static let name: StaticString = "load@audiopipe"

  init(_ random: any RandomNumberGenerator) { self.random = random }

  /// Plans the first report.
  mutating func begin(_ now: Int) { nextNanoseconds = now + Int.random(in: 0...Self.interval, using: &random) }

  /// Lets the time of a report pass.
  mutating func skip(_ now: Int) {
    nextNanoseconds = now + Int.random(in: Self.interval / 2...Self.interval * 3 / 2, using: &random)
  }

  /// Writes a report about the streams.
  ///
  /// - Returns: Bytes of the datagram.
  mutating func write(
    into memory: UnsafeMutableRawBufferPointer, ssrc: UInt32, _ sender: SenderReport?,
    _ streams: inout [UInt32: LoadStream], nowNanoseconds now: Int
  ) -> Int {
    skip(now)
    var writer = RTCPWriter(into: memory)
    do throws(RTCPError) {
      if let sender { try writer.append(sender) } else { try writer.appendReceiverReport(ssrc: ssrc) }
      var count = 0
      for uid in streams.keys {
        guard let block = streams[uid]?.makeReportBlock(nowNanoseconds: now) else { continue }
        if count > 0, count % Self.blockCount == 0 { try writer.appendReceiverReport(ssrc: ssrc) }
        try writer.append(block)
        count += 1
      }
      let name = UnsafeRawBufferPointer(start: Self.name.utf8Start, count: Self.name.utf8CodeUnitCount)
      try writer.appendCanonicalName(name, ssrc: ssrc)
    } catch {
      // Blocks that do not fit wait for the next report.
    }
    return writer.byteCount
  }
}
