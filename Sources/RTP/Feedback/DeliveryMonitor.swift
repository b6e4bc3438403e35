/// Assesses the delivery of local packets: by the remote party's reports, by packets missing from them, and by its
/// silence.
///
///     sent ──────────▶ packets due by now ──┐
///     report block ──▶ highest number ──────┴▶ lost: the receiver's count, and the packets due behind the highest number
///     refused ───────▶ all is lost
///     three intervals without a block ─▶ reports come: all is lost · its stream comes: unknown · nothing comes: interrupted
///
/// A receiver detects a loss by the packet behind it, so a receiver that gets no more packets reports no loss. Packets
/// sent a round trip + 500 ms before a report should have arrived by then. Those behind the report's highest number
/// count as lost; the count is taken back if they were only late. A receiver may omit the sources that it has heard
/// nothing of since its last report (RFC 3550, section 6.4).
///
/// Real-time: wait-free.
///
/// Source: RFC 8083, sections 4.1 and 4.2, for silence and for reports that stall.
struct DeliveryMonitor: ~Copyable {
  /// Last assessment: `take` returns it once, and again while it lasts if nobody hears the packets.
  private var told = DeliveryReport()
  /// Packets lost by the newest report, including those that should have arrived by then.
  private(set) var lostCount = 0
  private var sentTimes = SentTimes()
  private var numbers = SequenceUnwrapper()
  /// First and highest number sent; nil before the first.
  private(set) var sent: (first: Int, highest: Int)?
  /// Times of the first and the last packet sent.
  private var firstSent: Int?
  private var lastSent: Int?
  /// Content of the newest report, and its arrival.
  var reported: (raw: UInt32, number: Int, lost: Int, sent: Int, nanoseconds: Int)?
  /// Packets due at the last assessment, and the lost ones among them.
  var judged = (due: 0, lost: 0)
  private var lateArrivals = LateArrivals()
  /// All packets assessed so far, of any source.
  var counted = (due: 0, lost: 0)
  /// Packets that receivers had lost before they restarted their counts.
  var lostBefore = 0
  /// Number up to which nothing has been heard, as long as nothing has been, and the count of these packets.
  private(set) var unheard: (upTo: Int, count: Int)?
  var intervalNanoseconds: Int?
  private var heardNanoseconds: Int?
  private var lastReport = Int.min / 2
  private var lastPacket = Int.min / 2
  private var refusals = UnreachableTracker()
  /// Assumed round trip while it is unknown, in nanoseconds.
  private var assumedRoundTrip = 1_000_000_000
  private var standing = Standing.judged
  private var toldNanoseconds = 0
  private var isFresh = false

  /// Basis of the assessment.
  private enum Standing: UInt8, BitwiseCopyable {
    case judged
    case refused
    case unheard
    case unknown
    case interrupted
  }

  private static var patienceNanoseconds: Int { @_noLocks get { 500_000_000 } }
  /// Usual interval of reports (RFC 3550), assumed until two reports have arrived.
  static var usualIntervalNanoseconds: Int { @_noLocks get { 5_000_000_000 } }
  private static var shortestIntervalNanoseconds: Int { @_noLocks get { 1_000_000_000 } }

  init() {}

  /// Notes a local packet.
  @_noLocks
  mutating func sent(_ sequenceNumber: UInt16, nowNanoseconds now: Int) {
    let number = numbers.unwrap(sequenceNumber)
    if let sent, number <= sent.highest { return }
    sent = (sent?.first ?? number, number)
    if firstSent == nil { firstSent = now }
    lastSent = now
    sentTimes.note(number, nowNanoseconds: now)
  }

  /// Notes that packets are refused, or do not leave.
  @_noLocks
  mutating func refused(nowNanoseconds now: Int) {
    guard let sent, let firstSent else { return }
    let count = refusals.note(
      upTo: sent.highest, first: sent.first, firstNanoseconds: firstSent, nowNanoseconds: now)
    // A receiver's reports give its losses; the refused packets lie behind them.
    guard reported == nil else { return accountRefused() }
    countUnheard(count, upTo: sent.highest)
  }

  /// Notes a packet of the remote party's stream.
  @_noLocks
  mutating func heardPacket(nowNanoseconds now: Int) { lastPacket = now }

  /// Notes a report about any source.
  @_noLocks
  mutating func heardReport(nowNanoseconds now: Int) { lastReport = now }

