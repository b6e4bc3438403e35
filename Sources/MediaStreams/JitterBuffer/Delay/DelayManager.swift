import Platform

/// Finds how long packets are to wait: as short as possible, but so that few come too late.
///
///     arrival, timestamp ─▶ sender's clock ─ transit ─▶ histogram ─▶ transit to wait for
///
/// A transit is a packet's lateness against the stream's first packet, seen from its timestamp. If a packet is played
/// `target` after its place in the sender's time, nearly all packets are there by then. Real-time: wait-free.
struct DelayManager: ~Copyable {
  /// Cost of late packets, in nanoseconds: the delay that is as bad as the loss of all packets.
  private static var latePenalty: Float { @_noLocks get { 4_000e6 } }
  /// Saving that makes a shorter delay worth a change, in nanoseconds.
  private static var hysteresis: Float { @_noLocks get { 4e6 } }
  /// Time after which a packet counts for a third of a new one, in nanoseconds.
  private static var memoryNanoseconds: Float { @_noLocks get { 15e9 } }
  /// Time of learning, in nanoseconds, in which the delay only grows.
  private static var learningNanoseconds: Int { @_noLocks get { 2_000_000_000 } }
  /// Time without packets, in nanoseconds beyond a packet's duration, after which the network has stalled.
  private static var stallNanoseconds: Int { @_noLocks get { 40_000_000 } }
  /// Time after a stall within which the held-up packets come, in nanoseconds.
  private static var stallTail: Int { @_noLocks get { 100_000_000 } }
  /// Distance of stalls, in nanoseconds, within which they belong to the path, as jitter does.
  private static var stallDistance: Int { @_noLocks get { 1_500_000_000 } }
  /// Time without a stall, in nanoseconds, until which recurring stalls belong to the path.
  private static var stallMemory: Int { @_noLocks get { 3_000_000_000 } }
  /// Delay before anything is known, in nanoseconds.
  private static var firstDelay: Int { @_noLocks get { 10_000_000 } }
  /// Step of frames, in nanoseconds: frames are rendered, and so packets are needed, at whole steps.
  private static var step: Int { @_noLocks get { 10_000_000 } }

  private(set) var clock: SenderTimeline
  /// Histogram in which each stall counts once.
  private var histogram = DelayHistogram()
  /// Histogram in which each packet held up by a stall counts.
  private var stallHistogram = DelayHistogram()
  private var recent = RecentTransits()
  private var drift = DriftEstimator()
  /// Sender's clock as it would be without drift.
  private var nominalClock: SenderTimeline
  private var packetCount = 0
  private var packetDuration = 0
  private var beginning = 0
  private var newestArrival = 0
  /// Time of the first packet after a gap that may have been a stall, in nanoseconds; `Int.min` before one.
  private var gapEnd = Int.min
  /// Transit of a packet that should have come when the gap began, in nanoseconds.
  private var gapTransit = 0
  /// Whether a packet due before the gap's end was too late: the network did stall.
  private var hasStalled = false
  /// Time at which the network last continued after a stall, in nanoseconds; `Int.min` before the first.
  private var stallEnd = Int.min
  /// Whether the network had stalled shortly before the last stall.
  private var isRecurring = false
  /// Whether the sender's clock is known to differ from the receiver's.
  private(set) var isDrifting = false
  /// Whether a sender may cut its sound anywhere, as one of plain samples does: packets of one burst differ in length.
  private let hasFreeLengths: Bool
  /// Whether packets begin at any place of the frames' 10 ms.
  private var hasOddLengths = false
  /// Transit to wait for while packets are due at changing places of frames; nil while they are not.
  private var wanderingTarget: Int?
  /// Transit that was the target last; nil before the first.
  private var aim: Int?
  /// Transit with the least cost by all packets so far; nil before any.
  private var cheapest: Int?
  /// Transit to wait for if stalls did not recur; nil before anything is known.
  private var targetWithoutStalls: Int?
  private var late = LateBurst()
  /// Shortest mean wait of a sample, in nanoseconds; it outlives a stream.
  var minimumDelay = 0

