/// Finds how long packets are to wait: as short as possible, but so that few come too late.
///
///     arrival, timestamp ─▶ sender's clock ─ transit ─▶ histogram ─▶ transit that is waited for
///
/// A transit is how much later than the stream's first packet a packet came, seen from its timestamp. Whoever plays a
/// packet `target` after its place in the sender's time has nearly all packets there by then. Real-time: wait-free.
struct DelayManager: ~Copyable {
  /// What a packet that comes too late costs, as the delay that one would rather have than lose all packets.
  private static var latePenalty: Float { @_noLocks get { 4_000e6 } }
  /// A shorter delay must save so much before it is worth a change.
  private static var hysteresis: Float { @_noLocks get { 4e6 } }
  /// After so long, a packet counts for a third of what a new one does.
  private static var memoryNanoseconds: Float { @_noLocks get { 15e9 } }
  /// Before so much has been seen the delay only grows.
  private static var learningNanoseconds: Int { @_noLocks get { 2_000_000_000 } }
  /// What is waited before anything is known.
  private static var firstDelay: Int { @_noLocks get { 10_000_000 } }
  /// Frames are rendered, and so packets are needed, at whole steps of it.
  private static var step: Int { @_noLocks get { 10_000_000 } }

  private(set) var clock: SenderClock
  private var histogram = DelayHistogram()
  private var packetCount = 0
  private var beginning = 0
  private var newestTransit = 0
  private var newestSequence = 0
  private var newestArrival = 0
  /// True while packets come that were held up together with one that came too late.
  private var isBurst = false
  private var reportedTarget = Int.min

  init(sampleRate: Int) { clock = SenderClock(sampleRate: sampleRate) }

  /// A stream begins with this packet.
  @_noLocks
  mutating func begin(timestamp: Int, arrival: Int) {
    clock.begin(timestamp: timestamp, nanoseconds: arrival)
    histogram.reset()
    packetCount = 0
    beginning = arrival
    newestSequence = .min
    isBurst = false
  }

  /// How much later than the first one a packet came, seen from its timestamp.
  @_noLocks
  func transit(timestamp: Int, at nanoseconds: Int) -> Int { nanoseconds &- clock.nanoseconds(of: timestamp) }

  /// Takes note of a packet that could be played from `arrival` on.
  ///
  /// A packet that was held up with the one before it, which came too late, tells nothing new: to have waited for the
  /// first of them would have been enough for all.
  ///
  /// - Parameter playout: the transit that is being waited for.
  @_noLocks
  mutating func observe(sequence: Int, timestamp: Int, duration: Int, arrival: Int, playout: Int) {
    let transit = transit(timestamp: timestamp, at: arrival)
    let isNext = sequence == newestSequence &+ 1
    let gap = arrival &- newestArrival
    let wasHeldUp = isNext && gap < duration / 2 && transit < newestTransit
    isBurst = wasHeldUp && (isBurst || newestTransit > playout)
    newestSequence = sequence
    newestArrival = arrival
    newestTransit = transit
    if isBurst { return }
    count(transit, duration: duration)
  }

  /// Takes note of a lost packet that could be played from `arrival` on, out of the one behind it.
  @_noLocks
  mutating func observeRecovered(timestamp: Int, duration: Int, arrival: Int) {
    count(transit(timestamp: timestamp, at: arrival), duration: duration)
  }

  /// The transit to wait for.
  ///
  /// - Parameters:
  ///   - phase: a transit at which a packet is due exactly when a frame is rendered.
  ///   - current: the transit that is being waited for, whole steps away from `phase`; nil before anything is played.
  @_noLocks
  func target(phase: Int, current: Int?, now: Int) -> Int {
    let first =
      phase &+ (DelayManager.firstDelay &- phase &+ DelayManager.step &- 1) / DelayManager.step &* DelayManager.step
    guard packetCount > 0 else { return first }
    let best = histogram.cheapest(
      phase: phase, step: DelayManager.step, latePenalty: DelayManager.latePenalty, current: current ?? first,
      hysteresis: DelayManager.hysteresis)
    if let current { return now &- beginning < DelayManager.learningNanoseconds ? max(best, current) : best }
    return now &- beginning < DelayManager.learningNanoseconds ? max(best, first) : best
  }

  /// How long a sample is to wait on the average, in nanoseconds: from its packet's arrival to its frame.
  private(set) var targetDelay = 0

  /// Keeps the delay that a target comes to, for statistics.
  @_noLocks
  mutating func setTarget(_ target: Int) {
    if target != reportedTarget || packetCount & 31 == 0 {
      reportedTarget = target
      // Half of a frame's samples wait for the other half of their packet, more in longer packets.
      targetDelay = target &- histogram.mean
    }
  }

  /// The share of packets that would come too late for a transit, 0...1.
  @_noLocks
  func lateShare(_ transit: Int) -> Float { histogram.share(above: transit) }

  @_noLocks
  private mutating func count(_ transit: Int, duration: Int) {
    packetCount &+= 1
    // At first all packets count the same.
    let share = max(Float(duration) / DelayManager.memoryNanoseconds, 0)
    let isYoung = Float(packetCount) * share < 1
    histogram.add(transit, forgetting: isYoung ? 1 : 1 - share)
  }
}
