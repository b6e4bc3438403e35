import Platform
import RTP
import WebRTC

/// Choice of the speakers that a listener hears.
extension Forwarder {
  /// Time after which a pause is announced again, in nanoseconds: a receiver takes a longer silence for an end.
  private static let pauseNanoseconds = 8_000_000_000
  /// Parts of that time: each repeats the pauses of other listeners.
  private static let pauseParts = 8

  /// Takes the level of a packet, and chooses the speakers anew if that is due.
  ///
  /// The packet itself follows: a listener that begins to hear the publisher gets its last 200 ms here.
  func note(
    _ packet: UnsafeRawBufferPointer, _ view: RTPPacketView, sequence: Int, _ user: MediaUser,
    _ channel: MediaChannel, _ format: PacketFormat, _ now: Int
  ) {
    let stream = user.stream
    let level = format.levelIdentifier.flatMap { try? view.audioLevel(identifier: $0, in: packet) }
    stream.activity.note(level, payloadByteCount: view.payloadByteCount, nowNanoseconds: now)
    if channel.isChoiceDue(now) {
      choose(channel, channel.rank(now), now)
      repeatPauses(channel, now)
    }
    stream.held.append(packet, sequence: sequence, nowNanoseconds: now)
  }

  /// Gives each listener its loudest speakers.
  private func choose(_ channel: MediaChannel, _ ranked: [MediaUser], _ now: Int) {
    let isChanged = channel.isChanged
    channel.isChanged = false
    let publishers = Dictionary(ranked.map { ($0.uid, $0) }) { first, _ in first }
    // A listener without a connection hears nobody.
    for listener in channel.users where listener.peer?.address != nil {
      if let chosen = listener.speakers.choose(ranked, listener, isChanged: isChanged) {
        change(listener, to: chosen, publishers, now)
      }
      // Until the signalling has reported, further changes post nothing.
      if listener.speakers.news == .changed, listener.speakers.limit != nil, let peer = listener.peer {
        listener.speakers.news = .noted
        post(.speakers(peer))
      }
    }
  }

  /// Lets a listener hear other speakers.
  private func change(
    _ listener: MediaUser, to chosen: [ForwardingLeg], _ publishers: [UInt32: MediaUser], _ now: Int
  ) {
    for leg in listener.speakers.legs where !chosen.contains(where: { $0 === leg }) {
      leg.isChosen = false
      leg.rewriter.isInterrupted = true
      leg.stream.noteChoice()
      listener.speakers.news.change()
      sendPause(leg, leg.stream, now)
    }
    for leg in chosen where !leg.isChosen {
      leg.isChosen = true
      leg.stream.noteChoice()
      listener.speakers.news.change()
      if let publisher = publishers[leg.publisherUID] { sendHeld(publisher, leg, now) }
    }
    listener.speakers.legs = chosen
  }

  /// Sends the newest packets of a publisher to a listener that begins to hear it, except those that it has.
  private func sendHeld(_ publisher: MediaUser, _ leg: ForwardingLeg, _ now: Int) {
    let format = publisher.peer?.format ?? .conventional
    let last = leg.rewriter.lastSource(ofEpoch: publisher.stream.epoch) ?? .min
    for packet in publisher.stream.held.newest(now) where packet.sequence > last {
      guard let bytes = publisher.stream.held.bytes(of: packet), let view = try? RTPPacketView(parsing: bytes) else {
        continue
      }
      forward(bytes, view, sequence: packet.sequence, format, publisher.stream, leg, now)
    }
  }

  // MARK: Pauses

  /// Announces again that publishers are silent to listeners that have heard them: a part of the listeners in each
  /// second.
  private func repeatPauses(_ channel: MediaChannel, _ now: Int) {
    let step = Self.pauseNanoseconds / Self.pauseParts
    guard now &- channel.pausedNanoseconds >= step else { return }
    channel.pausedNanoseconds = now
    let part = now / step % Self.pauseParts
    for (index, listener) in channel.users.enumerated()
    where index % Self.pauseParts == part && listener.speakers.limit != nil {
      for publisher in channel.users {
        guard let leg = listener.legs[publisher.uid], leg.isActive, !leg.isChosen,
          let last = leg.rewriter.lastNanoseconds, now &- last >= Self.pauseNanoseconds - step
        else { continue }
        sendPause(leg, publisher.stream, now)
      }
    }
  }

  /// Announces to a listener that a publisher is silent, with a packet of Opus without a frame: its silence is neither
  /// a loss nor an end.
  ///
  /// Source: RFC 6716, section 3.2.1.
  private func sendPause(_ leg: ForwardingLeg, _ stream: PublishedStream, _ now: Int) {
    guard let address = leg.peer.address, let first = stream.firstByte,
      let numbers = leg.rewriter.makePause(backNanoseconds: HeldPackets.nanoseconds, nowNanoseconds: now)
    else { return }
    let header = RTPHeader(
      marker: false, payloadType: leg.format.payloadType, sequenceNumber: numbers.sequenceNumber,
      timestamp: numbers.timestamp, ssrc: leg.ssrc)
    guard let start = try? header.write(to: memory) else { return }
    memory[start] = first & 0xFC
    guard let byteCount = leg.protect(memory, byteCount: start + 1) else { return }
    let datagram = UnsafeRawBufferPointer(rebasing: memory[..<byteCount])
    leg.note(datagram, sequenceNumber: numbers.sequenceNumber, payloadByteCount: 1, nowNanoseconds: now)
    counters.pauses += 1
    send(datagram, address, leg.peer.local)
  }
}
