import NetworkSimulation

/// One direction between two users, for voice and RTCP; counts voice packets sent for the first time.
struct CallLink {
  /// Counters of voice packets, without RTCP and retransmitted packets.
  private(set) var counters = LinkCounters()
  private var link: ImpairedLink<CallPacket>

  init(_ conditions: NetworkConditions, seed: UInt64, identity: LinkIdentity) {
    link = ImpairedLink(conditions, seed: seed, link: identity, startNanoseconds: 0)
  }

  mutating func send(_ packet: CallPacket) {
    let before = link.counters
    link.send(
      packet, byteCount: packet.bytes.count + Bottleneck.headerByteCount, lane: packet.kind == .voice ? .voice : .other,
      nowNanoseconds: packet.sentNanoseconds)
    guard packet.kind == .voice else { return }
    counters.sent += 1
    counters.lost += link.counters.lost - before.lost
    counters.dropped += link.counters.dropped - before.dropped
    counters.duplicated += link.counters.duplicated - before.duplicated
  }

  mutating func receive(nowNanoseconds now: Int) -> Delivery<CallPacket>? {
    let before = link.counters
    guard let delivery = link.receive(nowNanoseconds: now) else { return nil }
    if delivery.datagram.kind == .voice {
      counters.delivered += 1
      counters.reordered += link.counters.reordered - before.reordered
    }
    return delivery
  }

  /// Conditions of the link.
  var conditions: NetworkConditions { link.conditions }

  mutating func change(_ changes: [NetworkChange], nowNanoseconds now: Int) throws {
    link.change(to: try link.conditions.applying(changes), nowNanoseconds: now)
  }
}
