public import Engine
public import OpusCodec

/// Something that happened in a simulated call.
public struct CallEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// An event of the script, by its index; `refusal` says why nothing came of it, where that is so.
    case script(Int, ScriptAction, refusal: String?)
    /// Reports have changed how a user's voice is sent.
    case sending(OpusOptions, user: UInt32)
    /// What a user's pipeline told; 0 is the listener who says nothing.
    case pipeline(PipelineEvent.Kind, user: UInt32)
  }

  /// When, in nanoseconds of the call.
  public let nanoseconds: Int
  /// What.
  public let kind: Kind

  /// When, in seconds of the call.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}
