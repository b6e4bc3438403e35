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
}
