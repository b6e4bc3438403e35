import Engine
import MediaStreams

/// Follows one receiver through a call: delays of the sound played, and the results of each second.
struct StreamMeter {
  private static let ticksPerSecond = 100
  private static let samplesPerMillisecond = 48.0

  private(set) var delay = DurationDistribution()
  private(set) var buffer = DurationDistribution()
  private(set) var seconds: [HeardSecond] = []
  private var latest = JitterBufferStatistics()
  /// Statistics at the start of this second.
  private var before = JitterBufferStatistics()
  private var delaySum = 0.0
  private var delayCount = 0
  private var ticks = 0
  /// Ticks of this second in which the two were in the call.
  private var presentTicks = 0
  /// Packets sent up to the start of the last second, up to the start of this one, and up to now.
  private var sent = (earlier: 0, before: 0, now: 0)
  /// Packets lost up to the start of this second, and up to now.
  private var lost = (before: 0, now: 0)
  /// Packets with sound sent, at the same times as in `sent`.
  private var said = (earlier: 0, before: 0, now: 0)
  /// Ticks of this second in which the listener had not muted the other side.
  private var audibleTicks = 0

  /// Adds the results of one tick.
  ///
  /// - Parameters:
  ///   - statistics: Statistics of the receiver so far.
  ///   - sentCount: Packets that the other side has sent so far.
  ///   - saidCount: Sent packets that held sound, and not the silence of a pause or a mute.
  ///   - lostCount: Sent packets that were lost.
  ///   - isMuted: Whether the listener has muted the other side.
  ///   - delayMilliseconds: Mouth-to-ear delay; nil if the frame did not come from a packet.
  mutating func advance(
    _ statistics: JitterBufferStatistics, sent sentCount: Int, said saidCount: Int, lost lostCount: Int, isMuted: Bool,
    delayMilliseconds: Double?
  ) {
    sent.now = sentCount
    said.now = saidCount
    if !isMuted { audibleTicks += 1 }
    lost.now = lostCount
    let emitted = statistics.jitterBufferEmittedCount - latest.jitterBufferEmittedCount
    if emitted > 0 {
      buffer.add(
        milliseconds: (statistics.jitterBufferDelay - latest.jitterBufferDelay) / Double(emitted) * 1_000)
    }
    if let delayMilliseconds {
      delay.add(milliseconds: delayMilliseconds)
      delaySum += delayMilliseconds
      delayCount += 1
    }
    latest = statistics
    presentTicks += 1
    pass()
  }

  /// Adds a tick in which one of the two users is not in the call.
  mutating func skip() { pass() }

  private mutating func pass() {
    ticks += 1
    if ticks % Self.ticksPerSecond == 0 { closeSecond() }
  }

  /// Ends the last second, which may be short; packets sent in the last tick belong to it.
  mutating func finish(sent sentCount: Int, lost lostCount: Int) {
    sent.now = sentCount
    lost.now = lostCount
    if ticks % Self.ticksPerSecond > 0 { closeSecond() }
    guard !seconds.isEmpty else { return }
    seconds[seconds.count - 1].sent += sent.now - sent.before
    seconds[seconds.count - 1].lost += lost.now - lost.before
  }

  private mutating func closeSecond() {
    guard presentTicks > 0 else { return }
    presentTicks = 0
    func milliseconds(_ field: KeyPath<JitterBufferStatistics, Int>) -> Double {
      Double(latest[keyPath: field] - before[keyPath: field]) / Self.samplesPerMillisecond
    }
    func count(_ field: KeyPath<JitterBufferStatistics, Int>) -> Int { latest[keyPath: field] - before[keyPath: field] }
    let heard = count(\.decodedSamples) - count(\.supersededSamples) + count(\.comfortNoiseSamples)
    let emitted = count(\.jitterBufferEmittedCount)
    func mean(_ field: KeyPath<JitterBufferStatistics, Double>) -> Double? {
      emitted == 0 ? nil : (latest[keyPath: field] - before[keyPath: field]) / Double(emitted) * 1_000
    }
    let delay = delayCount == 0 ? nil : delaySum / Double(delayCount)
    takeBack(milliseconds(\.concealedSamples), \.concealedMilliseconds)
    takeBack(milliseconds(\.frozenSamples), \.frozenMilliseconds)
    takeBack(count(\.retransmittedPacketsUsed), \.retransmitted)
    seconds.append(
      HeardSecond(
        timeSeconds: (ticks - 1) / Self.ticksPerSecond, sent: sent.now - sent.before,
        packets: count(\.packetsReceived), lost: lost.now - lost.before, late: count(\.packetsDiscarded),
        recovered: count(\.fecPacketsUsed),
        retransmitted: max(0, count(\.retransmittedPacketsUsed)),
        concealedMilliseconds: max(0, milliseconds(\.concealedSamples)),
        stretchedMilliseconds: milliseconds(\.insertedSamplesForDeceleration)
          + milliseconds(\.removedSamplesForAcceleration),
        frozenMilliseconds: max(0, milliseconds(\.frozenSamples)), delayMilliseconds: delay,
        bufferMilliseconds: mean(\.jitterBufferDelay), targetMilliseconds: mean(\.jitterBufferTargetDelay),
        mos: mos(concealed: count(\.concealedSamples), heard: heard, delayMilliseconds: delay ?? 0)))
    before = latest
    lost.before = lost.now
    sent = (sent.before, sent.now, sent.now)
    said = (said.before, said.now, said.now)
    audibleTicks = 0
    (delaySum, delayCount) = (0, 0)
  }

  /// Takes a negative change back from the seconds that counted it, the newest first, so that sums hold. Such a change
  /// corrects a loss that was a pause, or a retransmitted packet that was not an answer.
  private mutating func takeBack<Value: Numeric & Comparable>(
    _ change: Value, _ field: WritableKeyPath<HeardSecond, Value>
  ) {
    var owed = 0 - change
    for index in seconds.indices.reversed() where owed > 0 {
      let taken = min(owed, seconds[index][keyPath: field])
      seconds[index][keyPath: field] -= taken
      owed -= taken
      // The second then has nothing to hear and no score.
      let isSilent = seconds[index].concealedMilliseconds == 0 && seconds[index].delayMilliseconds == nil
      if taken > 0, isSilent { seconds[index].mos = nil }
    }
  }

  /// Returns the score; nil if no sound was sent for so long that nothing could be heard, or the listener had muted
  /// the other side.
  private func mos(concealed: Int, heard: Int, delayMilliseconds: Double) -> Double? {
    guard said.now > said.earlier, audibleTicks > 0 else { return nil }
    let sound = max(0, concealed) + heard
    let share = sound == 0 ? 1 : Double(max(0, concealed)) / Double(sound)
    return MOSEstimate.score(concealed: share, delayMilliseconds: delayMilliseconds)
  }
}
