import RTP
import RTPTestSupport
import TestSupport
import Testing

/// Two parties on a network without jitter, on a clock of milliseconds.
private struct Pair: ~Copyable {
  static let millisecond = 1_000_000
  var left: RTCPSession
  var right: RTCPSession
  let delay: Int
  /// Datagrams of RTCP under way, by the time of their arrival.
  var toLeft: [(at: Int, bytes: [UInt8])] = []
  var toRight: [(at: Int, bytes: [UInt8])] = []
  var datagrams: [[UInt8]] = []

  init(delay: Int, nack: NackPolicy? = NackPolicy(), reducedSize: Bool = false) {
    self.delay = delay
    func options(_ ssrc: UInt32) -> RTCPSessionOptions {
      RTCPSessionOptions(ssrc: ssrc, name: "\(ssrc)@test", nack: nack, usesReducedSizeRTCP: reducedSize)
    }
    left = RTCPSession(options(1), nowNanoseconds: 0, random: 0.5)
    right = RTCPSession(options(2), nowNanoseconds: 0, random: 0.25)
  }

  /// Lets both sides do what is due now.
  mutating func pass(_ now: Int, target: Int = 40) throws {
    var memory = [UInt8](repeating: 0, count: 512)
    let time = now * Self.millisecond
    let (mine, theirs) = memory.withUnsafeMutableBytes { bytes in
      let count = left.write(
        into: bytes, targetDelayNanoseconds: target * Self.millisecond, nowNanoseconds: time, random: 0.5)
      let mine = Array(bytes[..<count])
      let other = right.write(
        into: bytes, targetDelayNanoseconds: target * Self.millisecond, nowNanoseconds: time, random: 0.25)
      return (mine, Array(bytes[..<other]))
    }
    if !mine.isEmpty { toRight.append((now + delay, mine)) }
    if !theirs.isEmpty { toLeft.append((now + delay, theirs)) }
    datagrams += [mine, theirs].filter { !$0.isEmpty }
    while let first = toLeft.first, first.at <= now {
      try first.bytes.withUnsafeBytes { _ = try left.receive($0, nowNanoseconds: time) }
      toLeft.removeFirst()
    }
    while let first = toRight.first, first.at <= now {
      try first.bytes.withUnsafeBytes { _ = try right.receive($0, nowNanoseconds: time) }
      toRight.removeFirst()
    }
  }

  /// A packet of the left side's; it arrives unless it is lost.
  mutating func send(_ number: Int, at now: Int, isLost: Bool = false) -> PacketOrigin? {
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
      timestamp: UInt32(number * 960), ssrc: 1)
    left.sent(header, payloadByteCount: 80, nowNanoseconds: now * Self.millisecond)
    return isLost ? nil : right.receive(header, nowNanoseconds: (now + delay) * Self.millisecond).origin
  }
}

