/// Limits of messages in version 1 of the protocol. A reader refuses a message beyond them.
public enum MessageLimits {
  /// Speakers that a client asks for.
  public static let speakerCount: UInt32 = 65_535
  /// Length of a message, in bytes of UTF-8.
  public static let messageByteCount = 65_536
  /// Longest message before the answer to `hello`, in bytes.
  public static let helloByteCount = 16_384
  /// Length of a token, in bytes.
  public static let tokenByteCount = TokenVerifier.maximumByteCount
  /// Length of a resume token, in bytes.
  public static let resumeByteCount = 1_024
  /// Length of a session's id, in bytes.
  public static let sessionByteCount = 64
  /// Length of `info`, in bytes.
  public static let infoByteCount = 1_024
  /// Length of a software's name, in bytes.
  public static let softwareByteCount = 128
  /// Length of a session description, in bytes.
  public static let sdpByteCount = 32_768
  /// Candidates of a transport.
  public static let candidateCount = 32
  /// Users in one message.
  public static let userCount = 512
  /// Limits in `welcome`.
  public static let limitCount = 32
  /// Length of a limit's name or setting, in bytes.
  public static let limitTextByteCount = 128
  /// Relays in `moveTo`.
  public static let relayCount = 16
  /// Length of a relay's address, in bytes.
  public static let relayByteCount = 256
  /// Findings of a diagnosis.
  public static let findingCount = 512
  /// Length of a sentence, in bytes.
  public static let sentenceByteCount = 1_024
  /// Length of the body of a message to a user, in bytes.
  public static let bodyByteCount = 16_384
  /// Times and durations, in ms: whole numbers that every JSON reader keeps.
  public static let milliseconds: ClosedRange<Int64> = 0...(1 << 53)
  /// Value of a named limit.
  public static let limitValue = milliseconds
}
