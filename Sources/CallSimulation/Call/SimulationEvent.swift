public import Calls
public import Engine
public import OpusCodec
public import Signalling

/// An event in a simulated call.
public struct SimulationEvent: Hashable, Sendable {
  /// Kind of an event.
  public enum Kind: Hashable, Sendable {
    /// An event of the script, by its index; `refusal` is the reason why it had no effect, nil if it had one.
    case script(Int, ScriptAction, refusal: String?)
    /// A change of a user's voice settings, caused by reports.
    case sending(OpusOptions, user: UInt32)
    /// An event of a user's pipeline; user 0 is the silent listener.
    case pipeline(PipelineEvent.Kind, user: UInt32)
    /// An event of a user in a channel of the relay; user 0 is the silent listener.
    case channel(ChannelEvent, user: UInt32, channel: ChannelName)
    /// News of a user's one-to-one calls.
    case calls(CallNews, user: UInt32)
  }

  /// Time, in nanoseconds of the call.
  public let nanoseconds: Int
  /// Kind of the event.
  public let kind: Kind

  /// Time, in seconds of the call.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension PipelineEvent.Kind {
  /// Whether a call does not log the event: its result has levels, and names the files.
  var isLeftOut: Bool {
    switch self {
    case .volumes, .recordingStarted: true
    default: false
    }
  }
}
