import NetworkSimulation

/// One user's voice at a listener in a channel: its stream, and the counters of its packets.
struct ChannelVoice {
  let stream: CallStream
  private(set) var link = LinkCounters()

  init(_ stream: CallStream) { self.stream = stream }

  /// Notes a packet that is sent to the listener, or lost on its way to the relay.
  mutating func note(_ packet: CallPacket, timestamp: UInt32? = nil, isLost: Bool) {
    stream.note(packet, timestamp: timestamp, isLost: isLost)
    link.sent += 1
    if isLost { link.lost += 1 }
  }

  /// Notes a packet that has arrived at the listener.
  mutating func noteArrival() {
    stream.noteArrival()
    link.delivered += 1
  }
}
