import RTP
import TestSupport
import Testing

/// The packets that one side requests, and how often.
@Suite(.timeLimit(.minutes(10))) struct FeedbackRequestTests {
  private static let millisecond = 1_000_000

  /// A session that knows a round trip of 40 ms.
  private func session(_ sessionBitsPerSecond: Int = 256_000) throws -> RTCPSession {
    var options = RTCPSessionOptions(ssrc: 2, name: "b", usesReducedSizeRTCP: true)
    options.sessionBitsPerSecond = sessionBitsPerSecond
    var session = RTCPSession(options, nowNanoseconds: 0, random: 0.5)
    // Half a second ago, it is told, its report was answered after 460 ms.
    var memory = [UInt8](repeating: 0, count: 256)
    let count = try memory.withUnsafeMutableBytes { bytes in
      var writer = RTCPWriter(into: bytes)
      try writer.appendReceiverReport(ssrc: 1)
      try writer.append(
        ReceiverReferenceTime(
          ssrc: 2, reference: NTPTimestamp(nanoseconds: 500 * Self.millisecond).middle32,
          delay: UInt32(0.46 * 65_536)), ssrc: 1)
      return writer.byteCount
    }
    try memory.withUnsafeBytes { bytes in
      _ = try session.receive(
        UnsafeRawBufferPointer(rebasing: bytes[..<count]), nowNanoseconds: 1_000 * Self.millisecond)
    }
    let trip = try #require(session.report.roundTripNanoseconds)
    #expect(abs(trip - 40 * Self.millisecond) < Self.millisecond)
    return session
  }

  private func receive(_ session: inout RTCPSession, _ number: Int, at milliseconds: Int) {
    _ = session.receive(
      RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
        timestamp: UInt32(truncatingIfNeeded: number * 960), ssrc: 1),
      nowNanoseconds: milliseconds * Self.millisecond)
  }

  /// What is written now: how many bytes, and the numbers that are asked for.
  private func write(_ session: inout RTCPSession, at milliseconds: Int, playout: Int?) throws -> (
    byteCount: Int, asked: [Int]
  ) {
    var memory = [UInt8](repeating: 0, count: 512)
    let count = memory.withUnsafeMutableBytes {
      session.write(
        into: $0, targetDelayNanoseconds: 40 * Self.millisecond,
        playout: playout.map {
          PlayoutPosition(
            ssrc: 1, timestamp: UInt32(truncatingIfNeeded: $0), nanoseconds: milliseconds * Self.millisecond,
            hasFEC: true)
        },
        nowNanoseconds: milliseconds * Self.millisecond, random: 0.5)
    }
    guard count > 0 else { return (0, []) }
    var asked: [Int] = []
    try memory.withUnsafeBytes { bytes in
      var reader = try RTCPReader(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      while let packet = reader.next() {
        guard packet.isNack else { continue }
        for index in 0..<(try packet.nackPairCount()) {
          let pair = try packet.nackPair(index)
          asked += (0...16).compactMap { pair.sequenceNumber($0).map(Int.init) }
        }
      }
    }
    return (count, asked)
  }

  @Test("after an outage of 2 s no played or concealed packet is requested", .shows("simulate: NACK"))
  func outage() throws {
    var session = try session()
    var (asked, datagrams) = ([Int](), 0)
    for milliseconds in stride(from: 1_000, to: 8_000, by: 10) {
      let number = milliseconds / 20
      if milliseconds % 20 == 0, !(4_000..<6_000).contains(milliseconds) {
        receive(&session, number, at: milliseconds)
      }
      // The listener is 40 ms behind what is sent, whatever comes.
      let played = (milliseconds - 40) * 48
      let written = try write(&session, at: milliseconds, playout: played)
      datagrams += written.asked.isEmpty ? 0 : 1
      for number in written.asked { #expect(number * 960 + 960 > played, "\(number) at \(milliseconds) ms") }
      asked += written.asked
    }
    // 100 are missing, and the last 40 ms of them can still be heard.
    #expect(Set(asked).isSubset(of: [298, 299]) && !asked.isEmpty)
    #expect(asked.count <= 4 && datagrams <= 2)
    #expect(session.report.missing.missing == 100 && session.report.missing.givenUp == 100)
  }

  @Test("requests and reports stay within 2.5 % of the session's bandwidth", .shows("simulate: NACK"))
  func share() throws {
    for bandwidth in [64_000, 256_000] {
      var session = try session(bandwidth)
      var (bytes, asked) = (0, Set<Int>())
      for number in 98..<100 { receive(&session, number, at: 980) }
      for milliseconds in stride(from: 1_000, to: 31_000, by: 10) {
        // Every other packet is lost: 50 requests a second, if each went at once.
        if milliseconds % 20 == 0 { receive(&session, milliseconds / 10, at: milliseconds) }
        let written = try write(&session, at: milliseconds, playout: nil)
        bytes += written.byteCount == 0 ? 0 : written.byteCount + 28
        asked.formUnion(written.asked)
      }
      // A second's worth may have been saved, and one datagram may be too much.
      #expect(bytes * 8 <= bandwidth / 40 * 31 + 512 * 8, "\(bandwidth) bit/s")
      // Those that wait go together.
      #expect(asked.count > 1_200, "\(bandwidth) bit/s: \(asked.count)")
    }
  }

  @Test("a request never leaves before the session's deadline")
  func deadline() throws {
    var session = try session(64_000)
    var early = 0
    for milliseconds in 1_000..<6_000 {
      if milliseconds % 20 == 0, milliseconds % 60 != 0 { receive(&session, milliseconds / 20, at: milliseconds) }
      let due = session.nextDeadlineNanoseconds(targetDelayNanoseconds: 40 * Self.millisecond)
      let written = try write(&session, at: milliseconds, playout: nil)
      if written.byteCount > 0, due > milliseconds * Self.millisecond { early += 1 }
    }
    #expect(early == 0)
  }
}
