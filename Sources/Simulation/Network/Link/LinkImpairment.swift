/// What becomes of one packet after another on a link; knows their sizes and times, not what they carry.
struct LinkImpairment {
  /// When a packet arrives, and when its copy does.
  struct Fate {
    var arrivalNanoseconds: Int?
    var copyArrivalNanoseconds: Int?
    var isDropped = false
  }

  var conditions: NetworkConditions
  private var queue = BottleneckQueue()
  private var loss: LossProcess
  private var jitter: JitterProcess
  private var spikes: SpikeProcess
  private var copiesJitter: JitterProcess
  private var reordering: RandomStream
  private var duplication: RandomStream

  init(conditions: NetworkConditions, seed: UInt64, link: LinkIdentity) {
    self.conditions = conditions
    loss = LossProcess(random: link.stream(.loss, seed: seed))
    jitter = JitterProcess(random: link.stream(.jitter, seed: seed))
    spikes = SpikeProcess(random: link.stream(.spikes, seed: seed))
    copiesJitter = JitterProcess(random: link.stream(.copiesJitter, seed: seed))
    reordering = link.stream(.reordering, seed: seed)
    duplication = link.stream(.duplication, seed: seed)
  }

  /// Every stream moves on by one packet, whatever becomes of it: packet k meets the same loss and the same jitter whether or
  /// not another condition has taken it away before.
  mutating func fate(byteCount: Int, nowNanoseconds now: Int) -> Fate {
    let isLost = loss.isNextLost(conditions.loss)
    let jitter = jitter.next(conditions.jitter)
    let copyJitter = copiesJitter.next(conditions.jitter)
    let heldBack =
      conditions.reordering.map { reordering.chance($0.probability) ? $0.heldBack.wholeNanoseconds : 0 } ?? 0
    let isCopied = duplication.chance(conditions.duplication)
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
