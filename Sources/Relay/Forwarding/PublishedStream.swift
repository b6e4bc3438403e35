import Platform
import RTP

/// Packets of a publisher, as the relay receives them.
final class PublishedStream {
  /// Numbers by which a packet may be ahead or behind; a larger step is a restart.
  static let largestStep = 3_000

  /// Packets to the listeners.
  private(set) var legs: [ForwardingLeg] = [] { didSet { isStale = true } }
  /// Those that are chosen, for a loop that touches no reference count: each would be a wait for memory.
  var borrowedLegs: [Unmanaged<ForwardingLeg>] {
    if isStale {
      chosenLegs = legs.lazy.filter(\.isChosen).map(Unmanaged.passUnretained)
      isStale = false
    }
    return chosenLegs
  }
  private var chosenLegs: [Unmanaged<ForwardingLeg>] = []
  private var isStale = false
  /// Loudness at the last choice of speakers, and whether the publisher was not in a pause; nil for no candidate.
  var ranked: (loudness: Double, isSpeaking: Bool)?
  /// Loudness, while a listener of the channel has a limit of speakers.
  var activity = SpeakerActivity()
  /// The newest packets, while a listener of the channel has a limit of speakers.
  var held = HeldPackets()
  /// First byte of the newest payload; nil before the first packet.
  var firstByte: UInt8?
  /// Count of the publisher's restarts.
  private(set) var epoch = 0
  /// Time of the last packet; nil before the first and after a BYE.
  private(set) var lastNanoseconds: Int?
  private(set) var statistics = ReceptionStatistics()
  private(set) var losses: UplinkLosses?
  private var unwrapper = SequenceUnwrapper()
  private var highest: Int?
  /// Packets that listeners have lost beyond those of the uplink, as far as reported.
  private var listenersLost = 0
  /// Highest number and packets lost on the uplink, as last reported.
  private var reported: (highest: UInt32, lost: Int)?

  /// Takes a packet.
  ///
  /// - Returns: Its number without wraps.
  func receive(_ header: RTPHeader, nowNanoseconds: Int, roundTripNanoseconds: Int?) -> Int {
    var sequence = unwrapper.unwrap(header.sequenceNumber)
    if let highest, abs(sequence &- highest) > Self.largestStep {
      restart()
      sequence = unwrapper.unwrap(header.sequenceNumber)
    }
    highest = max(highest ?? sequence, sequence)
    lastNanoseconds = nowNanoseconds
    let losses = losses ?? UplinkLosses()
    self.losses = losses
    // An answer does not undo the loss, against which the publisher protects its packets.
    if !losses.receive(sequence, nowNanoseconds: nowNanoseconds, roundTripNanoseconds: roundTripNanoseconds) {
      statistics.receive(sequence: sequence, timestamp: header.timestamp, arrivalNanoseconds: nowNanoseconds)
    }
    return sequence
  }

  /// Takes a packet of a user of another channel: its own stream has counted it.
  func receiveRelayed(epoch: Int, nowNanoseconds: Int) {
    if epoch != self.epoch { held.removeAll() }
    self.epoch = epoch
    lastNanoseconds = nowNanoseconds
  }

  /// Takes the number of a packet that has come before and was not decrypted again: the answer to a request may show
  /// that nothing was lost.
  func receiveAgain(_ number: UInt16, nowNanoseconds: Int) {
    guard let highest, let losses else { return }
    let sequence = highest &- Int(UInt16(truncatingIfNeeded: highest) &- number)
    guard losses.receiveAgain(sequence, nowNanoseconds: nowNanoseconds) else { return }
    ReachPoints.note(.requestedTooEarly)
    statistics.receive(sequence: sequence)
  }

  /// Begins another stream of the same user: its numbers and timestamps have nothing to do with the former ones.
  func restart() {
    epoch &+= 1
    unwrapper = SequenceUnwrapper()
    highest = nil
    statistics = ReceptionStatistics()
    listenersLost = 0
    reported = nil
    losses?.reset()
    held.removeAll()
  }

  /// Takes a sender report, so that the next report block lets the publisher measure the round trip.
  func receive(_ report: SenderReport, nowNanoseconds: Int) {
    statistics.receive(report, arrivalNanoseconds: nowNanoseconds)
  }

  /// Notes a BYE: the next packet begins another stream.
  func receiveBye() {
    restart()
    lastNanoseconds = nil
  }

  /// Notes that the relay forwards nothing for a while.
  func interrupt() { for leg in legs { leg.rewriter.isInterrupted = true } }

  /// Notes that a listener has chosen the publisher, or has ceased to: the next packet takes that.
  func noteChoice() { isStale = true }

  func add(_ leg: ForwardingLeg) { legs.append(leg) }

  func remove(_ leg: ForwardingLeg) { legs.removeAll { $0 === leg } }

  /// Loss of the listeners, with those of other channels; nil without a report.
  func listenersLoss(_ links: [RelayLink] = [], _ nowNanoseconds: Int) -> ListenersLoss? {
    let own = legs.compactMap { leg in
      leg.isActive ? leg.loss(nowNanoseconds).map { ListenersLoss(share: $0, listenerCount: 1) } : nil
    }
    return ListenersLoss(own + links.compactMap(\.loss))
  }

  /// Returns the reception of the publisher's packets, with the larger loss of the uplink and of the listeners: of
  /// these, nine of ten lose no more than the returned block says. The block's sum grows by the same share, because
  /// publishers may compute the loss from it.
  ///
  /// - Parameter links: Links to other channels; their listeners count, too.
  func makeReportBlock(ssrc: UInt32, links: [RelayLink] = [], nowNanoseconds: Int) -> ReportBlock {
    var block = statistics.makeReportBlock(ssrc: ssrc, nowNanoseconds: nowNanoseconds)
    let uplinkLost = block.cumulativeLost
    if let loss = listenersLoss(links, nowNanoseconds)?.share {
      block.fractionLost = max(block.fractionLost, UInt8(min(255, 256 * loss)))
      if let reported {
        let due = Int(block.extendedHighestSequenceNumber &- reported.highest)
        // A packet of the uplink that was only late is given back by its own count, and is no loss of a listener's.
        listenersLost += max(0, Int(Double(due) * loss) - max(0, uplinkLost - reported.lost))
      }
    }
    reported = (block.extendedHighestSequenceNumber, uplinkLost)
    block.cumulativeLost += listenersLost
    return block
  }
}
