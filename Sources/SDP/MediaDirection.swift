/// Direction of the packets, from the point of view of the description's author.
public enum MediaDirection: String, Sendable, CaseIterable {
  /// Both directions; the default of a description without a direction.
  case sendAndReceive = "sendrecv"
  /// The author only sends.
  case sendOnly = "sendonly"
  /// The author only receives.
  case receiveOnly = "recvonly"
  /// No packets for now.
  case inactive

  /// Creates a direction from its halves.
  public init(sends: Bool, receives: Bool) {
    self = sends ? (receives ? .sendAndReceive : .sendOnly) : (receives ? .receiveOnly : .inactive)
  }

  /// Whether the description's author sends packets.
  public var sends: Bool { self == .sendAndReceive || self == .sendOnly }

  /// Whether the description's author receives packets.
  public var receives: Bool { self == .sendAndReceive || self == .receiveOnly }

  /// The same packets from the point of view of the description's reader.
  public var reversed: MediaDirection { MediaDirection(sends: receives, receives: sends) }

  /// Returns the packets that both directions allow.
  public func intersection(_ other: MediaDirection) -> MediaDirection {
    MediaDirection(sends: sends && other.sends, receives: receives && other.receives)
  }
}
