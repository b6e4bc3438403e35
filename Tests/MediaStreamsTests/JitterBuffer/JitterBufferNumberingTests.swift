import AudioGraph
import MediaStreams
import StreamTestSupport
import TestSupport
import Testing

/// Sequence numbers and timestamps that wrap, senders that begin anew, listeners that come late.
@Suite(.timeLimit(.minutes(10))) struct JitterBufferNumberingTests {
  /// What happens to the packets before and after the wrap.
  enum Accident: CaseIterable, Sendable {
    case none, lastLost, firstLost, lastLate, firstLate, lastTwice, firstTwice
  }

  /// What wraps at the edge between packets 99 and 100.
  enum Wrap: CaseIterable, Sendable {
    case both, sequenceNumber, timestamp

    var first: (sequence: UInt16, timestamp: UInt32) {
      switch self {
      case .both: (65_436, 0 &- 960 * 100)
      case .sequenceNumber: (65_436, 1_000_000)
      case .timestamp: (1_000, 0 &- 960 * 100)
      }
    }
  }

  private static let options = JitterBufferOptions(codec: .null)

  private func packets(
    _ numbers: Range<Int>, sequence: UInt16, timestamp: UInt32, ssrc: UInt32 = 1, startMilliseconds: Int = 0
  )
    throws -> [TimedPacket]
  {
    try numbers.map { number in
      try TimedPacket(
        arrival: (startMilliseconds + 20 * number) * 1_000_000,
        payload: TimedPacket.null(Int(sequence) + number, samples: 960),
        sequenceNumber: sequence &+ UInt16(number & 0xFFFF), timestamp: timestamp &+ UInt32(960 * number), ssrc: ssrc)
    }
  }

  @Test(
    "wraps survive packets lost, late or duplicated at the edge",
    .shows("receive: numbers"),
    arguments: Accident.allCases, Wrap.allCases)
  func wraps(accident: Accident, wrap: Wrap) throws {
    // Packet 100 is number 0, or its timestamp is the first past 2^32, or both.
    var stream = try packets(0..<200, sequence: wrap.first.sequence, timestamp: wrap.first.timestamp)
    switch accident {
    case .none: break
    case .lastLost: stream.remove(at: 99)
    case .firstLost: stream.remove(at: 100)
    case .lastLate: stream[99].arrival += 35_000_000
    case .firstLate: stream[100].arrival += 35_000_000
    case .lastTwice: stream.insert(stream[99], at: 102)
    case .firstTwice: stream.insert(stream[100], at: 102)
    }
    stream = stream.enumerated().sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }.map(
      \.element)
    let bench = try ReceiverBench(Self.options, packets: stream, frameCount: 400)
    let last = try #require(bench.statistics.last)
    let isLost = accident == .lastLost || accident == .firstLost
    let isTwice = accident == .lastTwice || accident == .firstTwice
    #expect(last.packetsReceived == (isLost ? 199 : 200))
    #expect(last.packetsLost == (isLost ? 1 : 0))
    #expect(last.packetsDuplicated == (isTwice ? 1 : 0))
    #expect(last.streamsBegun == 1)
    #expect(last.packetsFromUnknownSources == 0)
    #expect(last.payloadMismatches == 0)
    // A packet that is 35 ms late is concealed, and not played any more.
    let isMissing = isLost || accident == .lastLate || accident == .firstLate
    #expect(last.concealedSamples == (isMissing ? 960 : 0))
    #expect(last.decodedSamples == (isMissing ? 199 : 200) * 960)
    #expect(bench.imbalances.isEmpty)
  }

  @Test(
    "a late listener begins with the first packets, even out of order",
    .shows("receive: numbers"))
  func lateJoiner() throws {
    var stream = try packets(500..<600, sequence: 7, timestamp: 99)
    stream[1].arrival = stream[0].arrival
    stream.swapAt(0, 1)
    let bench = try ReceiverBench(Self.options, packets: stream, frameCount: 1_200)
    let last = try #require(bench.statistics.last)
    #expect(last.packetsLost == 0 && last.packetsDiscarded == 0)
    #expect(last.decodedSamples == 100 * 960)
    let first = try #require(bench.headers.first { $0.provenance == .decoded })
    let expected: UInt32 = 99 + 960 * 500
    #expect(first.rtpTimestamp == expected)
  }

  @Test(
    "a sender that restarts with a new source is followed after 200 ms",
    .shows("receive: numbers"))
  func restart() throws {
    for quietMilliseconds in [0, 1_200] {
      let before = try packets(0..<100, sequence: 10_000, timestamp: 1_000_000, ssrc: 1)
      let after = try packets(
        0..<100, sequence: 3, timestamp: 77, ssrc: 2, startMilliseconds: 2_000 + quietMilliseconds)
      let bench = try ReceiverBench(Self.options, packets: before + after, frameCount: 400 + quietMilliseconds / 10)
      let last = try #require(bench.statistics.last)
      // Those of the first 250 ms behind the last packet of the old one; after a second, the first of two in a row.
      // `RTPSource` keeps both for the receiver.
      let strays = quietMilliseconds == 0 ? 12 : 1
      #expect(last.streamsBegun == 2 && last.sourceChanges == 1)
      #expect(last.packetsFromUnknownSources == strays)
      #expect(last.packetsReceived == 200 - strays)
      #expect(last.packetsLost == 0)
      #expect(last.payloadMismatches == 0)
      #expect(bench.stages.last == .playing)
      #expect(bench.imbalances.isEmpty)
    }
  }

  @Test(
    "of two sources that send at once only the first is heard",
    .shows("receive: numbers"))
  func twoAtOnce() throws {
    let first = try packets(0..<200, sequence: 100, timestamp: 5_000, ssrc: 1)
    let second = try packets(0..<150, sequence: 9_000, timestamp: 70_000, ssrc: 2, startMilliseconds: 505)
    // Pairs of one between pairs of the other, and four in a row.
    let late = second.enumerated().map { index, packet in
      var packet = packet
      packet.arrival += [0, -19, -39, -59][index % 4] * 1_000_000 + 60_000_000
      return packet
    }
    let bench = try ReceiverBench(
      Self.options, packets: (first + late).sorted { $0.arrival < $1.arrival }, frameCount: 400)
    let last = try #require(bench.statistics.last)
    #expect(last.streamsBegun == 1 && last.packetsFromUnknownSources == 150 && last.packetsReceived == 200)
    #expect(last.packetsLost == 0 && last.concealedSamples == 0)
  }

  @Test(
    "unknown sources and misfit numbers do not disturb the stream",
    .shows("receive: numbers"))
  func strays() throws {
    var stream = try packets(0..<200, sequence: 100, timestamp: 5_000)
    for (number, index) in stride(from: 20, to: 190, by: 20).enumerated() {
      let wrong = try TimedPacket(
        arrival: stream[index].arrival, payload: TimedPacket.null(0, samples: 960),
        sequenceNumber: number % 2 == 0 ? UInt16(index) : UInt16(40_000 + 500 * number),
        timestamp: UInt32(123_456_789 * number), ssrc: number % 2 == 0 ? 9 : 1)
      stream.insert(wrong, at: index)
    }
    let bench = try ReceiverBench(Self.options, packets: stream, frameCount: 400)
    let last = try #require(bench.statistics.last)
    #expect(last.packetsFromUnknownSources == 9)
    #expect(last.streamsBegun == 1)
    #expect(last.packetsReceived == 200)
    #expect(last.concealedSamples == 0)
  }

  @Test("after 15 s without packets the next packet begins a new stream", .shows("receive: numbers"))
  func offline() throws {
    for pause in [14, 16] {
      let before = try packets(0..<100, sequence: 65_500, timestamp: 0)
      let after = try packets(
        100..<200, sequence: 65_500, timestamp: UInt32(48_000 * pause), startMilliseconds: 1_000 * pause)
      let bench = try ReceiverBench(Self.options, packets: before + after, frameCount: 400 + 100 * pause)
      let last = try #require(bench.statistics.last)
      #expect(last.streamsBegun == (pause < 15 ? 1 : 2))
      #expect(bench.stages.contains(.frozen))
      #expect(bench.stages[200..<(200 + 100 * pause)].contains(.idle) == (pause > 15))
      #expect(bench.stages.last == .playing)
      #expect(last.packetsReceived == 200 && last.packetsLost == 0)
      #expect(last.decodedSamples == 200 * 960)
      #expect(bench.imbalances.isEmpty)
    }
  }

  @Test("invalid packets and unknown payload types are counted and dropped", .shows("receive: numbers"))
  func malformed() throws {
    var receiver = try JitterBuffer(JitterBufferOptions(codec: .opus, payloadType: 111))
    func insert(_ bytes: [UInt8]) { bytes.withUnsafeBytes { receiver.insert($0, arrivalNanoseconds: 0) } }
    insert([])
    insert([1, 2, 3])
    // 63 frames of 20 ms: longer than 120 ms. A code 3 packet without its count. An empty payload. Too long by far.
    for (number, payload) in ([[0x83, 0x3F, 0, 0], [0x83], [], Array(repeating: 0xF8, count: 1_501)] as [[UInt8]])
      .enumerated()
    {
      insert(try TimedPacket(arrival: 0, payload: payload, sequenceNumber: UInt16(number), timestamp: 0).bytes)
    }
    #expect(receiver.statistics.packetsMalformed == 6)
    var other = try TimedPacket(arrival: 0, payload: [0xF8, 1, 2, 3], sequenceNumber: 9, timestamp: 0).bytes
    other[1] = 96
    insert(other)
    #expect(receiver.statistics.packetsFromUnknownSources == 1)
    #expect(receiver.statistics.packetsReceived == 0)
    #expect(receiver.stage == .idle)
  }
}
