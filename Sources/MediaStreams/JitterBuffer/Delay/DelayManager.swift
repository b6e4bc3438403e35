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
  /// A network from which nothing comes for so much longer than a packet lasts has stood still.
  private static var stallNanoseconds: Int { @_noLocks get { 40_000_000 } }
  /// What it held up comes within so much after it has gone on.
  private static var stallTail: Int { @_noLocks get { 100_000_000 } }
  /// Standstills that follow each other within so much belong to the way, as jitter does.
  private static var stallDistance: Int { @_noLocks get { 1_500_000_000 } }
  /// They do so until there has been none for so long.
  private static var stallMemory: Int { @_noLocks get { 3_000_000_000 } }
  /// What is waited before anything is known.
  private static var firstDelay: Int { @_noLocks get { 10_000_000 } }
  /// Frames are rendered, and so packets are needed, at whole steps of it.
  private static var step: Int { @_noLocks get { 10_000_000 } }

  private(set) var clock: SenderTimeline
  /// Each standstill counts once.
  private var histogram = DelayHistogram()
  /// Each packet that it held up counts.
  private var stallHistogram = DelayHistogram()
  private var recent = RecentTransits()
  private var drift = DriftEstimator()
  /// The sender's clock as it would be without drift.
  private var nominalClock: SenderTimeline
  private var packetCount = 0
  private var packetDuration = 0
  private var beginning = 0
  private var newestArrival = 0
  /// When something last came after nothing had for so long that the network may have stood still.
  private var gapEnd = Int.min
  /// The transit of a packet that should have come when that began.
  private var gapTransit = 0
  /// True where a packet from before that was too late: it did stand still.
  private var hasStalled = false
  /// When it last went on after one.
  private var stallEnd = Int.min
  /// True where it had stood still shortly before.
  private var isRecurring = false
  /// True where the sender's clock is known to be another than ours.
  private(set) var isDrifting = false
  /// What is waited for while the clock drifts; nil while it does not.
  private var driftingTarget: Int?
  /// The transit that was aimed at last; nil before that.
  private var aim: Int?
  /// The transit that costs least by all that has been seen; nil before that.
  private var cheapest: Int?
  /// The transit to wait for if standstills did not recur; nil before anything is known.
  private var targetWithoutStalls: Int?
  private var late = LateBurst()

  init(sampleRate: Int) {
    clock = SenderTimeline(sampleRate: sampleRate)
    nominalClock = clock
  }

  /// A stream begins with this packet.
  @_noLocks
  mutating func begin(timestamp: Int, arrival: Int) {
    clock.begin(timestamp: timestamp, nanoseconds: arrival)
    nominalClock = clock
    drift.reset()
    isDrifting = false
    driftingTarget = nil
    histogram.reset()
    stallHistogram.reset()
    recent = RecentTransits()
    late = LateBurst()
    packetCount = 0
    packetDuration = 0
    aim = nil
    cheapest = nil
    targetWithoutStalls = nil
    beginning = arrival
    newestArrival = arrival
    gapEnd = .min
    stallEnd = .min
    (hasStalled, isRecurring) = (false, false)
  }

  /// How much later than the first one a packet came, seen from its timestamp.
  @_noLocks
  func transit(timestamp: Int, at nanoseconds: Int) -> Int { nanoseconds &- clock.nanoseconds(of: timestamp) }

  /// Takes note of a packet that could be played from `arrival` on.
  ///
  /// - Parameter playout: the transit that is being waited for.
  @_noLocks
  mutating func observe(timestamp: Int, duration: Int, arrival: Int, playout: Int) {
    follow(duration)
    let transit = transit(timestamp: timestamp, at: arrival)
    let gap = arrival &- newestArrival
    newestArrival = arrival
    if let cheapest { late.observe(transit, limit: cheapest) }
    // From a packet's end, when it can be sent at the earliest.
    if drift.observe(arrival: arrival, delay: arrival &- nominalClock.nanoseconds(of: timestamp) &- duration) {
      isDrifting = drift.isSignificant
      clock.setRate(ppm: isDrifting ? drift.ppm : 0, from: timestamp)
    }
    let endsGap = packetCount > 0 && gap > DelayManager.stallNanoseconds &+ duration
    if endsGap {
      gapEnd = arrival
      gapTransit = recent.typical &+ gap &- duration
      hasStalled = false
    }
    if wasExpectedInGap(timestamp: timestamp, arrival: arrival) {
      if hasStalled { return countRough(transit, duration: duration) }
      if transit > min(playout, targetWithoutStalls ?? playout) {
        // A standstill counts once, as what it held up longest: to have waited for that would have been enough for all
        // that came with it, in whatever order. What comes first may follow a pause of the sender's, and stands for
        // itself. Where standstills recur each packet counts, since to wait for them then costs less than they do.
        hasStalled = true
        let distance = isRecurring ? DelayManager.stallMemory : DelayManager.stallDistance
        isRecurring = stallEnd != .min && gapEnd &- stallEnd < distance
        stallEnd = gapEnd
        return count(endsGap ? transit : max(transit, gapTransit), duration: duration)
      }
    }
    count(transit, duration: duration)
  }

  /// Takes note of a lost packet that could be played from `arrival` on, out of the one behind it.
  @_noLocks
  mutating func observeRecovered(timestamp: Int, duration: Int, arrival: Int) {
    follow(duration)
    count(transit(timestamp: timestamp, at: arrival), duration: duration)
  }

  /// The transit to wait for, from now on.
  ///
  /// While the sender's clock is ours, packets are due at the same place in all frames, and the transit is one at which
  /// they come just before a frame. Where the clock drifts that place wanders, and the transit is one at which they are
  /// in time wherever it is.
  ///
  /// - Parameters:
  ///   - phase: a transit at which a packet would be due exactly when a frame is rendered.
  ///   - current: the transit that is waited for now; nil while nothing is played.
  @_noLocks
  mutating func target(phase: Int, current: Int?, now: Int) -> Int {
    let isLearning = now &- beginning < DelayManager.learningNanoseconds
    let step = DelayManager.step
    let first = phase &+ (DelayManager.firstDelay &- phase &+ step &- 1) / step &* step
    let held = current ?? first
    if histogram.isEmpty { return held }
    let isRough = isRecurring && now &- stallEnd < DelayManager.stallMemory
    let kept = isDrifting ? driftingTarget ?? held : phase &+ (held &- phase) / step &* step
    let calm = choose(
      histogram, phase: phase, kept: isRough ? targetWithoutStalls ?? kept : kept, isLearning: isLearning)
    targetWithoutStalls = calm.target
    let choice = isRough ? choose(stallHistogram, phase: phase, kept: kept, isLearning: isLearning) : calm
    var chosen = choice.target
    cheapest = choice.best
    // What is played as soon as it comes cannot be played earlier, whatever has been before.
    if let longest = current == nil ? late.certainLongest : late.longest {
      let needed = isDrifting ? longest : phase &+ (longest &- phase &+ step &- 1) / step &* step
      chosen = max(chosen, current == nil ? needed : min(kept, needed))
    }
    driftingTarget = isDrifting ? chosen : nil
    return chosen
  }

  /// The transit to wait for by what has been counted, and the one that costs least.
  @_noLocks
  private func choose(
    _ histogram: borrowing DelayHistogram, phase: Int, kept: Int, isLearning: Bool
  ) -> (target: Int, best: Int) {
    let penalty = DelayManager.latePenalty
    let choice =
      isDrifting
      ? histogram.cheapestWandering(current: kept, latePenalty: penalty)
      : histogram.cheapest(phase: phase, current: kept, latePenalty: penalty)
    let isWorthwhile =
      choice.best > kept ? choice.saving > 0 : choice.saving > DelayManager.hysteresis && !isLearning
    return (isWorthwhile ? choice.best : kept, choice.best)
  }

  /// Keeps what is aimed at, for `targetDelay`.
  @_noLocks
  mutating func setTarget(_ target: Int) { aim = target }

  /// How long a sample is to wait on the average, in nanoseconds: from its packet's arrival to its frame.
  ///
  /// That is by how long packets take now, not by what they once did; so it holds from some packets after a change of
  /// the way.
  var targetDelay: Int {
    @_noLocks get {
      guard let aim else { return 0 }
      // A sample lies in the middle of its frame and of its packet on the average: what comes in before its packet's
      // end has waited for it, what lies behind its frame's beginning is ahead of it.
      return max(0, aim &- recent.typical &+ packetDuration / 2 &- DelayManager.step / 2)
    }
  }

  /// Whether a packet should have come before the network went on.
  @_noLocks
  private func wasExpectedInGap(timestamp: Int, arrival: Int) -> Bool {
    guard gapEnd != .min, arrival &- gapEnd < DelayManager.stallTail else { return false }
    return clock.nanoseconds(of: timestamp) &+ recent.typical < gapEnd
  }

  /// Lets what has been learnt hold for packets of another length.
  ///
  /// A packet is sent when the last of its sound is there: one that is shorter comes so much earlier after its
  /// timestamp, over the same way.
  @_noLocks
  private mutating func follow(_ duration: Int) {
    let change = duration &- packetDuration
    if change == 0 { return }
    if packetDuration > 0 {
      histogram.shift(by: change)
      stallHistogram.shift(by: change)
      recent.shift(by: change)
      late.shift(by: change)
      if let limit = cheapest { cheapest = limit &+ change }
      if let target = targetWithoutStalls { targetWithoutStalls = target &+ change }
      if let target = driftingTarget { driftingTarget = target &+ change }
      if let target = aim { aim = target &+ change }
    }
    packetDuration = duration
  }

  @_noLocks
  private mutating func count(_ transit: Int, duration: Int) {
    packetCount &+= 1
    recent.add(transit)
    let (forgetting, expected) = memory(duration)
    histogram.add(transit, forgetting: forgetting, expected: expected, least: recent.least)
    stallHistogram.add(transit, forgetting: forgetting, expected: expected, least: recent.least)
  }

  @_noLocks
  private mutating func countRough(_ transit: Int, duration: Int) {
    let (forgetting, expected) = memory(duration)
    stallHistogram.add(transit, forgetting: forgetting, expected: expected, least: recent.least)
  }

  /// What a packet leaves of those before it, and how many of them there are in the end.
  @_noLocks
  private func memory(_ duration: Int) -> (forgetting: Float, expected: Float) {
    // At first all packets count the same.
    let share = max(Float(duration) / DelayManager.memoryNanoseconds, 0)
    let isYoung = Float(packetCount) * share < 1
    return (isYoung ? 1 : 1 - share, 0.5 / max(share, 1e-6))
  }
}
