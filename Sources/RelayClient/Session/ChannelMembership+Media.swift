package import Platform
import RTP
import Signalling
package import WebRTC

/// Datagrams of a membership.
extension ChannelMembership {
  /// Address for packets; nil before it is known.
  package var remoteAddress: SocketAddress? { transport?.remoteAddress }

  /// Whether packets can be sent.
  package var canSend: Bool { isTransportReady && transport?.isConnected == true }

  /// Takes a datagram.
  ///
  /// - Parameter datagram: The datagram; a packet is decrypted in place.
  package func receive(
    _ datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, nowNanoseconds now: Int
  ) -> ReceivedMedia {
    guard let transport = usedTransport else { return .nothing }
    let media = transport.receive(datagram, from: source, nowNanoseconds: now)
    if media != .nothing, isTransportReady { times.heard = max(times.heard, now) }
    noteAnswers(now)
    takeTransportEvents(now)
    switch media {
    case .nothing: break
    case .rtp(let count), .rtcp(let count):
      let bytes = UnsafeRawBufferPointer(rebasing: datagram[..<count])
      if takeData(bytes, isRTCP: media == .rtcp(byteCount: count), now) { return .nothing }
    }
    return media
  }

  /// Encrypts a packet in place; `memory` holds it and 64 bytes more.
  ///
  /// - Returns: Bytes of the datagram; nil if it cannot be sent.
  package func protect(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int, isRTCP: Bool, nowNanoseconds now: Int
  ) -> Int? {
    guard isTransportReady, let transport else { return nil }
    let count =
      isRTCP
      ? transport.protectRTCP(memory, byteCount: byteCount) : transport.protect(memory, byteCount: byteCount)
    if count != nil { times.sentPacket = now }
    return count
  }

  func takeTransportEvents(_ now: Int) {
    while let event = transport?.takeEvent() {
      switch event {
      case .connected: if phase == .connecting { succeed(now) }
      case .moved: break
      case .failed:
        let wasReady = isTransportReady
        dropTransport()
        if phase == .connected { rejoin(now) } else if !wasReady, phase != .leaving { retry(now) }
      }
    }
  }

  /// Transport of a join: another one, or that of the preload; nil if the answer has no usable address, or if the
  /// preload was lost while the relay answered.
  func makeTransport(_ answer: JoinedAnswer, _ now: Int) -> MediaTransport? {
    let preloaded = preload?.takeLentTransport()
    guard case .transport(let parameters) = answer.media else { return nil }
    mediaAddress = parameters.candidates.lazy.compactMap { SocketAddress(host: $0.address, port: $0.port) }.first
    guard !answer.preloaded else { return preloaded }
    if let preloaded { close(preloaded, now) }
    return MediaTransport(to: parameters, credentials, certificate, now)
  }
}
