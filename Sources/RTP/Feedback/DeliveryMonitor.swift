/// Judges how what one sends arrives: by what the other side reports, by what it does not, and by its silence.
///
///     sent ──────────▶ what should be there by now ─┐
///     report block ──▶ how far it has got ──────────┴▶ lost: what it has counted, and what it should have got behind that
///     refused ───────▶ all is lost
///     three intervals without a block ─▶ reports come: all is lost · its stream comes: unknown · nothing comes: interrupted
///
/// A receiver knows of a loss by the packet behind it, so one that gets nothing any more reports no loss. What was sent
/// a round trip and 500 ms before a report should have arrived by then; what of it lies behind the report's highest
/// number counts as lost, and is taken back where it has only been late. A receiver may leave out the sources that it
/// has heard nothing of since its last report (RFC 3550, section 6.4).
///
/// Real-time: wait-free.
///
/// Source: RFC 8083, sections 4.1 and 4.2, for what silence and reports that stand still mean.
struct DeliveryMonitor: ~Copyable {
  /// What was told last: once by `take`, and again while it lasts where nobody hears.
  private var told = DeliveryReport()
  /// Packets lost by the newest report, with those that should have come by then.
  private(set) var lostCount = 0
  private var sentTimes = SentTimes()
  private var numbers = SequenceUnwrapper()
  /// The first and the highest number sent.
  private(set) var sent: (first: Int, highest: Int)?
  /// When the first and the last packet were sent.
  private var firstSent: Int?
  private var lastSent: Int?
  /// What the newest report said, and its arrival.
  var reported: (raw: UInt32, number: Int, lost: Int, sent: Int, nanoseconds: Int)?
  /// What was due, and how much of it lost, when that was judged last.
  var judged = (due: 0, lost: 0)
  /// All that has been judged, of whatever source.
  var counted = (due: 0, lost: 0)
  /// What receivers had lost before they began to count anew.
  var lostBefore = 0
  /// Up to which number nothing has been heard, while nothing has been, and how many of them have been counted.
  private(set) var unheard: (upTo: Int, count: Int)?
  var intervalNanoseconds: Int?
  private var heardNanoseconds: Int?
  private var lastReport = Int.min / 2
  private var lastPacket = Int.min / 2
  private var refusals = UnreachableTracker()
  /// What a round trip is taken for while it is not known.
  private var assumedRoundTrip = 1_000_000_000
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
  /// What is usual (RFC 3550), until two reports have come.
  static var usualIntervalNanoseconds: Int { @_noLocks get { 5_000_000_000 } }
  private static var shortestIntervalNanoseconds: Int { @_noLocks get { 1_000_000_000 } }

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
  mutating func refused(nowNanoseconds now: Int) {
    guard let sent, let firstSent else { return }
    let count = refusals.note(
      upTo: sent.highest, first: sent.first, firstNanoseconds: firstSent, nowNanoseconds: now)
    // Of one who has reported, what came back lies behind his reports, which say what is missing.
    guard reported == nil else { return accountRefused() }
    countUnheard(count, upTo: sent.highest)
  }

  /// Notes a packet of the other side's stream.
  @_noLocks
  mutating func heardPacket(nowNanoseconds now: Int) { lastPacket = now }

  /// Notes a report, whatever it is about.
  @_noLocks
  mutating func heardReport(nowNanoseconds now: Int) { lastReport = now }

  /// Takes in a report about one's own stream.
  @_noLocks
  mutating func take(_ block: ReportBlock, roundTripNanoseconds: Int?, nowNanoseconds now: Int) {
    guard let sent, let number = number(block.extendedHighestSequenceNumber, sent: sent) else { return }
    var block = block
    // A report may say anything; no more can be missing, or be there twice, than was sent.
    let most = number &- sent.first &+ 1
    block.cumulativeLost = max(0 &- most, min(most, block.cumulativeLost))
    if let before = reported {
      noteInterval(now &- before.nanoseconds)
      noteRestart(block, at: number)
    }
    let isFirst = reported == nil
    if isFirst || number > reported!.number {
      heardNanoseconds = now &- (roundTripNanoseconds ?? 0) / 2
    }
    reported = (block.extendedHighestSequenceNumber, number, block.cumulativeLost, sent.highest, now)
    if isFirst, let left = sentTimes.nanoseconds(of: number), now &- left > assumedRoundTrip {
      // Far away nothing is known of for as long as it takes there and back, which may come to be known later still.
      assumedRoundTrip = now &- left
    }
    let due = due(roundTripNanoseconds, now)
    let missing = due > number ? due &- number : 0
    if isFirst {
      // Who comes late has not lost what was before it. What came back behind its number has been counted.
      let beyond = unheard.map { min($0.count, max(0, $0.upTo &- number)) } ?? 0
      judged = (number &+ beyond, lostBefore &+ block.cumulativeLost &+ beyond)
      countFirst(block, to: number)
    } else if isSilent {
      // How it has been in the silence counts, but is not how it is now.
      account(missing: 0)
    }
    if isFirst || isSilent { tell(DeliveryReport(loss: Double(block.fractionLost) / 256)) }
    if missing > 0 || !(isFirst || isSilent) { judge(missing: missing) }
    lostCount = max(0, min(judged.lost, judged.due &- sent.first &+ 1))
    isFresh = true
  }

