import Platform
import RTP

/// Packets of users that are heard in other channels, too.
extension Forwarder {
  /// Time between two looks at the loss of a relayed user's listeners, in nanoseconds.
  private static let lookNanoseconds = 1_000_000_000

  /// Passes a packet of a user on to the forwarders of its other channels, in the conventional format.
  func relay(
    _ packet: UnsafeRawBufferPointer, _ view: RTPPacketView, sequence: Int, _ user: MediaUser,
    _ format: PacketFormat, _ now: Int
  ) {
    let header = RTPHeader(
      marker: view.header.marker, payloadType: view.header.payloadType, sequenceNumber: view.header.sequenceNumber,
      timestamp: view.header.timestamp, ssrc: 0)
    guard let byteCount = write(packet, view, format, header, .conventional) else { return }
    let written = UnsafeRawBufferPointer(rebasing: memory[..<byteCount])
    for link in user.links {
      let packets = link.destination.relayedPackets
      guard let waiting = packets.append(written, of: link, sequence: sequence, epoch: user.stream.epoch) else {
        counters.overflownRelayedPackets += 1
        continue
      }
      counters.relayedPackets += 1
      if waiting == 0, link.destination !== self { link.destination.onRelayedPacket?() }
    }
    takeRelayedPackets(nowNanoseconds: now)
  }

  /// Forwards the packets of other channels' users that wait.
  func takeRelayedPackets(nowNanoseconds now: Int) {
    guard !relayedPackets.isEmpty else { return }
    relayedPackets.takeAll { entry, packet in
      lock.pass()
      guard let relayed = relayedUsers[entry.link], let view = try? RTPPacketView(parsing: packet) else { return }
      let user = relayed.user
      guard user.publishes, !user.isMuted else { return }
      user.stream.receiveRelayed(epoch: entry.epoch, nowNanoseconds: now)
      forward(packet, view, sequence: entry.sequence, user, .conventional, now)
      if now &- relayed.lookNanoseconds >= Self.lookNanoseconds {
        relayed.lookNanoseconds = now
        relayed.link.loss = user.stream.listenersLoss([], now)
      }
    }
  }
}
