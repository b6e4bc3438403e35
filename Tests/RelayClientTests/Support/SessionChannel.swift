import Platform
import RTP
import RelayClient
import WebRTC

/// A channel of a user, its events and its packets.
final class SessionChannel {
  let membership: ChannelMembership
  unowned let user: SessionUser
  let media: RigMedia
  /// Preload that the channel has borrowed.
  private var preload: SessionPreload?
  /// Events, each with its time in ms.
  private(set) var log: [String] = []
  private(set) var events: [ChannelEvent] = []
  /// Payloads of the packets that have come, in order.
  private(set) var payloads: [[UInt8]] = []
  private var sequenceNumber: UInt16 = 0
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  init(_ membership: ChannelMembership, of user: SessionUser, _ media: RigMedia, preload: SessionPreload?) {
    self.membership = membership
    self.user = user
    self.media = media
    self.preload = preload
    media.receive = { [unowned self] in
      receive($0, from: $1, $2)
      user.hasNews = true
    }
  }

  deinit { memory.deallocate() }

  func forget() { (log, events, payloads) = ([], [], []) }

  /// Sends a packet with a payload to the others of the channel.
  func send(_ payload: [UInt8], _ now: Int) {
    guard let ssrc = membership.ownSSRC else { return }
    sequenceNumber &+= 1
    let plain: [UInt8] =
      [0x80, 111, UInt8(sequenceNumber >> 8), UInt8(sequenceNumber & 255), 0, 0, 0, 1]
      + withUnsafeBytes(of: ssrc.bigEndian) { Array($0) } + payload
    memory.copyBytes(from: plain)
    guard let count = membership.protect(memory, byteCount: plain.count, isRTCP: false, nowNanoseconds: now) else {
      return
    }
    media.send(Array(memory[..<count]))
  }

  private func receive(_ bytes: [UInt8], from address: SocketAddress, _ now: Int) {
    memory.copyBytes(from: bytes)
    let media = membership.receive(
      UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: address, nowNanoseconds: now)
    guard case .rtp(let count) = media else { return }
    let packet = UnsafeRawBufferPointer(rebasing: memory[..<count])
    guard let view = try? RTPPacketView(parsing: packet) else { return }
    payloads.append(Array(packet[view.payloadRange]))
  }

  /// - Returns: Whether there were any events.
  func flush(_ now: Int) -> Bool {
    while let datagram = membership.takeDatagram() { media.send(datagram.bytes) }
    defer {
      if membership.isIdle, let preload {
        self.preload = nil
        preload.takeBack(user.makeMedia(), now)
      }
    }
    var isActive = false
    while let event = membership.takeEvent() {
      isActive = true
      events.append(event)
      log.append("\(now / 1_000_000) \(event.summary)")
    }
    return isActive
  }
}
