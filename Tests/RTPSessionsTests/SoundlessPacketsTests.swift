import AudioGraph
import Engine
import MediaStreams
import NetworkIO
import Platform
import RTP
import RTPSessions
import TestSupport
import Testing

/// Packets beside a voice in Opus: key presses, other sources, other payload types.
@Suite(.timeLimit(.minutes(10))) struct SoundlessPacketsTests {
  /// A session on a virtual clock, and a socket that sends to it.
  private final class Rig {
    let clock = VirtualClock()
    let pipeline: AudioPipeline
    let source: RTPSource
    let session: RTPReceiveSession
    private let socket: UDPSocket
    private var tick = 0

    init(payloadType: UInt8? = 111) throws {
      pipeline = try AudioPipeline(mode: .offline, sampleRate: 48_000)
      source = try pipeline.addRemoteUser(
        1,
        receiving: JitterBufferOptions(payloadType: payloadType, redundancyPayloadType: payloadType == nil ? nil : 63))
      session = try RTPReceiveSession(
        source, at: try SocketAddress("127.0.0.1:0"), usesRTCPMux: true,
        telephoneEvents: TelephoneEventFormat(payloadType: 101, clockRate: 48_000), clock: clock,
        random: SeededGenerator(seed: 1))
      socket = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
      try pipeline.startStepping(isEndless: true)
    }

    deinit { pipeline.finishStepping() }

    /// 20 ms of silence as Opus has it: RFC 6716, CELT, full band, stereo.
    static let voice: [UInt8] = [0xFC, 0xFF, 0xFE]

    func send(_ type: UInt8, _ number: UInt16, _ timestamp: UInt32, ssrc: UInt32 = 7, _ payload: [UInt8] = voice) throws
    {
      let header = RTPHeader(marker: false, payloadType: type, sequenceNumber: number, timestamp: timestamp, ssrc: ssrc)
      var bytes = [UInt8](repeating: 0, count: 12) + payload
      try bytes.withUnsafeMutableBytes { _ = try header.write(to: $0) }
      bytes.withUnsafeBytes { _ = socket.send($0, to: session.localAddress) }
      session.pump(atMostNanoseconds: 1_000_000_000)
    }

    /// Lets 20 ms pass on both sides.
    func pass() {
      for _ in 0..<2 {
        clock.advance(byNanoseconds: 10_000_000)
        tick += 1
        source.complete(untilNanoseconds: tick * 10_000_000 + 1)
        pipeline.step(atNanoseconds: tick * 10_000_000)
      }
    }
  }

  /// A key of 200 ms: ten packets while it is pressed, then the end three times (RFC 4733, section 2.5).
  private func press(
    _ event: UInt8, _ rig: Rig, _ number: inout UInt16, _ timestamp: UInt32, ssrc: UInt32 = 7
  ) throws {
    for count in 1...13 {
      let duration = min(count, 10) * 960
      let end: UInt8 = count > 10 ? 0x80 : 0
      try rig.send(101, number, timestamp, ssrc: ssrc, [event, end | 10, UInt8(duration >> 8), UInt8(duration & 255)])
      number &+= 1
      if count <= 10 { rig.pass() }
    }
  }

  @Test("each key press of a stream is reported once, and no packet is lost", .shows("rtp: other sources"))
  func keys() throws {
    let rig = try Rig()
    // Across the wrap of the numbers.
    var number: UInt16 = 65_500
    var timestamp: UInt32 = 1_000
    var pressed: [KeyPress] = []
    for count in 0..<200 {
      if [50, 100, 101].contains(count) {
        try press(UInt8(count % 50 + 9), rig, &number, timestamp)
        timestamp &+= 9_600
      }
      try rig.send(111, number, timestamp)
      number &+= 1
      timestamp &+= 960
      rig.pass()
      pressed += rig.session.takeKeyPresses()
    }
    #expect(pressed.map(\.digit) == ["9", "9", "*"])
    #expect(pressed.allSatisfy { $0.durationMilliseconds == 200 })
    #expect(rig.session.report.packetsLost == 0)
    #expect(rig.source.latestSnapshot.statistics.packetsLost == 0)
    #expect(rig.session.counters.soundless == 39 && rig.session.counters.foreign == 0)
  }

  @Test("a packet that is lost beside key presses is one packet lost")
  func lost() throws {
    let rig = try Rig()
    var number: UInt16 = 0
    for count in 0..<100 {
      if count == 50 { number &+= 1 }
      if count % 10 == 0 {
        try rig.send(13, number, UInt32(count) * 960, [20])
        number &+= 1
      }
      try rig.send(111, number, UInt32(count) * 960)
      number &+= 1
      rig.pass()
    }
    #expect(rig.session.report.packetsLost == 1)
    #expect(rig.source.latestSnapshot.statistics.packetsLost == 1)
  }

  @Test("an unfinished key press is reported after half a second")
  func unfinished() throws {
    var reader = KeyPressReader(TelephoneEventFormat(payloadType: 101, clockRate: 8_000))
    let payload: [UInt8] = [1, 10, 0x03, 0x20]
    let event = try #require(payload.withUnsafeBytes { TelephoneEvent(parsing: $0) })
    reader.receive(event, timestamp: 5, nowNanoseconds: 0)
    #expect(reader.take(nowNanoseconds: 400_000_000).isEmpty)
    #expect(
      reader.take(nowNanoseconds: 501_000_000) == [KeyPress(digit: "1", nanoseconds: 0, durationMilliseconds: 100)])
    reader.receive(event, timestamp: 5, nowNanoseconds: 510_000_000)
    #expect(reader.takeAll().isEmpty)
  }

  @Test(
    "no packet of a successor source is lost", .shows("rtp: other sources"),
    arguments: [0, 30, 75] as [Int])
  func replaced(pauseTicks: Int) throws {
    let rig = try Rig()
    for (source, first) in [(UInt32(7), UInt16(100)), (8, 40_000), (9, 65_530)] {
      for count in 0..<100 {
        try rig.send(111, first &+ UInt16(count), source &* 77_777 &+ UInt32(count) * 960, ssrc: source)
        rig.pass()
      }
      for _ in 0..<pauseTicks { rig.pass() }
    }
    for _ in 0..<50 { rig.pass() }
    let statistics = rig.source.latestSnapshot.statistics
    #expect(statistics.packetsReceived == 300 && rig.session.counters.packets == 300)
    #expect(rig.session.counters.sourceChanges == 2 && rig.session.counters.foreign == 0)
    // Each packet is decoded, and none passed over.
    #expect(statistics.decodedSamples == 300 * 960 && statistics.packetsDiscarded == 0)
  }

  @Test(
    "a single packet of an unknown source is never played", .shows("rtp: other sources"), arguments: [0, 40, 90, 800])
  func single(pauseTicks: Int) throws {
    let rig = try Rig()
    for count in 0..<50 {
      try rig.send(111, UInt16(count), UInt32(count) * 960)
      rig.pass()
    }
    for _ in 0..<pauseTicks { rig.pass() }
    let decoded = rig.source.latestSnapshot.statistics.decodedSamples
    try rig.send(111, 9, 9, ssrc: 1_000)
    for _ in 0..<50 { rig.pass() }
    #expect(rig.session.counters.sourceChanges == 0 && rig.session.counters.foreign == 1)
    #expect(rig.source.latestSnapshot.statistics.decodedSamples <= decoded + 2 * 960)
  }

  /// The example of RFC 2198, section 5, with Opus: an older block of 20 ms, and the newest.
  @Test("RED's newest block is played, beside Opus without RED")
  func redundancy() throws {
    let rig = try Rig()
    for count in 0..<50 {
      // The older block has 2.5 ms, so that decoding it instead would be seen.
      let (older, block): ([UInt8], [UInt8]) = ([0xE4, 0xFF, 0xFE], Rig.voice)
      let red: [UInt8] = [0x80 | 111, UInt8(960 >> 6), UInt8(960 << 2 & 255), UInt8(older.count), 111] + older + block
      try rig.send(count % 5 == 0 ? 111 : 63, UInt16(count), UInt32(count) * 960, count % 5 == 0 ? block : red)
      rig.pass()
    }
    for _ in 0..<10 { rig.pass() }
    let statistics = rig.source.latestSnapshot.statistics
    #expect(rig.session.counters.packets == 50 && statistics.packetsMalformed == 0)
    #expect(statistics.decodedSamples == 50 * 960)
  }

  @Test(
    "RED that ends within its headers or blocks is malformed", arguments: [[], [0xEF], [0xEF, 0, 0, 3, 111], [111]])
  func brokenRedundancy(payload: [UInt8]) {
    #expect(payload.withUnsafeBytes { REDPayload(parsing: $0) } == nil)
  }

  @Test("packets of a foreign source are counted as foreign and as nothing else", .shows("rtp: other sources"))
  func foreign() throws {
    let rig = try Rig()
    for count in 0..<100 {
      try rig.send(111, UInt16(count), UInt32(count) * 960)
      try rig.send(111, UInt16(count), 0, ssrc: 99, [0xFF, 0x00])
      try rig.send(96, UInt16(count), 0, ssrc: 98, [0xFF, 0x00])
      rig.pass()
    }
    let statistics = rig.source.latestSnapshot.statistics
    #expect(rig.session.counters.foreign == 200 && statistics.packetsMalformed == 0 && statistics.packetsLost == 0)
  }

  @Test(
    "without a description only a stream's own payload type is decoded",
    .shows("rtp: payload types without a description"),
    arguments: [63, 101, 116] as [UInt8])
  func learnedType(other: UInt8) throws {
    let rig = try Rig(payloadType: nil)
    for count in 0..<100 {
      // As long as key presses are, and a valid packet of Opus of 10 ms.
      let isOther = count % 5 == 2
      try rig.send(isOther ? other : 111, UInt16(count), UInt32(count) * 960, isOther ? [0, 10, 3, 0x20] : Rig.voice)
      rig.pass()
    }
    for _ in 0..<10 { rig.pass() }
    let statistics = rig.source.latestSnapshot.statistics
    #expect(rig.session.counters.packets == 80 && rig.session.counters.soundless == 20)
    #expect(statistics.packetsReceived == 80 && statistics.packetsLost == 0 && statistics.packetsMalformed == 0)
  }

  @Test(
    "a changed payload type without a description is heard within 1 s",
    .shows("rtp: payload types without a description"))
  func changedType() throws {
    let rig = try Rig(payloadType: nil)
    for count in 0..<200 {
      try rig.send(count < 100 ? 111 : 96, UInt16(count), UInt32(count) * 960)
      rig.pass()
    }
    #expect((150...160).contains(rig.session.counters.packets) && rig.session.counters.foreign == 0)
  }

  @Test("key presses in the first packets of a successor are reported")
  func earlyKeys() throws {
    let rig = try Rig()
    for count in 0..<100 {
      try rig.send(111, UInt16(count), UInt32(count) * 960)
      rig.pass()
    }
    var number: UInt16 = 500
    for count in 0..<60 {
      if count == 3 {
        try press(5, rig, &number, 50_000, ssrc: 8)
      }
      try rig.send(111, number, 40_000 + UInt32(count) * 960, ssrc: 8)
      number += 1
      rig.pass()
    }
    #expect(rig.session.takeKeyPresses().map(\.digit) == ["5"] && rig.session.counters.foreign == 0)
    #expect(rig.source.latestSnapshot.statistics.packetsLost == 0)
  }

  @Test("a key press of several segments is one press")
  func longKey() throws {
    // RFC 4733, section 2.5.1.3: each segment begins where the one before ends.
    var reader = KeyPressReader(TelephoneEventFormat(payloadType: 101, clockRate: 48_000))
    for count in 1...200 {
      let units = count * 960
      let (segment, rest) = ((units - 1) / 65_520, (units - 1) % 65_520 + 1)
      let payload: [UInt8] = [7, count == 200 ? 0x8A : 10, UInt8(rest >> 8), UInt8(rest & 255)]
      let event = try #require(payload.withUnsafeBytes { TelephoneEvent(parsing: $0) })
      reader.receive(event, timestamp: 99 + UInt32(segment) * 65_520, nowNanoseconds: count * 20_000_000)
    }
    #expect(reader.takeAll() == [KeyPress(digit: "7", nanoseconds: 20_000_000, durationMilliseconds: 4_000)])
  }

  @Test("a source that begins in an announced pause loses no packet", arguments: [10, 20])
  func afterPause(milliseconds: Int) throws {
    let rig = try Rig()
    for count in 0..<60 {
      try rig.send(111, UInt16(count), UInt32(count) * 960)
      rig.pass()
    }
    // A TOC byte alone: the sender is silent from here on.
    try rig.send(111, 60, 60 * 960, [0xFC])
    for count in 0..<100 {
      let voice: [UInt8] = milliseconds == 20 ? Rig.voice : [0xF4, 0xFF, 0xFE]
      for half in 0..<(20 / milliseconds) {
        let index = count * 20 / milliseconds + half
        try rig.send(111, UInt16(1_000 + index), UInt32(index * 48 * milliseconds), ssrc: 8, voice)
      }
      rig.pass()
    }
    #expect(rig.session.counters.foreign == 0 && rig.session.counters.packets == 61 + 2_000 / milliseconds)
    #expect(rig.source.latestSnapshot.statistics.packetsDiscarded == 0)
  }
}