  /// Takes a report about the local stream.
  @_noLocks
  mutating func take(_ block: ReportBlock, roundTripNanoseconds: Int?, nowNanoseconds now: Int) {
    guard let sent, let number = number(block.extendedHighestSequenceNumber, sent: sent) else { return }
    var block = block
    // A report may contain any number; no more packets can be missing, or duplicate, than were sent.
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
      // On a long path, nothing is known for a round trip, and the round trip itself may become known even later.
      assumedRoundTrip = now &- left
    }
    let due = due(roundTripNanoseconds, now)
    let missing = due > number ? due &- number : 0
    if isFirst {
      // A receiver that joins late has not lost the packets before. The refused packets behind its number have been
      // counted.
      let beyond = unheard.map { min($0.count, max(0, $0.upTo &- number)) } ?? 0
      judged = (number &+ beyond, lostBefore &+ block.cumulativeLost &+ beyond)
      countFirst(block, to: number)
    } else if isSilent {
      // Losses during the silence count, but do not describe the present.
      account(missing: 0)
    }
    if isFirst || isSilent { tell(DeliveryReport(loss: Double(block.fractionLost) / 256)) }
    if missing > 0 || !(isFirst || isSilent) { judge(missing: missing) }
    lostCount = max(0, min(judged.lost, judged.due &- sent.first &+ 1))
    isFresh = true
  }

  /// Returns a new assessment: after each report, and once an interval while nobody hears the packets or nothing comes
  /// back. nil if nothing is new.
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
      // Losses that have been reported are not reported once more when reports resume.
      if let reported {
        let due = due(roundTripNanoseconds, now)
        if due > judged.due, due > reported.number { account(missing: due &- reported.number) }
      } else if case .unheard = current {
        accountUnheard(upTo: due(roundTripNanoseconds, now))
      }
      tell(DeliveryReport(loss: 1))
    // The next report will give the unknown losses.
    case .unknown, .interrupted:
      tell(DeliveryReport())
      told.isUnreported = true
      told.isInterrupted = current.rawValue == Standing.interrupted.rawValue
    }
    return delivery
  }

  /// Last assessment, with all packets counted by now.
  var delivery: DeliveryReport {
    @_noLocks get {
      var delivery = told
      // A receiver that counts duplicates as received may report a negative loss.
      delivery.lostCount = counted.lost < 0 ? 0 : min(counted.lost, counted.due)
      delivery.dueCount = counted.due
      delivery.heardNanoseconds = heardNanoseconds
      return delivery
    }
  }

  /// Restarts with another source.
  @_noLocks
  mutating func reset() {
    sentTimes.reset()
    numbers = SequenceUnwrapper()
    sent = nil
    firstSent = nil
    lastSent = nil
    reported = nil
    lostBefore = 0
    lateArrivals = LateArrivals()
    assumedRoundTrip = 1_000_000_000
    unheard = nil
    refusals = UnreachableTracker()
    lostCount = 0
    told = DeliveryReport()
    standing = .judged
  }

  /// Whether the delivery has been unknown lately.
  var isSilent: Bool {
    @_noLocks get {
      standing.rawValue == Standing.unknown.rawValue || standing.rawValue == Standing.interrupted.rawValue
    }
  }

  /// Whether packets have been refused since the last report.
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

  /// Returns whether the remote party reports, but has never reported on any of the packets sent to it.
  @_noLocks
  private func isLeftOut(_ now: Int) -> Bool {
    let silence = 3 &* DeliveryMonitor.usualIntervalNanoseconds
    guard let firstSent, let lastSent, now &- firstSent >= silence else { return false }
    return now &- lastSent < DeliveryMonitor.usualIntervalNanoseconds && now &- lastReport < silence
  }

  /// Returns the highest number that should have arrived by now.
  @_noLocks
  private func due(_ roundTrip: Int?, _ now: Int) -> Int {
    let ago = (roundTrip ?? assumedRoundTrip) &+ DeliveryMonitor.patienceNanoseconds
    return sentTimes.number(atNanoseconds: now &- ago) ?? judged.due
  }

  /// Assesses the packets since the last assessment.
  ///
  /// - Parameter missing: packets behind the highest reported number.
  @_noLocks
  private mutating func judge(missing: Int) {
    let before = judged
    account(missing: missing)
    let due = judged.due &- before.due
    let lost = lateArrivals.subtract(from: judged.lost &- before.lost)
    if due > 0 {
      tell(DeliveryReport(loss: lost >= due ? 1 : Double(lost) / Double(due)))
    } else if missing == 0 || told.loss == nil {
      // Nothing was due, and nothing is missing.
      tell(DeliveryReport(loss: missing == 0 ? 0 : 1))
    }
  }

  @_noLocks
  private mutating func tell(_ new: DeliveryReport) {
    told = new
    // A share of no packets is undefined.
    if counted.due == 0 { told.loss = nil }
  }

  /// Counts the packets that nobody has heard, from the first on, as lost.
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

  /// Counts the packets refused since the last report as lost, however recent.
  @_noLocks
  private mutating func accountRefused() {
    guard isRefused, let reported, let upTo = refusals.upTo else { return }
    if upTo > judged.due, upTo > reported.number { account(missing: upTo &- reported.number) }
  }

  @_noLocks
  private mutating func account(missing: Int) {
    guard let reported else { return }
    // An assessment stays, also if fewer packets are due after a longer round trip.
    let missing = max(missing, judged.due &- reported.number)
    let new = (due: reported.number &+ missing, lost: lostBefore &+ reported.lost &+ missing)
    counted = (counted.due &+ new.due &- judged.due, counted.lost &+ new.lost &- judged.lost)
    judged = new
  }
}
