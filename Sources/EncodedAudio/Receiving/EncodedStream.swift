import RTP
import Signalling

/// Packets of one source: in order, each once, with the lost ones named.
///
/// Thread: that of its receiver.
final class EncodedStream {
  let uid: UInt32
  let ssrc: UInt32
  private(set) var counts = EncodedCounts()
  private var missing: NackTracker
  /// Whether a packet has come since the last report block.
  private(set) var hasNews = false
  private let requestsPackets: Bool
  private var arbiter = SourceArbiter()
  private var statistics = ReceptionStatistics()
  private var window: PacketWindow
  /// Packets that are lost since the newest one that was passed on.
  private var lostCount = 0
  /// End of the newest packet that was passed on; nil before the first, and behind a restart.
  private var endTimestamp: Int?
  private var hasBegun = false

  /// Round trip that requests assume: a request is repeated after it. The relay does not name the round trip.
  private static let roundTripNanoseconds = 100_000_000

  init(uid: UInt32, ssrc: UInt32, waitNanoseconds wait: Int, requestsPackets: Bool) {
    self.uid = uid
    self.ssrc = ssrc
    self.requestsPackets = requestsPackets
    window = PacketWindow(waitNanoseconds: wait)
    missing = NackTracker(policy: NackPolicy(historyNanoseconds: wait, patienceNanoseconds: wait / 4))
  }

  /// Whether packets wait for an earlier one.
  var hasGap: Bool { window.hasGap }

  /// Takes a decrypted packet.
  func receive(_ bytes: UnsafeRawBufferPointer, _ now: Int, _ pass: (EncodedPacket) -> Void) {
    guard let view = try? RTPPacketView(parsing: bytes) else {
      counts.malformed += 1
      return
    }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[view.payloadRange])
    let isOpus = view.header.payloadType == WireConventions.opusPayloadType
    let format = isOpus ? try? OpusPayload(parsing: payload) : nil
    if isOpus, format == nil {
      counts.malformed += 1
      return
    }
    let decision =
      isOpus
      ? arbiter.classify(view.header, announcesPause: false, arrival: now)
      : arbiter.classifySoundless(view.header, arrival: now)
    let (number, timestamp): (Int, Int)
    switch decision {
    case .unknownSource: return
    case .begins(let first, let begin):
      restart(now, pass)
      (number, timestamp) = (first, begin)
    case .accepted(let next, let time): (number, timestamp) = (next, time)
    }
    let packet = format.map { format in
      EncodedPacket(
        payload: Array(payload), format, timestamp: timestamp, sequenceNumber: number,
        level: (try? view.audioLevel(identifier: WireConventions.audioLevelIdentifier, in: bytes)) ?? nil,
        arrivalNanoseconds: now)
    }
    makePlace(for: number, now, pass)
    switch window.insert(number, packet, arrival: now) {
    case .duplicate:
      counts.duplicated += 1
      return statistics.noteDuplicate()
    case .late: counts.late += 1
    case .kept(let isReordered): if isReordered { counts.reordered += 1 }
    }
    hasNews = true
    if isOpus {
      statistics.receive(sequence: number, timestamp: view.header.timestamp, arrivalNanoseconds: now)
    } else {
      statistics.receive(sequence: number)
    }
    if requestsPackets {
      missing.receive(
        number, timestamp: timestamp, nowNanoseconds: now, roundTripNanoseconds: Self.roundTripNanoseconds)
    }
    passDue(now, pass)
  }

  /// Notes a sender report.
  func receive(_ report: SenderReport, _ now: Int) { statistics.receive(report, arrivalNanoseconds: now) }

  /// Passes the packets on that need not wait any more.
  func passDue(_ now: Int, isForced: Bool = false, _ pass: (EncodedPacket) -> Void) {
    while let next = window.take(now, isForced: isForced) { deliver(next.packet, next.lostCount, pass) }
  }

  /// Returns the next packets to request; nil if none are due.
  func nextPair(_ now: Int) -> NackPair? {
    guard requestsPackets else { return nil }
    return missing.nextPair(
      nowNanoseconds: now, roundTripNanoseconds: Self.roundTripNanoseconds,
      targetDelayNanoseconds: window.waitNanoseconds)
  }

  /// Returns the block about the packets since the last one.
  func makeReportBlock(_ now: Int) -> ReportBlock {
    hasNews = false
    return statistics.makeReportBlock(ssrc: ssrc, nowNanoseconds: now)
  }

  // MARK: Private

  /// Gives up gaps until a number has a place.
  private func makePlace(for number: Int, _ now: Int, _ pass: (EncodedPacket) -> Void) {
    while !window.hasPlace(for: number) {
      guard let next = window.take(now, isForced: true) else {
        let skipped = window.skip(to: number)
        lostCount += skipped
        counts.lost += skipped
        return
      }
      deliver(next.packet, next.lostCount, pass)
    }
  }

  private func restart(_ now: Int, _ pass: (EncodedPacket) -> Void) {
    passDue(now, isForced: true, pass)
    window = PacketWindow(waitNanoseconds: window.waitNanoseconds)
    statistics = ReceptionStatistics()
    missing.reset()
    if hasBegun { counts.restarts += 1 }
    (hasBegun, endTimestamp, lostCount) = (true, nil, 0)
  }

  private func deliver(_ packet: EncodedPacket?, _ lost: Int, _ pass: (EncodedPacket) -> Void) {
    counts.lost += lost
    lostCount += lost
    guard var packet else { return }
    packet.isRestart = endTimestamp == nil
    packet.lostPacketCount = lostCount
    packet.missingSampleCount = endTimestamp.map { max(0, packet.timestamp - $0) } ?? 0
    (lostCount, endTimestamp) = (0, packet.endTimestamp)
    counts.received += 1
    pass(packet)
  }
}
