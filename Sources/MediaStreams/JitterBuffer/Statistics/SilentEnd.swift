/// End of a stream after its packets had stayed away.
struct SilentEnd: BitwiseCopyable {
  let ssrc: UInt32
  /// Sequence number that would have followed.
  let next: UInt16
  /// Timestamp that the next packet would have had.
  let nextTimestamp: Int
  /// Samples in which the stream was frozen before its end; `concealedRun` counts all samples concealed since its last
  /// packet.
  let frozenRun: Int
  let concealedRun: Int
  /// Samples of silence that had stood for no sound up to then.
  let idleBefore: Int
  private let clock: StreamClock

  @_noLocks
  init(
    ssrc: UInt32, next: UInt16, nextTimestamp: Int, frozenRun: Int, concealedRun: Int, idleBefore: Int,
    clock: StreamClock
  ) {
    self.ssrc = ssrc
    self.next = next
    self.nextTimestamp = nextTimestamp
    self.frozenRun = frozenRun
    self.concealedRun = concealedRun
    self.idleBefore = idleBefore
    self.clock = clock
  }

  /// Returns the packets lost before one that continues the stream.
  ///
  /// Sequence numbers wrap after 65 536 packets, within 11 minutes of packets of 10 ms. If packets were sent all the
  /// time, timestamps say how often: as many packets as fit in between, give or take a second. If timestamps do not say
  /// so, the numbers have not wrapped.
  @_noLocks
  func lostCount(before sequence: Int, timestamp: Int, sampleCount: Int) -> Int {
    let count = Int(UInt16(truncatingIfNeeded: sequence) &- next)
    let samples = samplesPassed(before: timestamp)
    guard sampleCount > 0, samples >= 0 else { return count }
    let turns = (samples / sampleCount &- count &+ 32_768) / 65_536
    guard turns > 0 else { return count }
    let whole = count &+ turns &* 65_536
    let difference = whole &* sampleCount &- samples
    return difference > -48_000 && difference < 48_000 ? whole : count
  }

  /// Returns the samples from the stream's end to a timestamp, at most half a turn of the timestamps away; below 0 if
  /// it lies before.
  @_noLocks
  func samplesPassed(before timestamp: Int) -> Int { clock.nearest(timestamp &- nextTimestamp) }
}
