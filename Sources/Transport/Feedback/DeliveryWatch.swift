/// Judges how what one sends arrives: by what the other side reports, by what it does not, and by its silence.
///
///     sent ──────────▶ what should be there by now ─┐
///     report block ──▶ how far it has got ──────────┴▶ lost: what it has counted, and what it should have got behind that
///     refused ───────▶ all is lost
///     three intervals without a block ─▶ reports come: all is lost · its stream comes: unknown · nothing comes: interrupted
///
/// A receiver knows of a loss by the packet behind it, so one that gets nothing any more reports no loss. What was sent a round trip and
/// 500 ms before a report should have arrived by then; what of it lies behind the report's highest number counts as lost, and is taken back
/// where it has only been late. A receiver may leave out the sources that it has heard nothing of since its last report
/// (RFC 3550, section 6.4).
///
/// Real-time: wait-free.
///
/// Source: RFC 8083, sections 4.1 and 4.2, for what silence and reports that stand still mean.
struct DeliveryWatch: ~Copyable {
  /// What is known now, and for how long it has been: told once by `take`, and again while it lasts where nobody hears.
  private(set) var delivery = Delivery()
  /// Packets lost by the newest report, with those that should have come by then.
  private(set) var lostCount = 0
  private var sentTimes = SentTimes()
  private var numbers = SequenceUnwrapper()
  /// The first and the highest number sent.
  private var sent: (first: Int, highest: Int)?
  /// When the first and the last packet were sent.
  private var firstSent: Int?
  private var lastSent: Int?
  /// What the newest report said, and its arrival.
  private var reported: (raw: UInt32, number: Int, lost: Int, sent: Int, nanoseconds: Int)?
  /// What was due, and how much of it lost, when that was judged last.
  private var judged = (due: 0, lost: 0)
  /// All that has been judged, of whatever source.
  private var counted = (due: 0, lost: 0)
  /// What receivers had lost before they began to count anew.
  private var lostBefore = 0
  /// Up to which number nothing has been heard, while nothing has been.
  private var unheardUpTo: Int?
  private var intervalNanoseconds: Int?
  private var heardNanoseconds: Int?
  private var lastReport = Int.min / 2
  private var lastPacket = Int.min / 2
  private var lastRefusal: Int?
  private var standing = Standing.judged
  private var toldNanoseconds = 0
  private var isFresh = false

  /// What there is to go by.
  private enum Standing: UInt8, BitwiseCopyable {
    case judged
    case refused
    case unheard
    case unknown
    case interrupted
  }

  private static var patienceNanoseconds: Int { @_noLocks get { 500_000_000 } }
  private static var unknownRoundTripNanoseconds: Int { @_noLocks get { 1_000_000_000 } }
  /// What is usual (RFC 3550), until two reports have come.
  private static var usualIntervalNanoseconds: Int { @_noLocks get { 5_000_000_000 } }
  private static var shortestIntervalNanoseconds: Int { @_noLocks get { 1_000_000_000 } }
  /// Hosts say once a second that nobody listens (RFC 4443, section 2.4 f).
  private static var refusalNanoseconds: Int { @_noLocks get { 1_500_000_000 } }
  /// A gap that makes a receiver begin to count anew. Source: RFC 3550, appendix A.1.
  private static var restartingGap: Int { @_noLocks get { 2_900 } }

  init() {}

  /// Notes a packet of one's own.
  @_noLocks
  mutating func sent(_ sequenceNumber: UInt16, nowNanoseconds now: Int) {
    let number = numbers.unwrap(sequenceNumber)
    if let sent, number <= sent.highest { return }
    sent = (sent?.first ?? number, number)
    if firstSent == nil { firstSent = now }
    lastSent = now
    sentTimes.note(number, nowNanoseconds: now)
  }

  /// Notes that packets come back, or do not leave.
  @_noLocks
  mutating func refused(nowNanoseconds now: Int) { lastRefusal = now }

  /// Notes a packet of the other side's stream.
  @_noLocks
  mutating func heardPacket(nowNanoseconds now: Int) { lastPacket = now }

  /// Notes a report, whatever it is about.
  @_noLocks
  mutating func heardReport(nowNanoseconds now: Int) { lastReport = now }

