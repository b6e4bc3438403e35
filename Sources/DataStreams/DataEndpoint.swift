package import RTP
package import Signalling

/// Data streams of a user in one channel: its own messages, and those of the remote users.
///
///     send ─▶ ┌──────────┐ ─▶ pump        packets, requests, repetitions
///     packets │ endpoint │ ─▶ takeEvent   messages, and numbers that are missing
///             └──────────┘
///
/// A state machine: it reads no clock and has no socket. Messages are packets of RTP with a payload type and SSRCs of
/// their own on the channel's media transport.
///
/// Thread: one at a time.
///
/// Source: Documentation/Signalling.md; RFC 4585 for requests.
package struct DataEndpoint: ~Copyable {
  /// Packets of a second that are sent again on request.
  private static let repetitionsPerSecond = 200

  /// Streams of the local user.
  package var sender = DataSender()
  /// SSRCs of the present transport; nil before the first, and at a relay without data streams.
  package private(set) var sources: DataSources?
  /// Packets that were malformed.
  package private(set) var malformedCount = 0
  private var reportSSRC: UInt32 = 0
  private var history = DataHistory()
  private var gaps = DataGaps()
  private var receiver = DataReceiver()

  package init() {}

  /// Continues on another transport: its packets have other numbers, and messages keep theirs.
  package mutating func connect(_ sources: DataSources?, reportSSRC: UInt32) {
    self.sources = sources
    self.reportSSRC = reportSSRC
    history = DataHistory()
    gaps = DataGaps()
  }

  /// Takes the SSRCs of the present transport after a change of the right to send. Numbers continue; messages that have
  /// not been sent wait for the right.
  package mutating func change(_ sources: DataSources) {
    if sources.received == self.sources?.received { self.sources = sources }
  }

  /// Whether a packet has the SSRC of messages.
  package func isMessage(_ header: RTPHeader) -> Bool { header.ssrc == sources?.received }

  /// Takes a decrypted packet of the relay's SSRC for messages.
  package mutating func receive(_ packet: UnsafeRawBufferPointer, nowNanoseconds now: Int) {
    guard let view = try? RTPPacketView(parsing: packet), view.header.payloadType == WireConventions.dataPayloadType
    else {
      malformedCount += 1
      return
    }
    let number = gaps.receive(view.header.sequenceNumber, nowNanoseconds: now)
    let payload = UnsafeRawBufferPointer(rebasing: packet[view.payloadRange])
    if !receiver.receive(payload, packet: number, lowestMissing: gaps.lowestMissing, now) { malformedCount += 1 }
    receiver.poll(lowestMissing: gaps.lowestMissing, now)
  }

  /// Takes an RTCP datagram: requests for own packets are answered.
  package mutating func receive(
    reports datagram: UnsafeRawBufferPointer, nowNanoseconds now: Int, send: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let own = sources?.sent, var reader = try? RTCPReader(datagram) else { return }
    while let packet = reader.next() {
      guard packet.isNack, (try? packet.nackedSSRC()) == own, let count = try? packet.nackPairCount() else { continue }
      for index in 0..<count {
        guard let pair = try? packet.nackPair(index) else { continue }
        history.answer(pair, limit: Self.repetitionsPerSecond, nowNanoseconds: now, send)
      }
    }
  }

  /// Sends the messages that wait, repetitions and requests.
  ///
  /// - Parameters:
  ///   - now: Present time, in nanoseconds.
  ///   - memory: Memory for a datagram of 1,200 bytes.
  ///   - protect: Encrypts the first bytes of the memory in place, and returns the datagram.
  ///   - send: Sends a datagram.
  package mutating func pump(
    now: Int, memory: UnsafeMutableRawBufferPointer,
    protect: (_ byteCount: Int, _ isRTCP: Bool) -> UnsafeRawBufferPointer?, send: (UnsafeRawBufferPointer) -> Void
  ) {
    if let own = sources?.sent {
      while let message = sender.next() {
        let number = history.takeNumber()
        let header = RTPHeader(messageNumber: number, ssrc: own, nowNanoseconds: now)
        guard (try? header.write(to: memory)) != nil else { continue }
        let payload = UnsafeMutableRawBufferPointer(rebasing: memory[RTPHeader.byteCount...])
        message.header.write(to: payload)
        UnsafeMutableRawBufferPointer(rebasing: payload[DataMessageHeader.byteCount...]).copyBytes(from: message.bytes)
        let byteCount = RTPHeader.byteCount + DataMessageHeader.byteCount + message.bytes.count
        guard let packet = protect(byteCount, false) else { continue }
        if message.header.isReliable { history.keep(packet, number: number, nowNanoseconds: now) }
        send(packet)
      }
    }
    if sources?.sent != nil, let packet = history.takeRepetition(nowNanoseconds: now) { send(packet) }
    guard let received = sources?.received else { return }
    let byteCount = gaps.writeRequests(
      from: reportSSRC, for: received, into: memory, nowNanoseconds: now, roundTripNanoseconds: nil)
    if byteCount > 0, let request = protect(byteCount, true) { send(request) }
    poll(nowNanoseconds: now)
  }

  /// Does the work that is due without a connection.
  package mutating func poll(nowNanoseconds now: Int) { receiver.poll(lowestMissing: gaps.lowestMissing, now) }

  /// Time of the next `poll`; nil if none is needed.
  package var nextReceptionNanoseconds: Int? { receiver.nextDeadlineNanoseconds }

  /// Time of the next `pump`; nil if none is needed.
  package var nextDeadlineNanoseconds: Int? {
    if sender.hasMessages, sources?.sent != nil { return .min }
    // Without the right nothing is repeated.
    let repetition = sources?.sent == nil ? nil : history.nextDeadlineNanoseconds
    return [repetition, gaps.nextDeadlineNanoseconds, receiver.nextDeadlineNanoseconds]
      .compactMap(\.self).min()
  }

  /// Ends the streams of a user that has left.
  package mutating func remove(_ uid: UInt32) { receiver.remove(uid) }

  /// Returns the next event; nil without one.
  package mutating func takeEvent() -> DataStreamEvent? { receiver.takeEvent() }
}
