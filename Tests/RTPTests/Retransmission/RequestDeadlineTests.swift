import RTP
import TestSupport
import Testing

/// Packets are asked for while their answers can still be played, and answers count whenever they come.
@Suite(.timeLimit(.minutes(10))) struct RequestDeadlineTests {
  private static let millisecond = 1_000_000
  private static let samplesPerPacket = 960

  /// A stream of 20 ms packets, each there when its sound ends, in which `lost` do not come; now is when the one behind
  /// them came.
  private func stream(lost: ClosedRange<Int>, reply: Int? = nil) -> NackTracker {
    var missing = NackTracker()
    if let reply { answer(&missing, after: reply, until: lost.lowerBound - 1) }
    receive(&missing, lost.lowerBound - 1, at: 20 * lost.lowerBound)
    receive(&missing, lost.upperBound + 1, at: 20 * lost.upperBound + 40)
    return missing
  }

  /// Long before, every other packet up to a number is answered so long after the round trip of 40 ms.
  private func answer(_ missing: inout NackTracker, after reply: Int, until end: Int) {
    receive(&missing, end - 40, at: -20_000)
    for number in stride(from: end - 38, through: end - 2, by: 2) {
      let now = -20_000 + 200 * (number - end + 40)
      receive(&missing, number, at: now)
      _ = missing.nextPair(
        nowNanoseconds: now * Self.millisecond, roundTripNanoseconds: 40 * Self.millisecond,
        targetDelayNanoseconds: 200 * Self.millisecond)
      receive(&missing, number - 1, at: now + 40 + reply)
    }
    receive(&missing, end - 1, at: -1_000)
  }

  private func receive(_ missing: inout NackTracker, _ number: Int, at milliseconds: Int) {
    missing.receive(
      number, timestamp: number * Self.samplesPerPacket, nowNanoseconds: milliseconds * Self.millisecond,
      roundTripNanoseconds: 40 * Self.millisecond)
  }

  /// What is asked for now by a listener who hears what was captured so long ago.
  private func ask(
    _ missing: inout NackTracker, at milliseconds: Int, roundTrip: Int, behind: Int, hasFEC: Bool = true
  ) -> [Int] {
    missing.pass(
      timestamp: (milliseconds - behind) * 48, atNanoseconds: milliseconds * Self.millisecond, hasFEC: hasFEC)
    var numbers: [Int] = []
    while let pair = missing.nextPair(
      nowNanoseconds: milliseconds * Self.millisecond, roundTripNanoseconds: roundTrip * Self.millisecond,
      targetDelayNanoseconds: 200 * Self.millisecond)
    {
      numbers += (0...16).compactMap { pair.sequenceNumber($0).map(Int.init) }
    }
    return numbers
  }

  @Test(
    "without a position packets older than 500 ms are not requested",
    .shows("simulate: NACK"))
  func unknownPosition() {
    // What ends with number 199 at 4000 ms is found missing with number 200.
    var missing = stream(lost: 40...199)
    var numbers: [Int] = []
    while let pair = missing.nextPair(
      nowNanoseconds: 4_020 * Self.millisecond, roundTripNanoseconds: 40 * Self.millisecond,
      targetDelayNanoseconds: 200 * Self.millisecond)
    {
      numbers += (0...16).compactMap { pair.sequenceNumber($0).map(Int.init) }
    }
    #expect(numbers == Array(175...199), "\(numbers)")
  }

  @Test(
    "a packet is requested only if its answer can come before it is needed", .shows("simulate: NACK"),
    arguments: [(100, 140, false), (100, 150, true), (150, 190, false), (150, 200, true)])
  func inTime(roundTrip: Int, behind: Int, isAsked: Bool) {
    // Number 99 begins at 1980 ms and is found missing at 2020 ms.
    var missing = stream(lost: 99...99)
    let asked = ask(&missing, at: 2_020, roundTrip: roundTrip, behind: behind)
    #expect(asked == (isAsked ? [99] : []))
  }

  @Test("of several missing packets, only those answered in time are requested")
  func later() {
    // They begin at 1900 to 1980 ms; what begins at 1940 is heard at 2130 then.
    var missing = stream(lost: 95...99)
    let asked = ask(&missing, at: 2_020, roundTrip: 100, behind: 190)
    #expect(asked == [97, 98, 99])
    #expect(missing.count == 5)
  }

  @Test("a packet that was too late when due is not checked again")
  func settled() {
    var missing = stream(lost: 99...99)
    let first = ask(&missing, at: 2_020, roundTrip: 100, behind: 60)
    #expect(first.isEmpty && missing.count == 1)
    let deadline = missing.nextDeadlineNanoseconds(
      roundTripNanoseconds: 100 * Self.millisecond, targetDelayNanoseconds: 200 * Self.millisecond)
    #expect(deadline == nil)
  }

  @Test("the time of answers beyond a round trip is learnt and included")
  func replies() {
    for (reply, isAsked) in [(0, true), (15, false)] {
      var missing = stream(lost: 99...99, reply: reply)
      #expect(missing.counters.recovered == 19)
      // 110 ms until it is needed.
      let asked = ask(&missing, at: 2_020, roundTrip: 100, behind: 160)
      #expect(asked == (isAsked ? [99] : []), "\(reply) ms")
    }
  }

  /// When packets are asked for in 200 s that no answer can be in time for: every fifth is lost, and the listener is
  /// half a packet behind what comes.
  private func hopeless(roundTrip: Int, hasFEC: (_ milliseconds: Int) -> Bool) -> [Int] {
    var missing = NackTracker()
    var asked: [Int] = []
    for number in 0..<10_000 where number % 5 != 4 {
      let now = 20 * number + 20
      receive(&missing, number, at: now)
      asked += ask(&missing, at: now, roundTrip: roundTrip, behind: 30, hasFEC: hasFEC(now)).map { _ in now }
    }
    return asked
  }

  @Test(
    "with FEC 32 hopeless packets are requested, then one more every 5 s",
    .shows("simulate: NACK")
  )
  func trials() {
    let asked = hopeless(roundTrip: 40) { _ in true }
    // 32 within the first seconds.
    #expect(asked.count == 32 + (asked.last! - asked[0]) / 5_000)
    #expect(asked[31] - asked[0] < 32 * 110 && asked.count >= 70)
    #expect(hopeless(roundTrip: 60) { _ in true }.isEmpty)
  }

  @Test(
    "without FEC every packet is requested, even if answers come too late", .shows("simulate: NACK"),
    arguments: [40, 100])
  func answersWithoutFEC(roundTrip: Int) {
    let asked = hopeless(roundTrip: roundTrip) { _ in false }
    #expect(Set(asked).count == 1_999)
    let later = hopeless(roundTrip: roundTrip) { $0 < 100_000 }
    #expect(later.filter { $0 > 100_000 }.count >= 998)
  }

  @Test(
    "an answer up to 500 ms after its request counts as recovered late",
    .shows("simulate: NACK"))
  func lateAnswers() {
    for (after, isCounted) in [(100, true), (500, true), (501, false)] {
      var missing = stream(lost: 99...99)
      let asked = ask(&missing, at: 2_020, roundTrip: 100, behind: 150)
      #expect(asked == [99])
      missing.giveUp(beforeTimestamp: 100 * Self.samplesPerPacket)
      #expect(missing.count == 0 && missing.counters.givenUp == 1)
      let isAnswer = missing.receive(
        99, timestamp: 99 * Self.samplesPerPacket, nowNanoseconds: (2_020 + after) * Self.millisecond,
        roundTripNanoseconds: 100 * Self.millisecond)
      #expect(isAnswer == isCounted)
      #expect(missing.counters.recovered == (isCounted ? 1 : 0), "\(after) ms")
      #expect(missing.counters.recoveredLate == (isCounted ? 1 : 0) && missing.counters.late == 0)
      #expect(missing.counters.givenUp == (isCounted ? 0 : 1))
    }
  }

  @Test("an original that arrives after it was given up counts as late")
  func lateOriginals() {
    var missing = stream(lost: 99...99)
    missing.giveUp(beforeTimestamp: 100 * Self.samplesPerPacket)
    receive(&missing, 99, at: 2_100)
    #expect(missing.counters.late == 1 && missing.counters.givenUp == 0 && missing.counters.recovered == 0)
  }
}