  /// Takes in a report about one's own stream.
  @_noLocks
  mutating func take(_ block: ReportBlock, roundTripNanoseconds: Int?, nowNanoseconds now: Int) {
    guard let sent, let number = number(block.extendedHighestSequenceNumber, sent.highest) else { return }
    if let before = reported {
      noteInterval(now &- before.nanoseconds)
      noteRestart(block, at: number)
    }
    let isFirst = reported == nil
    if isFirst || number > reported!.number {
      heardNanoseconds = now &- (roundTripNanoseconds ?? 0) / 2
    }
    reported = (block.extendedHighestSequenceNumber, number, block.cumulativeLost, sent.highest, now)
    let due = due(roundTripNanoseconds, now)
    let missing = due > number ? due &- number : 0
    if isFirst {
      // Who comes late has not lost what was before it.
      judged = (number, lostBefore &+ block.cumulativeLost)
      countFirst(block, to: number)
    } else if isSilent {
      // How it has been in the silence counts, but is not how it is now.
      account(missing: 0)
    }
    if isFirst || isSilent { tell(Delivery(loss: Double(block.fractionLost) / 256)) }
    if missing > 0 || !(isFirst || isSilent) { judge(missing: missing) }
    lostCount = judged.lost
    isFresh = true
  }

  /// What is new: after each report, and once an interval where nobody hears or nothing comes back.
  @_noLocks
  mutating func take(roundTripNanoseconds: Int?, nowNanoseconds now: Int) -> Delivery? {
    let current = standing(now)
    let interval = intervalNanoseconds ?? DeliveryWatch.usualIntervalNanoseconds
    let isNew = current.rawValue != standing.rawValue || isFresh
    guard isNew || (current.rawValue != Standing.judged.rawValue && now &- toldNanoseconds >= interval) else {
      return nil
    }
    standing = current
    toldNanoseconds = now
    isFresh = false
    switch current {
    case .judged: if reported == nil { tell(Delivery()) }
    case .refused, .unheard:
      // What has been told of is not told of once more when reports come again.
      if let reported {
        let due = due(roundTripNanoseconds, now)
        if due > judged.due, due > reported.number { account(missing: due &- reported.number) }
      } else if case .unheard = current {
        accountUnheard(upTo: due(roundTripNanoseconds, now))
      }
      tell(Delivery(loss: 1))
    // What is not known the next report will tell.
    case .unknown, .interrupted:
      tell(Delivery())
      delivery.isUnreported = true
      delivery.isInterrupted = current.rawValue == Standing.interrupted.rawValue
    }
    return delivery
  }

  /// Begins anew, with another source.
  @_noLocks
  mutating func reset() {
    sentTimes.reset()
    numbers = SequenceUnwrapper()
    sent = nil
    firstSent = nil
    lastSent = nil
    reported = nil
    lostBefore = 0
    unheardUpTo = nil
    lostCount = 0
    delivery = Delivery()
    standing = .judged
  }

  /// Whether nothing has been known of late.
  private var isSilent: Bool {
    @_noLocks get {
      standing.rawValue == Standing.unknown.rawValue || standing.rawValue == Standing.interrupted.rawValue
    }
  }

  @_noLocks
  private func standing(_ now: Int) -> Standing {
    if let lastRefusal, now &- lastRefusal <= DeliveryWatch.refusalNanoseconds {
      guard let reported, reported.nanoseconds >= lastRefusal else { return .refused }
    }
    guard let reported else { return isLeftOut(now) ? .unheard : .judged }
    guard let sent, sent.highest > reported.sent else { return .judged }
    let interval = intervalNanoseconds ?? DeliveryWatch.usualIntervalNanoseconds
    let silence =
      3 &* (interval < DeliveryWatch.shortestIntervalNanoseconds ? DeliveryWatch.shortestIntervalNanoseconds : interval)
    if now &- reported.nanoseconds < silence { return .judged }
    if now &- lastReport < silence { return .unheard }
    return now &- lastPacket < silence ? .unknown : .interrupted
  }

  /// Whether the other side reports, and on nothing of what has been sent to it all the time.
  @_noLocks
  private func isLeftOut(_ now: Int) -> Bool {
    let silence = 3 &* DeliveryWatch.usualIntervalNanoseconds
    guard let firstSent, let lastSent, now &- firstSent >= silence else { return false }
    return now &- lastSent < DeliveryWatch.usualIntervalNanoseconds && now &- lastReport < silence
  }

