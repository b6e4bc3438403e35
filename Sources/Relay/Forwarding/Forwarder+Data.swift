import DataStreams
import NetworkIO
import Platform
import RTP
import SRTP
import Signalling
import WebRTC

/// Messages of data streams: each goes to all users of the channel that take messages.
extension Forwarder {
  /// Size of the longest packet with a message, in bytes.
  private static let largestByteCount = RTPHeader.byteCount + DataMessageHeader.byteCount + DataLimits.messageByteCount

  /// Takes a packet with a message. One without the right is dropped before its decryption.
  func receive(
    message datagram: UnsafeMutableRawBufferPointer, _ header: RTPHeader, from source: SocketAddress,
    _ user: MediaUser, _ data: MediaData, _ peer: MediaPeer, _ now: Int
  ) {
    guard datagram.count <= Self.largestByteCount + SRTPSuite.aeadAES128GCM.rtpOverhead,
      case .rtp(let byteCount) = peer.transport.receive(datagram, from: source, nowNanoseconds: now)
    else {
      counters.refusedDatagrams += 1
      return
    }
    user.heardNanoseconds = now
    let number = data.gaps.receive(header.sequenceNumber, nowNanoseconds: now)
    schedule(peer)
    let packet = UnsafeMutableRawBufferPointer(rebasing: datagram[..<byteCount])
    guard header.payloadType == WireConventions.dataPayloadType,
      let view = try? RTPPacketView(parsing: UnsafeRawBufferPointer(packet)),
      var message = DataMessageHeader(UnsafeRawBufferPointer(rebasing: packet[view.payloadRange]))
    else {
      counters.malformedPackets += 1
      return
    }
    guard data.allows(now) else {
      counters.limitedMessages += 1
      return
    }
    counters.dataMessages += 1
    let payload = UnsafeMutableRawBufferPointer(rebasing: packet[view.payloadRange])
    // Nobody names itself.
    message.uid = user.uid
    message.mayFollowEarlier = data.gaps.lowestMissing.map { $0 < number } ?? false
    message.write(to: payload)
    guard let channel = user.channel else { return }
    for listener in channel.users where listener !== user {
      guard let data = listener.data, data.mayReceive else { continue }
      guard channel.allowsMessage(now) else {
        counters.limitedMessages += 1
        continue
      }
      send(UnsafeRawBufferPointer(payload), isReliable: message.isReliable, data, now)
    }
  }

  /// Sends a message to a listener.
  private func send(_ payload: UnsafeRawBufferPointer, isReliable: Bool, _ data: MediaData, _ now: Int) {
    guard let address = data.peer.address else { return }
    let number = data.history.takeNumber()
    let header = RTPHeader(messageNumber: number, ssrc: data.listenerSSRC, nowNanoseconds: now)
    guard let start = try? header.write(to: memory) else { return }
    UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyMemory(from: payload)
    guard let byteCount = data.protect(memory, byteCount: start + payload.count) else { return }
    let datagram = UnsafeRawBufferPointer(rebasing: memory[..<byteCount])
    if isReliable {
      data.history.keep(datagram, number: number, nowNanoseconds: now)
      schedule(data.peer)
    }
    counters.forwardedMessages += 1
    send(datagram, address, data.peer.local)
  }

  /// Answers a request of a listener.
  func resend(_ pair: NackPair, _ data: MediaData, _ now: Int) {
    guard let address = data.peer.address else { return }
    data.history.answer(pair, limit: limits.retransmissionsPerSecond, nowNanoseconds: now) { packet in
      counters.retransmitted += 1
      send(packet, address, data.peer.local)
    }
  }

  /// Requests the missing messages of a user, and repeats the last one to it.
  func repair(_ data: MediaData, _ now: Int) {
    guard let address = data.peer.address else { return }
    if let packet = data.history.takeRepetition(nowNanoseconds: now) {
      counters.retransmitted += 1
      send(packet, address, data.peer.local)
    }
    let byteCount = data.gaps.writeRequests(
      from: data.peer.relaySSRC, for: data.ssrc, into: memory, nowNanoseconds: now,
      roundTripNanoseconds: data.peer.roundTripNanoseconds)
    if byteCount > 0 { sendReport(byteCount, data.peer, address) }
  }
}
