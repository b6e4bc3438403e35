import Platform

/// Determines the fate of one packet after another on a link, from sizes and times, not from contents.
struct LinkImpairment {
  /// Arrival times of a packet and its duplicate; nil if it does not arrive.
  struct Fate {
    var arrivalNanoseconds: Int?
    var copyArrivalNanoseconds: Int?
    var isDropped = false
  }

  /// The random numbers of one lane.
  private struct Chances {
    var loss: LossProcess
    var jitter: JitterProcess
    var copiesJitter: JitterProcess
    var reordering: RandomStream
    var duplication: RandomStream

    init(seed: UInt64, link: LinkIdentity, lane: TrafficClass) {
      loss = LossProcess(random: link.stream(.loss, seed: seed, lane: lane))
      jitter = JitterProcess(random: link.stream(.jitter, seed: seed, lane: lane))
      copiesJitter = JitterProcess(random: link.stream(.copiesJitter, seed: seed, lane: lane))
      reordering = link.stream(.reordering, seed: seed, lane: lane)
      duplication = link.stream(.duplication, seed: seed, lane: lane)
    }
  }

  private(set) var conditions: NetworkConditions
  private var queue = BottleneckQueue()
  private var spikes: SpikeProcess
  private var voice: Chances
  private var other: Chances
  /// Send time of the newest voice packet, in nanoseconds.
  private var lastVoice = Int.min / 2

  /// Time for which the path stays as the voice has found it, in nanoseconds. It is longer than the 400 ms from one
  /// packet to the next of a muted voice.
  private static let burstMemory = 500_000_000

  /// - Parameters:
  ///   - conditions: Conditions of the link.
  ///   - seed: Seed of the simulation.
  ///   - link: Identity of the link.
  ///   - start: Start of the time in which spikes come, in nanoseconds; nil for the time of the first packet.
  init(conditions: NetworkConditions, seed: UInt64, link: LinkIdentity, startNanoseconds start: Int?) {
    self.conditions = conditions
    spikes = SpikeProcess(random: link.stream(.spikes, seed: seed), startNanoseconds: start)
    voice = Chances(seed: seed, link: link, lane: .voice)
    other = Chances(seed: seed, link: link, lane: .other)
  }

  mutating func change(to conditions: NetworkConditions, nowNanoseconds now: Int) {
    if conditions.spikes != self.conditions.spikes { spikes.begin(nowNanoseconds: now) }
    self.conditions = conditions
  }

  /// Returns the fate of a packet. Every stream moves on by one step, whatever the fate and the conditions.
  ///
  /// Packet k meets the same loss and the same jitter, even if another condition has already removed it. The conditions
  /// of earlier packets do not matter either.
  mutating func fate(byteCount: Int, lane: TrafficClass, nowNanoseconds now: Int) -> Fate {
    switch lane {
    case .voice:
      var chances = voice
      defer { voice = chances }
      lastVoice = now
      let isLost = chances.loss.isNextLost(conditions.loss)
      return fate(byteCount: byteCount, isLost: isLost, &chances, nowNanoseconds: now)
    case .other:
      var chances = other
      defer { other = chances }
      // A burst is a state of the path: while there is a voice on it, all packets on the same path meet the same
      // bursts.
      let isLost =
        if case .gilbertElliott(let model) = conditions.loss, now - lastVoice <= Self.burstMemory {
          chances.loss.isNextLost(model, whileBad: voice.loss.isInBurst)
        } else {
          chances.loss.isNextLost(conditions.loss)
        }
      return fate(byteCount: byteCount, isLost: isLost, &chances, nowNanoseconds: now)
    }
  }

  private mutating func fate(
    byteCount: Int, isLost: Bool, _ chances: inout Chances, nowNanoseconds now: Int
  ) -> Fate {
    let jitter = chances.jitter.next(conditions.jitter)
    let copyJitter = chances.copiesJitter.next(conditions.jitter)
    let step = chances.reordering.unit()
    let heldBack = conditions.reordering.map { step < $0.probability ? $0.heldBack.wholeNanoseconds : 0 } ?? 0
    let isCopied = chances.duplication.chance(conditions.duplication)
    let spike = conditions.spikes.map { spikes.delay($0, nowNanoseconds: now) } ?? 0

    var departure = now
    if let bottleneck = conditions.bottleneck {
      guard let sent = queue.departure(of: byteCount, through: bottleneck, nowNanoseconds: now) else {
        return Fate(isDropped: true)
      }
      departure = sent
    }
    guard !isLost, let jitter else { return Fate() }
    let undisturbed = departure + conditions.delay.wholeNanoseconds + spike
    var fate = Fate(arrivalNanoseconds: undisturbed + jitter + heldBack)
    if isCopied, let copyJitter { fate.copyArrivalNanoseconds = undisturbed + copyJitter }
    return fate
  }
}