  /// What should have arrived by now.
  @_noLocks
  private func due(_ roundTrip: Int?, _ now: Int) -> Int {
    let ago = (roundTrip ?? DeliveryWatch.unknownRoundTripNanoseconds) &+ DeliveryWatch.patienceNanoseconds
    return sentTimes.number(atNanoseconds: now &- ago) ?? judged.due
  }

  /// - Parameter missing: packets behind the highest that was reported.
  @_noLocks
  private mutating func judge(missing: Int) {
    let before = judged
    account(missing: missing)
    let (due, lost) = (judged.due &- before.due, judged.lost &- before.lost)
    if due > 0 {
      tell(Delivery(loss: lost <= 0 ? 0 : lost >= due ? 1 : Double(lost) / Double(due)))
    } else if missing == 0 || delivery.loss == nil {
      // Nothing was due, and nothing is missing.
      tell(Delivery(loss: missing == 0 ? 0 : 1))
    }
  }

  /// The counts go on, whatever is told.
  @_noLocks
  private mutating func tell(_ new: Delivery) {
    delivery = new
    delivery.dueCount = counted.due
    delivery.lostCount = counted.lost
    delivery.heardNanoseconds = heardNanoseconds
  }

  /// Who comes late counts from its first packet on, which its share of losses gives away.
  @_noLocks
  private mutating func countFirst(_ block: ReportBlock, to number: Int) {
    guard let sent else { return }
    var due = number &- (unheardUpTo ?? sent.first &- 1)
    guard due > 0 else { return }
    let lost = block.cumulativeLost > 0 ? block.cumulativeLost : 0
    if block.fractionLost > 0, lost &* 256 / Int(block.fractionLost) < due {
      due = lost &* 256 / Int(block.fractionLost)
    }
    counted = (counted.due &+ due, counted.lost &+ lost)
  }

  /// What nobody has heard from the first packet on is lost.
  @_noLocks
  private mutating func accountUnheard(upTo number: Int) {
    guard let sent else { return }
    let new = number &- (unheardUpTo ?? sent.first &- 1)
    guard new > 0 else { return }
    counted = (counted.due &+ new, counted.lost &+ new)
    unheardUpTo = number
  }

  @_noLocks
  private mutating func account(missing: Int) {
    guard let reported else { return }
    let new = (due: reported.number &+ missing, lost: lostBefore &+ reported.lost &+ missing)
    counted = (counted.due &+ new.due &- judged.due, counted.lost &+ new.lost &- judged.lost)
    judged = new
  }

  /// Which of one's numbers the other side has got to; nil where a report is older than another that has come.
  @_noLocks
  private func number(_ raw: UInt32, _ highest: Int) -> Int? {
    if let reported {
      let step = Int(Int32(bitPattern: raw &- reported.raw))
      if step >= 0 && reported.number &+ step <= highest { return reported.number &+ step }
      if step < 0 && step > 0 &- DeliveryWatch.restartingGap { return nil }
    }
    // The upper half counts the wraps since it began to listen.
    let distance = UInt16(truncatingIfNeeded: highest) &- UInt16(truncatingIfNeeded: raw)
    return highest &- Int(distance)
  }

  /// A receiver that has missed too much begins to count anew: what it had lost before stays lost.
  @_noLocks
  private mutating func noteRestart(_ block: ReportBlock, at number: Int) {
    guard let reported else { return }
    let counted = block.cumulativeLost &- reported.lost
    let missing = judged.due &- reported.number
    let isRestart =
      counted < 0 &- (number &- reported.number) &- 100
      || (missing >= DeliveryWatch.restartingGap && number > judged.due && counted < missing / 2)
    if isRestart { lostBefore = judged.lost &- block.cumulativeLost }
    // After so long a silence nobody can tell one from a receiver that has heard everything.
    let passed = number &- reported.number
    if isSilent, passed >= DeliveryWatch.restartingGap, counted < passed / 2 {
      judged.due = number
      lostBefore = judged.lost &- block.cumulativeLost
    }
  }

  @_noLocks
  private mutating func noteInterval(_ nanoseconds: Int) {
    guard let before = intervalNanoseconds else {
      intervalNanoseconds =
        nanoseconds < DeliveryWatch.usualIntervalNanoseconds ? nanoseconds : DeliveryWatch.usualIntervalNanoseconds
      return
    }
    // Longer is an outage, not an interval.
    if nanoseconds < 3 &* before { intervalNanoseconds = before &+ (nanoseconds &- before) / 4 }
  }
}
