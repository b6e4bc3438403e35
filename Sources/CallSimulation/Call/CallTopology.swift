/// Connections between the users of a simulated call.
public enum CallTopology: Hashable, Sendable {
  /// A link between any two users.
  case direct
  /// A channel of a relay: signalling, encryption and forwarding are those of a real one. Each user has an uplink to
  /// the relay and a downlink from it.
  case relay
}
