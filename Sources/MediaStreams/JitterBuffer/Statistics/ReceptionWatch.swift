/// Detects changes of a receiver's phase from its counters, tick by tick.
///
/// Thread: audio. Real-time: wait-free.
struct ReceptionWatch: BitwiseCopyable {
  private(set) var phase: ReceptionPhase
  private(set) var isFailing: Bool
  /// Source of the stream, from its change until that has been reported; else nil.
  private(set) var newSource: UInt32?
  private var sourceChangesBefore: Int
  private var hasDecoded: Bool
  private var decodedBefore: Int
  private var streamsBefore: Int
  private var refusedBefore: Int
  /// Packets refused since one was decoded.
  private var refusedInRow: Int
  private var lastRefusal: Int

  /// Number of packets in a row that cannot be decoded and are not an accident: half a second or one second of packets.
  private static var failureCount: Int { @_noLocks get { 50 } }

  @_noLocks
  init() {
    phase = .none
    isFailing = false
    newSource = nil
    sourceChangesBefore = 0
    hasDecoded = false
    decodedBefore = 0
    streamsBefore = 0
    refusedBefore = 0
    refusedInRow = 0
    lastRefusal = 0
  }

  /// Looks at the result of a tick.
  ///
  /// - Returns: whether anything is new.
  @_noLocks
  mutating func look(
    _ report: JitterBufferSnapshot, isMuted: Bool, nowNanoseconds now: Int
  ) -> Bool {
    let (stage, statistics) = (report.stage, report.statistics)
    if statistics.sourceChanges != sourceChangesBefore { newSource = report.ssrc }
    let isOtherSource = statistics.sourceChanges != sourceChangesBefore
    sourceChangesBefore = statistics.sourceChanges
    let (oldPhase, wasFailing) = (phase, isFailing)
    if stage.isIdle || isMuted || statistics.streamsBegun != streamsBefore { hasDecoded = false }
    if !stage.isIdle && !isMuted && statistics.decodedSamples != decodedBefore {
      hasDecoded = true
      refusedInRow = 0
    }
    let refused = statistics.packetsMalformed &+ statistics.packetsFromUnknownSources
    if refused != refusedBefore {
      refusedInRow &+= refused &- refusedBefore
      lastRefusal = now
    } else if now &- lastRefusal > JitterBuffer.offlineNanoseconds {
      refusedInRow = 0
    }
    decodedBefore = statistics.decodedSamples
    streamsBefore = statistics.streamsBegun
    refusedBefore = refused
    isFailing = refusedInRow >= ReceptionWatch.failureCount
    phase = phase(stage, isMuted: isMuted)
    return phase.number != oldPhase.number || isFailing != wasFailing || isOtherSource
  }

  /// Notes that the news has been reported.
  @_noLocks
  mutating func told() { newSource = nil }

  @_noLocks
  private func phase(_ stage: JitterBufferStage, isMuted: Bool) -> ReceptionPhase {
    switch stage {
    case .idle: .none
    case .frozen: isMuted ? .begun : .frozen
    case .starting, .playing, .pausing: hasDecoded ? .decoded : .begun
    }
  }
}
