import RTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct NackTrackerTests {
  private static let millisecond = 1_000_000

  /// Everything that is asked for now.
  private func ask(_ missing: inout NackTracker, at milliseconds: Int, roundTrip: Int? = 40, target: Int = 40)
    -> [UInt16]
  {
    var numbers: [UInt16] = []
    while let pair = missing.nextPair(
      nowNanoseconds: milliseconds * Self.millisecond, roundTripNanoseconds: roundTrip.map { $0 * Self.millisecond },
      targetDelayNanoseconds: target * Self.millisecond)
    {
      numbers += (0...16).compactMap { pair.sequenceNumber($0) }
    }
    return numbers
  }

  private func deadline(_ missing: borrowing NackTracker, roundTrip: Int? = 40, target: Int = 40) -> Int? {
    missing.nextDeadlineNanoseconds(
      roundTripNanoseconds: roundTrip.map { $0 * Self.millisecond }, targetDelayNanoseconds: target * Self.millisecond
    ).map { $0 / Self.millisecond }
  }

  @Test("a stream without gaps requests nothing")
  func whole() {
    var missing = NackTracker()
    for number in 0..<1000 { missing.receive(number, nowNanoseconds: number * 20 * Self.millisecond) }
    let asked = ask(&missing, at: 20_000)
    #expect(asked.isEmpty && missing.count == 0 && deadline(missing) == nil)
  }

  @Test("without reordering a missing packet is requested at once")
  func atOnce() {
    var missing = NackTracker()
    missing.receive(10, nowNanoseconds: 0)
    missing.receive(12, nowNanoseconds: 40 * Self.millisecond)
    #expect(deadline(missing) == 40)
    let asked = ask(&missing, at: 40)
    #expect(asked == [11])
  }

  @Test("the patience is the delay of a reordered packet, 100 ms at most", arguments: [4, 25, 250])
  func patience(milliseconds: Int) {
    var missing = NackTracker()
    missing.receive(7, nowNanoseconds: 0)
    missing.receive(9, nowNanoseconds: 0)
    missing.receive(8, nowNanoseconds: milliseconds * Self.millisecond)
    missing.receive(11, nowNanoseconds: (40 + milliseconds) * Self.millisecond)
    #expect(deadline(missing) == 40 + milliseconds + min(100, milliseconds))
  }

  @Test("a packet too early for an answer counts as late")
  func notAnAnswer() {
    var missing = NackTracker()
    missing.receive(1, nowNanoseconds: 0)
    missing.receive(4, nowNanoseconds: 0)
    let asked = ask(&missing, at: 0)
    #expect(asked == [2, 3])
    let soon = missing.receive(2, nowNanoseconds: 19 * Self.millisecond, roundTripNanoseconds: 40 * Self.millisecond)
    let answer = missing.receive(3, nowNanoseconds: 40 * Self.millisecond, roundTripNanoseconds: 40 * Self.millisecond)
    #expect(!soon && answer)
    #expect(missing.counters.late == 1 && missing.counters.recovered == 1)
  }

  @Test("a missing packet is requested after the patience, then repeatedly")
  func repeats() {
    var missing = NackTracker()
    missing.receive(8, nowNanoseconds: 0)
    missing.receive(10, nowNanoseconds: 0)
    missing.receive(9, nowNanoseconds: 20 * Self.millisecond)
    missing.receive(13, nowNanoseconds: 60 * Self.millisecond)
    #expect(missing.count == 2 && deadline(missing) == 80)
    let early = ask(&missing, at: 79)
    let due = ask(&missing, at: 80)
    let again = ask(&missing, at: 81)
    #expect(early.isEmpty && due == [11, 12] && again.isEmpty)
    // The round trip and 10 ms later.
    #expect(deadline(missing) == 130)
    let before = ask(&missing, at: 129)
    let repeated = ask(&missing, at: 130)
    #expect(before.isEmpty && repeated == [11, 12])
    missing.receive(12, nowNanoseconds: 140 * Self.millisecond)
    let rest = ask(&missing, at: 180)
    #expect(rest == [11])
    #expect(missing.counters.recovered == 1 && missing.counters.requested == 5 && missing.counters.missing == 3)
  }

  @Test("a late packet is not requested")
  func late() {
    var missing = NackTracker()
    for number in [0, 1, 3, 4, 2] { missing.receive(number, nowNanoseconds: number * Self.millisecond) }
    let asked = ask(&missing, at: 100)
    #expect(asked.isEmpty && missing.count == 0)
    #expect(missing.counters.late == 1 && missing.counters.recovered == 0)
  }

  @Test(
    "nothing is requested unless the round trip is below target plus 60 ms",
    arguments: [(99, true), (100, false), (500, false)])
  func roundTripRule(roundTrip: Int, isAsked: Bool) {
    var missing = NackTracker()
    missing.receive(0, nowNanoseconds: 0)
    missing.receive(2, nowNanoseconds: 0)
    let asked = ask(&missing, at: 10, roundTrip: roundTrip, target: 40)
    #expect(asked == (isAsked ? [1] : []))
    #expect((deadline(missing, roundTrip: roundTrip) != nil) == isAsked)
  }

  @Test("nothing is requested before the round trip is known")
  func unknownRoundTrip() {
    var missing = NackTracker()
    missing.receive(0, nowNanoseconds: 0)
    missing.receive(2, nowNanoseconds: 0)
    let asked = ask(&missing, at: 10, roundTrip: nil)
    #expect(asked.isEmpty && deadline(missing, roundTrip: nil) == nil)
  }

  @Test("after 500 ms a packet is given up")
  func history() {
    var missing = NackTracker()
    missing.receive(0, nowNanoseconds: 0)
    missing.receive(2, nowNanoseconds: 0)
    var times: [Int] = []
    for milliseconds in 0...2000 where !ask(&missing, at: milliseconds).isEmpty { times.append(milliseconds) }
    // At once, and then every 50 ms.
    #expect(times == Array(stride(from: 0, through: 500, by: 50)))
    #expect(missing.count == 0 && missing.counters.givenUp == 1)
    // It comes after all: nobody waits for it.
    missing.receive(1, nowNanoseconds: 2000 * Self.millisecond)
    #expect(missing.counters.recovered == 0 && missing.counters.late == 0)
  }

  @Test("missing packets before the playout position are given up")
  func passed() {
    var missing = NackTracker()
    missing.receive(0, timestamp: 9_600, nowNanoseconds: 0)
    missing.receive(1, timestamp: 10_560, nowNanoseconds: 0)
    // 2 to 9 are missing; 5 ends where 6 begins.
    missing.receive(10, timestamp: 9_600 + 9_600, nowNanoseconds: 0)
    missing.giveUp(beforeTimestamp: 9_600 + 6 * 960 - 1)
    #expect(missing.counters.givenUp == 3)
    missing.giveUp(beforeTimestamp: 9_600 + 6 * 960)
    let asked = ask(&missing, at: 10)
    #expect(asked == [6, 7, 8, 9] && missing.counters.givenUp == 4)
  }

  @Test("a packet lost next to a pause is given up only at the pause's end")
  func passedPause() {
    var missing = NackTracker()
    for number in 0..<3 { missing.receive(number, timestamp: number * 960, nowNanoseconds: 0) }
    // One is missing, and 400 ms.
    missing.receive(4, timestamp: 2 * 960 + 19_200, nowNanoseconds: 0)
    missing.giveUp(beforeTimestamp: 2 * 960 + 19_199)
    #expect(missing.count == 1)
    missing.giveUp(beforeTimestamp: 2 * 960 + 19_200)
    #expect(missing.count == 0)
  }

  @Test("without timestamps the playout position gives up nothing")
  func passedUnknown() {
    var missing = NackTracker()
    missing.receive(0, nowNanoseconds: 0)
    missing.receive(10, nowNanoseconds: 0)
    missing.giveUp(beforeTimestamp: 1_000_000)
    #expect(missing.count == 9)
  }

  @Test("a gap over a wrap is requested with the fewest pairs")
  func pairs() {
    var missing = NackTracker()
    missing.receive(65_530, nowNanoseconds: 0)
    missing.receive(65_530 + 40, nowNanoseconds: 0)
    var pairs: [NackPair] = []
    while let pair = missing.nextPair(
      nowNanoseconds: 20 * Self.millisecond, roundTripNanoseconds: 0, targetDelayNanoseconds: 0)
    {
      pairs.append(pair)
    }
    #expect(pairs.map(\.packetID) == [65_531, 12, 29] && pairs.map(\.packetCount) == [17, 17, 5])
  }

  @Test("a gap keeps its newest 255 packets and gives up the others")
  func longGap() {
    var missing = NackTracker()
    missing.receive(0, nowNanoseconds: 0)
    missing.receive(3, nowNanoseconds: 0)
    missing.receive(1_000_000, nowNanoseconds: 0)
    #expect(missing.count == 255)
    #expect(missing.counters.missing == 999_998 && missing.counters.givenUp == 999_998 - 255)
    let asked = ask(&missing, at: 10)
    #expect(asked == (999_745..<1_000_000).map { UInt16(truncatingIfNeeded: $0) })
  }

  @Test("a reset restarts the stream")
  func reset() {
    var missing = NackTracker()
    missing.receive(0, nowNanoseconds: 0)
    missing.receive(5, nowNanoseconds: 0)
    missing.reset()
    missing.receive(-70_000, nowNanoseconds: 0)
    missing.receive(-69_998, nowNanoseconds: 0)
    let asked = ask(&missing, at: 10)
    #expect(asked == [UInt16(truncatingIfNeeded: -69_999)] && missing.counters.givenUp == 4)
  }

  @Test(
    "every missing packet is late, recovered, given up or still missing",
    arguments: [1, 2, 3] as [UInt64])
  func ledger(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var missing = NackTracker()
    var arrivals: [(time: Int, number: Int)] = []
    for number in 0..<20_000 where Int.random(in: 0..<10, using: &random) > 0 {
      arrivals.append((number * 20 + Int.random(in: 0..<60, using: &random), number))
    }
    arrivals.sort { $0 < $1 }
    var model = Set<Int>()
    var highest = arrivals[0].number
    for (time, number) in arrivals {
      missing.receive(
        number, nowNanoseconds: time * Self.millisecond, roundTripNanoseconds: 40 * Self.millisecond)
      if number > highest {
        model.formUnion((highest + 1)..<number)
        highest = number
      }
      model.remove(number)
      let asked = ask(&missing, at: time)
      #expect(asked.allSatisfy { number in model.contains { UInt16(truncatingIfNeeded: $0) == number } })
      // Resent: one in two comes back, in the same moment.
      for low in asked where Bool.random(using: &random) {
        let number = model.first { UInt16(truncatingIfNeeded: $0) == low }!
        model.remove(number)
        missing.receive(number, nowNanoseconds: time * Self.millisecond)
      }
    }
    let counters = missing.counters
    #expect(counters.missing == counters.late + counters.recovered + counters.givenUp + missing.count)
    #expect(counters.recovered > 500 && counters.late > 500, "seed \(seed)")
  }
}