@Suite(.timeLimit(.minutes(10))) struct RTCPSessionTests {
  @Test(
    "both sides learn the round trip, also the one that sends nothing", .shows("simulate: reports"),
    arguments: [0, 20, 137])
  func roundTrip(delay: Int) throws {
    var pair = Pair(delay: delay)
    for now in 0..<6_000 {
      if now % 20 == 0 { _ = pair.send(now / 20, at: now) }
      try pair.pass(now)
    }
    let left = try #require(pair.left.report.roundTripNanoseconds)
    let right = try #require(pair.right.report.roundTripNanoseconds)
    // Times are sent in 1/65536 s.
    #expect(abs(left - 2 * delay * Pair.millisecond) < 50_000)
    #expect(abs(right - 2 * delay * Pair.millisecond) < 50_000)
  }

  @Test("each side reports once a second, and the sender learns its loss")
  func reports() throws {
    var pair = Pair(delay: 10, nack: nil)
    var lost = 0
    for now in 0..<10_000 {
      if now % 20 == 0 {
        let isLost = now % 200 == 100
        lost += isLost ? 1 : 0
        _ = pair.send(now / 20, at: now, isLost: isLost)
      }
      try pair.pass(now)
    }
    let report = pair.left.report
    #expect(abs(report.reportsReceived - 10) <= 5)
    #expect(report.remotePacketsLost <= lost && report.remotePacketsLost >= lost - 8)
    #expect(abs((report.delivery.loss ?? 0) - 0.1) < 0.05)
    #expect(pair.right.report.missing.requested == 0)
    // SR first, or RR; always with a name: a compound packet.
    for datagram in pair.datagrams {
      try datagram.withUnsafeBytes { _ = try RTCPReader($0, form: .compound) }
    }
    // RTCP within a twentieth of the stream: 80 bytes and 40 of headers every 20 ms.
    let bytes = pair.datagrams.reduce(0) { $0 + $1.count + 28 }
    #expect(bytes * 20 < 500 * 120 + 20 * 512)
  }

  @Test("an answer to a request counts as recovered, a late packet as late", .shows("simulate: NACK"))
  func asks() throws {
    var pair = Pair(delay: 20, reducedSize: true)
    for now in 0..<4_000 {
      if now % 20 == 0 { _ = pair.send(now / 20, at: now) }
      try pair.pass(now)
    }
    // 200 and 202 are missing when 203 comes at 4080.
    for (number, isLost) in [(200, true), (201, false), (202, true), (203, false)] {
      _ = pair.send(number, at: 4_000 + (number - 200) * 20, isLost: isLost)
    }
    for now in 4_080..<4_110 { try pair.pass(now) }
    let asked = pair.left.retransmissions.counters.requested
    #expect(asked == 2)
    func packet(_ number: UInt16) -> RTPHeader {
      RTPHeader(marker: false, payloadType: 111, sequenceNumber: number, timestamp: UInt32(number) * 960, ssrc: 1)
    }
    let jitter = pair.right.report.jitterNanoseconds
    // Too soon for an answer: it had been under way.
    let late = pair.right.receive(packet(200), nowNanoseconds: 4_095 * Pair.millisecond).origin
    let again = pair.right.receive(packet(202), nowNanoseconds: 4_122 * Pair.millisecond).origin
    #expect(late == .first && again == .retransmittedInReach)
    #expect(pair.right.report.missing.recovered == 1 && pair.right.report.missing.late == 1)
    // What was sent again is still a loss on the way, and no jitter.
    #expect(pair.right.report.packetsLost == 1)
    #expect(pair.right.report.jitterNanoseconds - jitter < 6 * Pair.millisecond)
    // The packet itself behind its answer: nothing was lost. The answer behind its packet: it counts no second time.
    let original = pair.right.receive(packet(202), nowNanoseconds: 4_130 * Pair.millisecond).origin
    let answer = pair.right.receive(packet(200), nowNanoseconds: 4_135 * Pair.millisecond).origin
    #expect(original == .first && answer == .retransmittedInReach)
    #expect(pair.right.report.packetsLost == 0)
    #expect(pair.right.report.missing.recovered == 0 && pair.right.report.missing.late == 2)
  }

  @Test("with a round trip of 400 ms nothing is requested")
  func farAway() throws {
    var pair = Pair(delay: 200)
    for now in 0..<10_000 {
      if now % 20 == 0 { _ = pair.send(now / 20, at: now, isLost: now % 200 == 100) }
      try pair.pass(now)
    }
    #expect(pair.right.report.missing.missing >= 45)
    #expect(pair.right.report.missing.requested == 0)
  }

  @Test("a BYE is heard, and nothing is requested after it")
  func bye() throws {
    var pair = Pair(delay: 0)
    for now in 0..<3_000 {
      if now % 20 == 0 { _ = pair.send(now / 20, at: now, isLost: now == 2_960) }
      if now < 2_970 { try pair.pass(now) }
    }
    var memory = [UInt8](repeating: 0, count: 512)
    let news = try memory.withUnsafeMutableBytes { bytes in
      let count = pair.left.writeBye(into: bytes, nowNanoseconds: 3_000 * Pair.millisecond)
      return try pair.right.receive(
        UnsafeRawBufferPointer(rebasing: bytes[..<count]), nowNanoseconds: 3_000 * Pair.millisecond)
    }
    #expect(news.hasLeft && pair.right.report.hasLeft)
    for now in 3_000..<3_500 { try pair.pass(now) }
    #expect(pair.left.retransmissions.counters.requested == 0)
  }

  @Test("a silent sender changes from sender reports to receiver reports")
  func silence() throws {
    var pair = Pair(delay: 0)
    for now in 0..<8_000 {
      if now % 20 == 0, now < 3_000 { _ = pair.send(now / 20, at: now) }
      try pair.pass(now)
    }
    // 200: sender report, 201: receiver report; the name says whose it is.
    let types = pair.datagrams.filter { $0[7] == 1 }.map { $0[1] }
    #expect(types.first == 200 && types.last == 201)
    #expect(types == types.sorted())
  }

  @Test("mutated datagrams are refused or read, and cause no retransmission")
  func hostile() throws {
    var pair = Pair(delay: 20)
    for now in 0..<6_000 {
      if now % 20 == 0 { _ = pair.send(now / 20, at: now, isLost: now % 200 == 100) }
      try pair.pass(now)
    }
    let datagrams = pair.datagrams
    #expect(datagrams.count > 20)
    var session = RTCPSession(RTCPSessionOptions(ssrc: 1, name: "x"), nowNanoseconds: 0, random: 0)
    let sent = RetransmissionCache()
    var (count, refused) = (0, 0)
    forEachMutation(of: datagrams, count: 20_000, seed: 9) { bytes in
      count += 1
      withGuarded(bytes) { memory in
        do {
          _ = try session.receive(UnsafeRawBufferPointer(memory), nowNanoseconds: count * 1_000_000)
        } catch {
          refused += 1
        }
      }
      // Nothing was sent: requests find nothing, and leave.
      while session.retransmissions.next(from: sent, nowNanoseconds: count * 1_000_000) != nil {}
    }
    #expect(refused > 1_000 && refused < count)
    #expect(session.retransmissions.counters.retransmitted == 0)
    #expect((session.report.roundTripNanoseconds ?? 0) >= 0)
  }

  @Test("bytes that are not RTCP are refused and change nothing")
  func refuses() {
    var session = RTCPSession(RTCPSessionOptions(ssrc: 1, name: "x"), nowNanoseconds: 0, random: 0)
    let bytes: [UInt8] = [0x80, 200, 0, 90, 1, 2, 3, 4]
    var refused = false
    bytes.withUnsafeBytes { bytes in
      do { _ = try session.receive(bytes, nowNanoseconds: 0) } catch { refused = true }
    }
    #expect(refused && session.report.reportsReceived == 0)
  }
}
