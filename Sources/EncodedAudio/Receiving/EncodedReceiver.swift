import RTP

/// Packets of all users of a channel, the requests of lost ones, and the reports about them.
///
///     decrypted packet ─▶ SSRC ─▶ stream ─▶ packets of its user, in order
///                                   └────▶ NACK, receiver reports
///
/// A state machine: it reads no clock. Thread: one at a time.
final class EncodedReceiver {
  /// Counts of the users that have left or have another source.
  private var former = EncodedCounts()
  private var streams: [UInt32: EncodedStream] = [:]
  private var ssrcs: [UInt32: UInt32] = [:]
  /// Sources with packets that wait for an earlier one.
  private var gaps: Set<UInt32> = []
  private var nextSweep = Int.min
  /// Time of the next report; `Int.max` before the first packet.
  private var nextReport = Int.max
  private let waitNanoseconds: Int
  private let requestsPackets: Bool
  private let pass: (_ uid: UInt32, EncodedPacket) -> Void

  /// Time between two looks at the gaps, in nanoseconds.
  private static let sweepNanoseconds = 5_000_000
  /// Mean time between two reports, in nanoseconds.
  private static let reportNanoseconds = 1_000_000_000
  /// Blocks of a datagram, which the protection must not make longer than a packet of the network.
  private static let blockCount = 31
  /// Pairs of a datagram.
  private static let pairCount = 16
  private static let name: StaticString = "encoded@audiopipe"

  init(
    waitNanoseconds: Int, requestsPackets: Bool, pass: @escaping (_ uid: UInt32, EncodedPacket) -> Void
  ) {
    self.waitNanoseconds = waitNanoseconds
    self.requestsPackets = requestsPackets
    self.pass = pass
  }

  /// Counts of all users so far.
  var counts: EncodedCounts { streams.values.reduce(former) { $0 + $1.counts } }

  /// Gives a user another source; nil: none of its packets come for now.
  func setSource(_ ssrc: UInt32?, of uid: UInt32, _ now: Int) {
    if let old = ssrcs[uid] {
      guard old != ssrc else { return }
      ssrcs[uid] = nil
      gaps.remove(old)
      if let stream = streams.removeValue(forKey: old) {
        stream.passDue(now, isForced: true) { pass(uid, $0) }
        former = former + stream.counts
      }
    }
    guard let ssrc else { return }
    ssrcs[uid] = ssrc
    streams[ssrc] = EncodedStream(
      uid: uid, ssrc: ssrc, waitNanoseconds: waitNanoseconds, requestsPackets: requestsPackets)
  }

  /// Passes all packets on that wait; later ones of the same gaps come too late.
  func settle(_ now: Int) {
    for source in gaps.sorted() {
      if let stream = streams[source] { stream.passDue(now, isForced: true) { pass(stream.uid, $0) } }
    }
    gaps = []
  }

  /// Ends the streams of all users, and passes all packets on that wait.
  func end(_ now: Int) { for uid in ssrcs.keys.sorted() { setSource(nil, of: uid, now) } }

  /// Takes a decrypted packet; one of an unknown source is dropped.
  func receive(_ packet: UnsafeRawBufferPointer, _ now: Int) {
    guard let header = try? RTPHeader(parsing: packet), let stream = streams[header.ssrc] else { return }
    if nextReport == .max { nextReport = now + Self.reportNanoseconds }
    stream.receive(packet, now) { pass(stream.uid, $0) }
    if stream.hasGap {
      gaps.insert(stream.ssrc)
    } else if !gaps.isEmpty {
      gaps.remove(stream.ssrc)
    }
  }

  /// Takes a decrypted datagram of RTCP.
  func receive(reports datagram: UnsafeRawBufferPointer, _ now: Int) {
    guard var reader = try? RTCPReader(datagram) else { return }
    while let packet = reader.next() {
      guard packet.type == .senderReport, let report = try? packet.senderReport() else { continue }
      streams[report.ssrc]?.receive(report, now)
    }
  }

  /// Time of the next `pump`; `Int.max` if none is needed.
  var nextDeadlineNanoseconds: Int { gaps.isEmpty ? nextReport : min(nextReport, nextSweep) }

  /// Passes overdue packets on, and sends the requests and reports that are due.
  ///
  /// - Parameters:
  ///   - memory: Memory for a datagram, of 1,200 bytes.
  ///   - random: Number of 0..<1.
  ///   - send: Sends the first bytes of the memory.
  func pump(
    _ now: Int, ssrc: UInt32, random: Double, memory: UnsafeMutableRawBufferPointer, send: (_ byteCount: Int) -> Void
  ) {
    if !gaps.isEmpty, now >= nextSweep { sweep(now, ssrc, memory, send) }
    guard now >= nextReport else { return }
    nextReport = now + Int(Double(Self.reportNanoseconds) * (0.5 + random))
    let heard = streams.values.filter(\.hasNews).sorted { $0.ssrc < $1.ssrc }
    // Without news a report still says that the listener is there.
    var start = 0
    repeat {
      let part = heard[start..<min(heard.count, start + Self.blockCount)]
      send(writeReport(about: part, ssrc, memory, now))
      start += Self.blockCount
    } while start < heard.count
  }

  // MARK: Private

  private func sweep(
    _ now: Int, _ ssrc: UInt32, _ memory: UnsafeMutableRawBufferPointer, _ send: (_ byteCount: Int) -> Void
  ) {
    nextSweep = now + Self.sweepNanoseconds
    for source in gaps.sorted() {
      guard let stream = streams[source] else { continue }
      stream.passDue(now) { pass(stream.uid, $0) }
      if !stream.hasGap { gaps.remove(source) }
      request(stream, now, ssrc, memory, send)
    }
  }

  private func request(
    _ stream: EncodedStream, _ now: Int, _ ssrc: UInt32, _ memory: UnsafeMutableRawBufferPointer,
    _ send: (_ byteCount: Int) -> Void
  ) {
    guard let first = stream.nextPair(now) else { return }
    var writer = RTCPWriter(into: memory)
    do throws(RTCPError) {
      try writer.appendReceiverReport(ssrc: ssrc)
      try writer.appendNack(senderSSRC: ssrc, mediaSSRC: stream.ssrc, first)
      for _ in 1..<Self.pairCount {
        guard let pair = stream.nextPair(now) else { break }
        try writer.append(pair)
      }
    } catch {
      // The memory holds the pairs.
    }
    send(writer.byteCount)
  }

  private func writeReport(
    about streams: ArraySlice<EncodedStream>, _ ssrc: UInt32, _ memory: UnsafeMutableRawBufferPointer, _ now: Int
  ) -> Int {
    var writer = RTCPWriter(into: memory)
    do throws(RTCPError) {
      try writer.appendReceiverReport(ssrc: ssrc)
      for stream in streams { try writer.append(stream.makeReportBlock(now)) }
      let name = UnsafeRawBufferPointer(start: Self.name.utf8Start, count: Self.name.utf8CodeUnitCount)
      try writer.appendCanonicalName(name, ssrc: ssrc)
    } catch {
      // The memory holds 31 blocks.
    }
    return writer.byteCount
  }
}