  init(sampleRate: Int, hasFreeLengths: Bool = false) {
    self.hasFreeLengths = hasFreeLengths
    clock = SenderTimeline(sampleRate: sampleRate)
    nominalClock = clock
  }

  /// Whether packets are due at changing places of frames: the clock drifts, or packets have odd lengths.
  var isWandering: Bool { @_noLocks get { isDrifting || hasOddLengths } }

  /// Starts a stream with this packet.
  @_noLocks
  mutating func begin(timestamp: Int, arrival: Int) {
    clock.begin(timestamp: timestamp, nanoseconds: arrival)
    nominalClock = clock
    drift.reset()
    isDrifting = false
    wanderingTarget = nil
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
    hasOddLengths = false
  }

  /// Returns how much later than the first packet a packet came, seen from its timestamp, in nanoseconds.
  @_noLocks
  func transit(timestamp: Int, at nanoseconds: Int) -> Int { nanoseconds &- clock.nanoseconds(of: timestamp) }

  /// Notes a packet that could be played from `arrival` on.
  ///
  /// - Parameters:
  ///   - timestamp: timestamp of the packet, unwrapped.
  ///   - duration: duration of the packet, in nanoseconds.
  ///   - arrival: time of arrival, in nanoseconds.
  ///   - playout: the transit that the buffer waits for now.
  @_noLocks
  mutating func observe(timestamp: Int, duration: Int, arrival: Int, playout: Int) {
    follow(duration)
    let transit = transit(timestamp: timestamp, at: arrival)
    let gap = arrival &- newestArrival
    newestArrival = arrival
    if let cheapest { late.observe(transit, limit: cheapest) }
    // The packet can be sent at its end at the earliest.
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
        // A stall counts once, by the packet that it held up longest: that wait would have been enough for all packets
        // held up with it, in any order. The first packet may follow a pause of the sender, and stands for itself. If
        // stalls recur, each packet counts, since to wait for them then costs less than they do.
        hasStalled = true
        let distance = isRecurring ? DelayManager.stallMemory : DelayManager.stallDistance
        isRecurring = stallEnd != .min && gapEnd &- stallEnd < distance
        if isRecurring { ReachPoints.note(.stallsRecur) }
        stallEnd = gapEnd
        return count(endsGap ? transit : max(transit, gapTransit), duration: duration)
      }
    }
    count(transit, duration: duration)
  }

  /// Notes a lost packet that could be played from `arrival` on, recovered from the packet behind it.
  @_noLocks
  mutating func observeRecovered(timestamp: Int, duration: Int, arrival: Int) {
    follow(duration)
    count(transit(timestamp: timestamp, at: arrival), duration: duration)
  }

  /// Returns the transit to wait for from now on.
  ///
  /// If the sender's clock equals the receiver's, packets are due at the same place in all frames. The transit is then
  /// one at which they come just before a frame. If the clock drifts or packets have odd lengths, that place wanders.
  /// The transit is then one at which packets are in time at any place.
  ///
  /// - Parameters:
  ///   - phase: a transit at which a packet would be due exactly when a frame is rendered.
  ///   - current: the transit that the buffer waits for now; nil while nothing is played.
  ///   - now: the present time, in nanoseconds.
  @_noLocks
  mutating func target(phase: Int, current: Int?, now: Int) -> Int {
    let isLearning = now &- beginning < DelayManager.learningNanoseconds
    let step = DelayManager.step
    let first = phase &+ (DelayManager.firstDelay &- phase &+ step &- 1) / step &* step
    let held = current ?? first
    if histogram.isEmpty { return held }
    let isRough = isRecurring && now &- stallEnd < DelayManager.stallMemory
    let kept = isWandering ? wanderingTarget ?? held : phase &+ (held &- phase) / step &* step
    let calm = choose(
      histogram, phase: phase, kept: isRough ? targetWithoutStalls ?? kept : kept, isLearning: isLearning)
    targetWithoutStalls = calm.target
    let choice = isRough ? choose(stallHistogram, phase: phase, kept: kept, isLearning: isLearning) : calm
    var chosen = choice.target
    cheapest = choice.best
    // A packet played as soon as it comes cannot be played earlier, regardless of the past.
    if let longest = current == nil ? late.certainLongest : late.longest {
      let needed = isWandering ? longest : phase &+ (longest &- phase &+ step &- 1) / step &* step
      chosen = max(chosen, current == nil ? needed : min(kept, needed))
    }
    wanderingTarget = isWandering ? chosen : nil
    return minimumDelay > 0 ? max(chosen, minimumTarget(phase: phase, kept: kept)) : chosen
  }

  /// Returns the transit at which samples wait for the minimum on average.
  ///
  /// - Parameters:
  ///   - phase: a transit at which a packet would be due exactly when a frame is rendered.
  ///   - kept: the transit that the buffer waits for now.
  @_noLocks
  private func minimumTarget(phase: Int, kept: Int) -> Int {
    let step = DelayManager.step
    let least = recent.typical &+ minimumDelay &- packetDuration / 2 &+ step / 2
    // The typical transit wanders with every packet; the sound would be stretched to and fro.
    if kept >= least, kept &- least <= 2 &* step { return kept }
    return isWandering ? least &+ step : phase &+ (least &- phase &+ step &- 1) / step &* step
  }

  /// Returns the transit to wait for by the counted packets, and the transit with the least cost.
  @_noLocks
  private func choose(
    _ histogram: borrowing DelayHistogram, phase: Int, kept: Int, isLearning: Bool
  ) -> (target: Int, best: Int) {
    let penalty = DelayManager.latePenalty
    let choice =
      isWandering
      ? histogram.cheapestWandering(current: kept, latePenalty: penalty)
      : histogram.cheapest(phase: phase, current: kept, latePenalty: penalty)
    let isWorthwhile =
      choice.best > kept ? choice.saving > 0 : choice.saving > DelayManager.hysteresis && !isLearning
    return (isWorthwhile ? choice.best : kept, choice.best)
  }

  /// Keeps the target transit, for `targetDelay`.
  @_noLocks
  mutating func setTarget(_ target: Int) { aim = target }

  /// Mean wait of a sample, in nanoseconds: from its packet's arrival to its frame.
  ///
  /// It follows the present transits, not past ones; so it holds from some packets after a change of the path.
  var targetDelay: Int {
    @_noLocks get {
      guard let aim else { return 0 }
      // A sample lies in the middle of its frame and of its packet on the average. Sound before its packet's end has
      // waited for that end; sound behind its frame's beginning is ahead of it.
      return max(0, aim &- recent.typical &+ packetDuration / 2 &- DelayManager.step / 2)
    }
  }

  /// Returns whether a packet should have come before the network continued.
  @_noLocks
  private func wasExpectedInGap(timestamp: Int, arrival: Int) -> Bool {
    guard gapEnd != .min, arrival &- gapEnd < DelayManager.stallTail else { return false }
    return clock.nanoseconds(of: timestamp) &+ recent.typical < gapEnd
  }

  /// Adapts the learned transits to packets of another length.
  ///
  /// A packet is sent when the last of its sound is there: a shorter one comes so much earlier after its timestamp,
  /// over the same path. A sender that cuts its sound anywhere sends both parts of a burst at once.
  @_noLocks
  private mutating func follow(_ duration: Int) {
    if hasFreeLengths {
      packetDuration = duration
      if duration % DelayManager.step != 0 { hasOddLengths = true }
      return
    }
    let change = duration &- packetDuration
    if change == 0 { return }
    if packetDuration > 0 {
      histogram.shift(by: change)
      stallHistogram.shift(by: change)
      recent.shift(by: change)
      late.shift(by: change)
      if let limit = cheapest { cheapest = limit &+ change }
      if let target = targetWithoutStalls { targetWithoutStalls = target &+ change }
      if let target = wanderingTarget { wanderingTarget = target &+ change }
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

  /// Returns the factor that a packet leaves of earlier weights, and the number of packets that count in the end.
  @_noLocks
  private func memory(_ duration: Int) -> (forgetting: Float, expected: Float) {
    // At first all packets count the same.
    let share = max(Float(duration) / DelayManager.memoryNanoseconds, 0)
    let isYoung = Float(packetCount) * share < 1
    return (isYoung ? 1 : 1 - share, 0.5 / max(share, 1e-6))
  }
}