  /// What is new: after each report, and once an interval where nobody hears or nothing comes back.
  @_noLocks
  mutating func take(roundTripNanoseconds: Int?, nowNanoseconds now: Int) -> DeliveryReport? {
    let current = standing(now)
    let interval = intervalNanoseconds ?? DeliveryMonitor.usualIntervalNanoseconds
    let isNew = current.rawValue != standing.rawValue || isFresh
    guard isNew || (current.rawValue != Standing.judged.rawValue && now &- toldNanoseconds >= interval) else {
      return nil
    }
    standing = current
    toldNanoseconds = now
    isFresh = false
    switch current {
    case .judged: if reported == nil { tell(DeliveryReport()) }
    case .refused, .unheard:
      // What has been told of is not told of once more when reports come again.
      if let reported {
        let due = due(roundTripNanoseconds, now)
        if due > judged.due, due > reported.number { account(missing: due &- reported.number) }
      } else if case .unheard = current {
        accountUnheard(upTo: due(roundTripNanoseconds, now))
      }
      tell(DeliveryReport(loss: 1))
    // What is not known the next report will tell.
    case .unknown, .interrupted:
      tell(DeliveryReport())
      told.isUnreported = true
      told.isInterrupted = current.rawValue == Standing.interrupted.rawValue
    }
    return delivery
  }

  /// What was told last, with all that has been counted by now.
  var delivery: DeliveryReport {
    @_noLocks get {
      var delivery = told
      // A receiver that counts duplicates as received may report less than no loss.
      delivery.lostCount = counted.lost < 0 ? 0 : min(counted.lost, counted.due)
      delivery.dueCount = counted.due
      delivery.heardNanoseconds = heardNanoseconds
      return delivery
    }
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
    assumedRoundTrip = 1_000_000_000
    unheard = nil
    refusals = UnreachableTracker()
    lostCount = 0
    told = DeliveryReport()
    standing = .judged
  }

  /// Whether nothing has been known of late.
  var isSilent: Bool {
    @_noLocks get {
      standing.rawValue == Standing.unknown.rawValue || standing.rawValue == Standing.interrupted.rawValue
    }
  }

  /// Whether packets have come back since the last report.
  var isRefused: Bool {
    @_noLocks get {
      guard let last = refusals.lastNanoseconds else { return false }
      guard let reported else { return true }
      return last > reported.nanoseconds
    }
  }

  @_noLocks
  private func standing(_ now: Int) -> Standing {
    if refusals.areFresh(nowNanoseconds: now), isRefused { return .refused }
    guard let reported else { return isLeftOut(now) ? .unheard : .judged }
    guard let sent, sent.highest > reported.sent else { return .judged }
    let interval = intervalNanoseconds ?? DeliveryMonitor.usualIntervalNanoseconds
    let silence =
      3
      &* (interval < DeliveryMonitor.shortestIntervalNanoseconds
        ? DeliveryMonitor.shortestIntervalNanoseconds : interval)
    if now &- reported.nanoseconds < silence { return .judged }
    if now &- lastReport < silence { return .unheard }
    return now &- lastPacket < silence ? .unknown : .interrupted
  }

  /// Whether the other side reports, and on nothing of what has been sent to it all the time.
  @_noLocks
  private func isLeftOut(_ now: Int) -> Bool {
    let silence = 3 &* DeliveryMonitor.usualIntervalNanoseconds
    guard let firstSent, let lastSent, now &- firstSent >= silence else { return false }
    return now &- lastSent < DeliveryMonitor.usualIntervalNanoseconds && now &- lastReport < silence
  }

  /// What should have arrived by now.
  @_noLocks
  private func due(_ roundTrip: Int?, _ now: Int) -> Int {
    let ago = (roundTrip ?? assumedRoundTrip) &+ DeliveryMonitor.patienceNanoseconds
    return sentTimes.number(atNanoseconds: now &- ago) ?? judged.due
  }

  /// - Parameter missing: packets behind the highest that was reported.
  @_noLocks
  private mutating func judge(missing: Int) {
    let before = judged
    account(missing: missing)
    let (due, lost) = (judged.due &- before.due, judged.lost &- before.lost)
    if due > 0 {
      tell(DeliveryReport(loss: lost <= 0 ? 0 : lost >= due ? 1 : Double(lost) / Double(due)))
    } else if missing == 0 || told.loss == nil {
      // Nothing was due, and nothing is missing.
      tell(DeliveryReport(loss: missing == 0 ? 0 : 1))
    }
  }

  @_noLocks
  private mutating func tell(_ new: DeliveryReport) {
    told = new
    // A share of nothing is none.
    if counted.due == 0 { told.loss = nil }
  }

  /// What nobody has heard from the first packet on is lost.
  @_noLocks
  private mutating func accountUnheard(upTo number: Int) {
    guard let sent else { return }
    let new = number &- (unheard?.upTo ?? sent.first &- 1)
    if new > 0 { countUnheard(new, upTo: number) }
  }

  @_noLocks
  private mutating func countUnheard(_ new: Int, upTo number: Int) {
    counted = (counted.due &+ new, counted.lost &+ new)
    unheard = (number, (unheard?.count ?? 0) &+ new)
  }

  /// What has come back since the last report is lost, however short a time ago.
  @_noLocks
  private mutating func accountRefused() {
    guard isRefused, let reported, let upTo = refusals.upTo else { return }
    if upTo > judged.due, upTo > reported.number { account(missing: upTo &- reported.number) }
  }

  @_noLocks
  private mutating func account(missing: Int) {
    guard let reported else { return }
    // What has been judged stays judged, also where less is due after a round trip that took longer.
    let missing = max(missing, judged.due &- reported.number)
    let new = (due: reported.number &+ missing, lost: lostBefore &+ reported.lost &+ missing)
    counted = (counted.due &+ new.due &- judged.due, counted.lost &+ new.lost &- judged.lost)
    judged = new
  }
}
