import RTP

/// Everything that can be asked of a packet, whatever it is.
enum RTCPReading {
  /// Asks for all of it, and for what is one further than there is.
  static func readEverything(_ packet: RTCPPacketView) {
    _ = try? packet.senderSSRC()
    _ = try? packet.senderReport()
    for index in -1...packet.count {
      _ = try? packet.reportBlock(index)
      _ = try? packet.leavingSSRC(index)
    }
    if let reason = try? packet.leavingReason() { precondition(reason.count <= 255) }
    _ = try? packet.nackedSSRC()
    for index in -1...((try? packet.nackPairCount()) ?? 0) { _ = try? packet.nackPair(index) }
    if var items = try? SourceDescriptionReader(packet) {
      while let item = try? items.next() { precondition(item.text.count <= 255) }
    }
  }
}
