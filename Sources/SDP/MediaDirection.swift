/// Who sends, from the point of view of whoever wrote the description.
public enum MediaDirection: String, Sendable, CaseIterable {
  /// Both; what holds when nothing is said.
  case sendAndReceive = "sendrecv"
  /// The writer.
  case sendOnly = "sendonly"
  /// The reader.
  case receiveOnly = "recvonly"
  /// Nobody for now.
  case inactive
}
