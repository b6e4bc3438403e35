public import AudioGraph

/// Speed of an offline run; the samples are the same.
public enum Pace: Sendable {
  /// As fast as the machine allows.
  case free
  /// A tick every 10 ms of this clock.
  case clock(any EngineClock)
}
