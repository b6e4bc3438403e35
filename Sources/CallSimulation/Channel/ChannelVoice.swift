import NetworkSimulation

/// One user's voice at a listener in a channel: its stream, and the counters of its packets.
struct ChannelVoice {
  let stream: CallStream
  private(set) var link = LinkCounters()

  init(_ stream: CallStream) { self.stream = stream }

  /// Notes a packet that is sent to the listener, or lost on its way to the relay.
  ///
  /// - Parameter effect: The link's counters of this packet alone.
  mutating func note(_ packet: CallPacket, timestamp: UInt32? = nil, effect: LinkCounters) {
    stream.note(packet, timestamp: timestamp, isLost: effect.lost + effect.dropped > 0)
    link.sent += 1
    link.lost += effect.lost
    link.dropped += effect.dropped
    link.duplicated += effect.duplicated
  }

  /// Notes a packet that has arrived at the listener.
  mutating func noteArrival(_ effect: LinkCounters) {
    stream.noteArrival()
    link.delivered += 1
    link.reordered += effect.reordered
  }
}
