import RTP
import TestSupport
import Testing

/// The owner of the stream when two sources send.
@Suite(.timeLimit(.minutes(10))) struct SourceArbiterTests {
  private static let millisecond = 1_000_000

  /// What becomes of a packet of 20 ms: its number in the stream, or why it has none.
  private func classify(
    _ arbiter: inout SourceArbiter, _ number: Int, of ssrc: UInt32, at milliseconds: Int, announcesPause: Bool = false
  ) -> String {
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
      timestamp: UInt32(truncatingIfNeeded: milliseconds * 48), ssrc: ssrc)
    switch arbiter.classify(header, announcesPause: announcesPause, arrival: milliseconds * Self.millisecond) {
    case .accepted: return "accepted"
    case .begins: return "begins"
    case .unknownSource: return "stray"
    }
  }

  /// A gate at which source 1 has sent a second, the last packet of which came at 980 ms.
  private func arbiter(lastAnnouncesPause: Bool = false) -> SourceArbiter {
    var arbiter = SourceArbiter()
    for number in 0..<50 {
      let decision = classify(
        &arbiter, number, of: 1, at: 20 * number, announcesPause: lastAnnouncesPause && number == 49)
      #expect(decision == (number == 0 ? "begins" : "accepted"))
    }
    return arbiter
  }

  @Test(
    "a steady source follows after 200 ms, and the former source returns",
    .shows("rtp: other sources"))
  func quiet() {
    var arbiter = arbiter()
    var heard: [String] = []
    // A stranger sends all the time; source 1 is away from 980 to 1980 ms.
    for time in stride(from: 985, through: 3_000, by: 20) {
      let stranger = classify(&arbiter, time / 20, of: 2, at: time)
      if stranger == "begins" { heard.append("2 at \(time)") }
      guard time >= 1_980 else { continue }
      let first = classify(&arbiter, time / 20, of: 1, at: time)
      if first == "begins" { heard.append("1 at \(time)") }
    }
    #expect(heard == ["2 at 1245", "1 at 2085"])
  }

  @Test(
    "sparse packets of another source take no stream within a second",
    .shows("rtp: other sources"),
    arguments: [(every: 201, announces: false), (20, true)])
  func interjections(stranger: (every: Int, announces: Bool)) {
    var arbiter = arbiter()
    for (index, time) in stride(from: 990, through: 1_980, by: stranger.every).enumerated() {
      let decision = classify(&arbiter, index, of: 2, at: time, announcesPause: stranger.announces)
      #expect(decision == "stray", "\(time) ms")
    }
    let first = classify(&arbiter, 900, of: 2, at: 1_981)
    let second = classify(&arbiter, 901, of: 2, at: 2_001)
    #expect(first == "stray" && second == "begins")
  }

  @Test("another source does not begin between packets of 120 ms with jitter")
  func longPackets() {
    var arbiter = SourceArbiter()
    for number in 0..<50 {
      let delay = number % 2 == 0 ? 0 : 230
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(number), timestamp: UInt32(number * 5_760), ssrc: 1)
      let time = 120 * number + delay
      let decision = arbiter.classify(header, announcesPause: false, arrival: time * Self.millisecond)
      if case .unknownSource = decision { Issue.record("packet \(number)") }
      for step in 0..<(number % 2 == 0 ? 17 : 0) {
        let other = classify(&arbiter, 1_000 + 20 * number + step, of: 2, at: time + 20 * step + 1)
        #expect(other == "stray")
      }
    }
  }

  @Test(
    "late packets of an ended source do not interrupt its successor",
    .shows("rtp: other sources"))
  func underWay() {
    var arbiter = arbiter()
    for number in 0..<20 { _ = classify(&arbiter, number, of: 2, at: 1_000 + 20 * number) }
    let late = (50..<70).map { classify(&arbiter, $0, of: 1, at: 1_385 + $0 / 10) }
    let next = classify(&arbiter, 20, of: 2, at: 1_400)
    #expect(late.allSatisfy { $0 == "stray" } && next == "accepted")
  }

  @Test("a successor with reordered packets is heard within 300 ms")
  func jitter() {
    var arbiter = arbiter()
    var begun: Int?
    for index in 0..<40 {
      let time = 990 + 20 * index
      // Pairs come the wrong way round.
      let decision = classify(&arbiter, index ^ 1, of: 2, at: time)
      if decision == "begins" { begun = begun ?? time }
      if index % 13 == 0 { _ = classify(&arbiter, index, of: 3, at: time) }
    }
    #expect((1_240...1_280).contains(begun ?? 0))
  }

  @Test("a paused source yields to the former's voice, not its comfort noise")
  func taken() {
    var arbiter = arbiter()
    for number in 0..<16 { _ = classify(&arbiter, number, of: 2, at: 1_000 + 20 * number) }
    let pause = classify(&arbiter, 16, of: 2, at: 1_320, announcesPause: true)
    #expect(pause == "accepted")
    let comfort = (0..<30).map { classify(&arbiter, 50 + $0, of: 1, at: 1_330 + 20 * $0, announcesPause: true) }
    let voice = (0..<10).map { classify(&arbiter, 80 + $0, of: 1, at: 1_930 + 20 * $0) }
    #expect(comfort.allSatisfy { $0 == "stray" })
    #expect(voice.firstIndex(of: "begins") == 5 && voice.last == "accepted")
  }

  @Test(
    "an announced pause keeps the stream until 2 s after its last packet",
    .shows("rtp: other sources"))
  func pause() {
    var arbiter = arbiter(lastAnnouncesPause: true)
    // An encoder with DTX says so again every 400 ms; now and then that is lost.
    for time in stride(from: 1_000, to: 20_000, by: 20) {
      if time % 400 == 0, time % 1_600 != 0 {
        let decision = classify(&arbiter, 50 + time / 400, of: 1, at: time, announcesPause: true)
        #expect(decision == "accepted", "\(time) ms")
      }
      let stranger = classify(&arbiter, time, of: 2, at: time + 5)
      #expect(stranger == "stray", "\(time) ms")
    }
    // The last word came at 19600 ms.
    let before = classify(&arbiter, 1, of: 2, at: 21_600)
    let after = classify(&arbiter, 2, of: 2, at: 21_601)
    #expect(before == "stray" && after == "begins")
  }

  @Test("after a pause ends, a second of quiet is enough for another source")
  func back() {
    var arbiter = arbiter(lastAnnouncesPause: true)
    let voice = classify(&arbiter, 50, of: 1, at: 5_000)
    let first = classify(&arbiter, 1, of: 2, at: 6_001)
    let second = classify(&arbiter, 2, of: 2, at: 6_021)
    #expect(voice == "accepted" && first == "stray" && second == "begins")
  }

  @Test("after a BYE another source begins with two packets in a row", .shows("rtp: other sources"))
  func bye() {
    var arbiter = arbiter()
    arbiter.receiveBye()
    let rest = classify(&arbiter, 50, of: 1, at: 1_010)
    let next = classify(&arbiter, 1, of: 2, at: 1_020)
    let goesOn = classify(&arbiter, 2, of: 2, at: 1_040)
    let third = classify(&arbiter, 1, of: 3, at: 1_060)
    #expect(rest == "accepted" && next == "stray" && goesOn == "begins" && third == "stray")
  }

  @Test(
    "a late packet is accepted if its number and timestamp agree",
    .shows("receive: numbers"),
    arguments: [1, 99, 100, 749])
  func late(count: Int) {
    var arbiter = SourceArbiter()
    for number in 0..<750 where number != 750 - count {
      _ = classify(&arbiter, number, of: 1, at: 20 * number)
    }
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(750 - count), timestamp: UInt32((750 - count) * 960),
      ssrc: 1)
    let decision = arbiter.classify(header, announcesPause: false, arrival: 14_990 * Self.millisecond)
    guard case .accepted(let sequence, let timestamp) = decision else { return #expect(Bool(false), "\(decision)") }
    // The first packet had the number 0, one turn up.
    #expect(sequence == 65_536 + 750 - count && timestamp == (1 << 32) + (750 - count) * 960)
  }

  @Test(
    "old packets between new ones keep their numbers and begin no stream",
    .shows("receive: numbers"))
  func interleaved() {
    var arbiter = SourceArbiter()
    var (begun, strays) = (0, 0)
    for number in 0..<1_000 {
      // From the 300th on packets take no time at all, and those before them took 3 s.
      for (sent, at) in [(number - 150, 20 * number), (number, 20 * number)] {
        guard sent >= 0, (sent < 300) == (at != 20 * sent) else { continue }
        let header = RTPHeader(
          marker: false, payloadType: 111, sequenceNumber: UInt16(sent), timestamp: UInt32(sent * 960), ssrc: 1)
        switch arbiter.classify(header, announcesPause: false, arrival: at * Self.millisecond) {
        case .begins: begun += 1
        case .accepted(let sequence, _): #expect(sequence == 65_536 + sent)
        case .unknownSource: strays += 1
        }
      }
    }
    #expect(begun == 1 && strays == 0)
  }

  @Test("only two consecutive misfit packets restart the stream")
  func restart() {
    var arbiter = arbiter()
    let steps: [(number: Int, milliseconds: Int, decision: String)] = [
      (20_000, 1_000, "stray"), (50, 1_000, "accepted"),
      // The timestamp is of time; the number is nobody's.
      (3_051, 1_020, "stray"), (3_049, 1_020, "stray"), (152, 1_020, "stray"), (150, 1_020, "accepted"),
      (40_000, 1_040, "stray"), (40_002, 1_040, "stray"), (40_003, 1_060, "begins"), (40_004, 1_080, "accepted"),
    ]
    for (index, step) in steps.enumerated() {
      let decision = classify(&arbiter, step.number, of: 1, at: step.milliseconds)
      #expect(decision == step.decision, "step \(index)")
    }
  }

  /// Packets of 20 ms of a sender that goes on with a number and a timestamp of its own. Returns: the first of them
  /// with which the stream goes on at its top, and how many had no number.
  private func goOn(
    _ arbiter: inout SourceArbiter, number: Int, timestamp: Int, from milliseconds: Int
  ) -> (top: Int?, strays: Int) {
    var (top, strays, highest) = (Int?.none, 0, 0)
    for index in 0..<1_000 {
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number + index),
        timestamp: UInt32(truncatingIfNeeded: timestamp + 960 * index), ssrc: 1)
      switch arbiter.classify(header, announcesPause: false, arrival: (milliseconds + 20 * index) * Self.millisecond) {
      case .begins(let sequence, _):
        (top, highest) = (top ?? index, sequence)
      case .accepted(let sequence, _):
        if top != nil {
          #expect(sequence == highest + 1)
          highest = sequence
        }
      case .unknownSource: strays += 1
      }
    }
    return (top, strays)
  }

  @Test(
    "a single packet far ahead silences a stream for at most a second",
    .shows("receive: numbers"),
    arguments: [(packets: 2_000, samples: 120, top: 1), (600, 960, 50)])
  func farAhead(packets: Int, samples: Int, top: Int) {
    var arbiter = arbiter()
    let ahead = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(49 + packets),
      timestamp: UInt32(49 * 960 + packets * samples), ssrc: 1)
    guard case .accepted = arbiter.classify(ahead, announcesPause: false, arrival: 990 * Self.millisecond) else {
      Issue.record("it fits")
      return
    }
    #expect(goOn(&arbiter, number: 50, timestamp: 50 * 960, from: 1_000).top == top)
  }

  @Test(
    "with jitter and loss a packet far ahead silences a stream for 1 to 2 s", .shows("receive: numbers"),
    arguments: [(10.0, 30.0, 0.0), (10, 20, 0.1), (20, 40, 0.3)] as [(Double, Double, Double)], 1...20)
  func farAheadOfDisorder(way: (packet: Double, jitter: Double, loss: Double), seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func header(_ index: Int) -> RTPHeader {
      RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(index),
        timestamp: UInt32(Double(index) * way.packet * 48), ssrc: 1)
    }
    let arrivals = (0..<1_000).compactMap { index -> (index: Int, at: Double)? in
      if index > 0, Double.random(in: 0..<1, using: &random) < way.loss { return nil }
      return (index, Double(index) * way.packet + Double.random(in: 0...2 * way.jitter, using: &random))
    }.sorted { $0.at < $1.at }
    var arbiter = SourceArbiter()
    // Fourteen seconds ahead of the packet that came first.
    let (first, ahead) = (arrivals[0], Int(14_000 / way.packet))
    _ = arbiter.classify(header(first.index), announcesPause: false, arrival: Int(first.at * 1e6))
    _ = arbiter.classify(header(first.index + ahead), announcesPause: false, arrival: Int(first.at * 1e6))
    let heardAgain = arrivals.dropFirst().first { arrival in
      let decision = arbiter.classify(header(arrival.index), announcesPause: false, arrival: Int(arrival.at * 1e6))
      if case .begins = decision { return true }
      return false
    }
    let wait = try #require(heardAgain).at - first.at
    #expect((1_000..<2_000).contains(wait), "\(wait) ms")
  }

  @Test(
    "a step back continues with the second packet, a restart in a second",
    .shows("receive: numbers"))
  func stepsBack() {
    var one = arbiter()
    #expect(goOn(&one, number: 49 - 1_500, timestamp: 50 * 960, from: 1_000) == (top: 1, strays: 1))
    var other = arbiter()
    for number in 50..<500 { _ = classify(&other, number, of: 1, at: 20 * number) }
    #expect(goOn(&other, number: 0, timestamp: 0, from: 10_000) == (top: 50, strays: 0))
  }

  @Test(
    "shuffled packets keep the numbers and times they were sent with",
    arguments: 1...3)
  func shuffled(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var arbiter = SourceArbiter()
    // Begins shortly before a wrap of either.
    let (firstNumber, firstTimestamp) = (65_500, (1 << 32) - 3 * 960)
    var offsets: Set<[Int]> = []
    var unknownSources = 0
    for (at, index) in stride(from: 0, to: 50_000, by: 100).flatMap({ ($0..<($0 + 100)).shuffled(using: &random) })
      .enumerated()
    {
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: firstNumber + index),
        timestamp: UInt32(truncatingIfNeeded: firstTimestamp + index * 960), ssrc: 1)
      switch arbiter.classify(header, announcesPause: false, arrival: at * 20 * Self.millisecond) {
      case .begins(let sequence, let timestamp), .accepted(let sequence, let timestamp):
        offsets.insert([sequence - index, timestamp - index * 960])
      case .unknownSource: unknownSources += 1
      }
    }
    // All off by the same turns.
    #expect(offsets.count == 1 && unknownSources == 0, "seed \(seed)")
  }

  @Test("a stream continues after an outage of 20 s, unless a BYE came before")
  func outage() {
    for (number, source, hasLeft, expected) in [
      (1_050, UInt32(1), false, "accepted"), (1_050, 1, true, "begins"), (7, 1, false, "begins"),
      (7, 2, false, "stray"),
    ] {
      var arbiter = arbiter()
      if hasLeft { arbiter.receiveBye() }
      let decision = classify(&arbiter, number, of: source, at: 21_000)
      #expect(decision == expected, "\(number) of \(source)")
      guard source == 2 else { continue }
      let next = classify(&arbiter, number + 1, of: source, at: 21_020)
      #expect(next == "begins")
    }
  }

  @Test("packets without sound use their source's numbers and begin no stream")
  func soundless() {
    var arbiter = arbiter()
    func number(_ sequence: Int, of ssrc: UInt32) -> Int? {
      let header = RTPHeader(
        marker: false, payloadType: 101, sequenceNumber: UInt16(sequence), timestamp: 7, ssrc: ssrc)
      guard case .accepted(let number, _) = arbiter.classifySoundless(header, arrival: 1_000 * Self.millisecond) else {
        return nil
      }
      return number
    }
    let numbers = [number(50, of: 1), number(51, of: 1), number(49, of: 1), number(300, of: 1), number(52, of: 2)]
    #expect(numbers == [65_586, 65_587, 65_585, nil, nil])
    let voice = classify(&arbiter, 52, of: 1, at: 1_020)
    #expect(voice == "accepted")
    var empty = SourceArbiter()
    let header = RTPHeader(marker: false, payloadType: 101, sequenceNumber: 1, timestamp: 7, ssrc: 1)
    guard case .unknownSource = empty.classifySoundless(header, arrival: 0) else { return #expect(Bool(false)) }
  }

  @Test("a played position is unwrapped to the stream's own time")
  func positions() {
    var arbiter = SourceArbiter()
    #expect(arbiter.unwrapped(5) == nil)
    let header = RTPHeader(marker: false, payloadType: 111, sequenceNumber: 9, timestamp: 480, ssrc: 1)
    _ = arbiter.classify(header, announcesPause: false, arrival: 0)
    let (before, now) = (arbiter.unwrapped(.max - 479), arbiter.unwrapped(480))
    #expect(now! - before! == 960)
  }
}
