import Engine
import MediaStreams
import OpusCodec
import Platform
import RTP
import Signalling

/// The sent stream of a channel.
extension ChannelMedia {
  /// Packets of the local user so far.
  var sentPacketCount: Int { sent?.packetCount ?? 0 }

  /// Report of the local stream's RTCP session; nil before the first packet.
  var sentReport: RTCPSessionReport? { sent?.report }

  /// Publishes parts of the local sound with an SSRC, or stops; nil: this user must not publish. The packets of an SSRC
  /// that returns continue: to SRTP, lower numbers are repeated packets.
  func setSending(_ wanted: Bool, _ parts: SentParts = .all, ssrc: UInt32?) throws(EngineError) {
    defer { self.parts = parts }
    if let ssrc, let sent, sent.sender.options.ssrc != ssrc {
      stopSending()
      self.sent = nil
    }
    guard wanted, let ssrc else { return stopSending() }
    if isSending {
      if parts != self.parts, let sent { try pipeline.setSentParts(parts, of: sent.sender) }
      return
    }
    let stream = if let sent { sent } else { try makeSent(ssrc) }
    sent = stream
    try pipeline.startSending(through: stream.sender, parts: parts)
    isSending = true
    noteStart(of: stream)
  }

  private func makeSent(_ ssrc: UInt32) throws(EngineError) -> SentStream {
    SentStream(
      try PacketSender(
        SenderOptions(
          codec: options.environment.codec ?? .opus(options.codec),
          channelCount: options.sentChannelCount ?? pipeline.localChannelCount ?? 1, ssrc: ssrc,
          firstSequenceNumber: UInt16(truncatingIfNeeded: random.next()) & 0x7FFF,
          firstTimestamp: UInt32(truncatingIfNeeded: random.next()), sourceID: options.environment.sourceID,
          audioLevelIdentifier: WireConventions.audioLevelIdentifier)), session: makeSession(ssrc, requests: nil),
      adapts: options.environment.adapts)
  }

  /// Whether the local voice has more channels than are sent.
  var needsWiderSender: Bool {
    guard options.sentChannelCount == nil, let sent, let count = pipeline.localChannelCount else { return false }
    return count > sent.sender.options.channelCount
  }

  /// Sends two channels from now on. The packets that wait must have been sent.
  func widenSender(now: Int) throws(EngineError) {
    guard let sent else { return }
    if isSending { try? pipeline.stopSending(through: sent.sender) }
    let sender = try sent.replaceSender(channelCount: 2, nowNanoseconds: now)
    guard isSending else { return }
    isSending = false
    try pipeline.startSending(through: sender, parts: parts)
    isSending = true
    startCount = sender.startCount
  }

  /// Notes that the next packet is a first one: after the start of sending, a mute of the voice or of all audio, and
  /// with the first samples of a program that pushes them.
  private func noteStart(of stream: SentStream) {
    startCount = stream.sender.startCount
    firstPacket = stream.packetCount
    awaitsPush = pipeline.awaitsFirstPush
  }

  /// Notes a start of the sender that another part of the pipeline has caused.
  func noteRestart(of stream: SentStream) {
    if stream.sender.startCount != startCount {
      noteStart(of: stream)
    } else if awaitsPush, !pipeline.awaitsFirstPush {
      awaitsPush = false
      firstPacket = stream.packetCount
    }
  }

  /// Ends the sending; the stream stays for its SSRC.
  func stopSending() {
    guard isSending, let sent else { return }
    isSending = false
    firstPacket = nil
    try? pipeline.stopSending(through: sent.sender)
  }
}
