/// Result of a call to an agent: datagrams to send, in this order, and changes.
public struct ICEOutput: Hashable, Sendable {
  /// Datagrams to send.
  public internal(set) var datagrams: [ICEDatagram] = []
  /// Changes, the oldest first.
  public internal(set) var events: [ICEEvent] = []
}
