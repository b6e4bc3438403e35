/// Turns the decisions of a `VoiceActivity` into the beginnings and ends of speech.
public struct SpeechSegmenter: Sendable {
  /// Change of a stream between silence and speech.
  public enum Change: Sendable {
    /// Speech begins with the frame.
    case began
    /// Speech has ended before the frame.
    case ended
  }

  /// Frames of 10 ms without a voice after which speech ends.
  private let endFrameCount: Int
  private var silentFrameCount = 0
  /// Whether somebody speaks, pauses of fewer frames included.
  public private(set) var isSpeech = false

  /// Creates a segmenter in silence.
  ///
  /// - Parameter pause: Longest pause within speech, beyond the hangover of `VoiceActivity`; whole frames of 10 ms.
  public init(pause: Duration) { endFrameCount = max(0, Int((pause / .milliseconds(10)).rounded(.up))) + 1 }

  /// Takes the decision about the next frame of 10 ms.
  ///
  /// - Returns: Change that the frame makes; nil if it makes none.
  public mutating func take(isVoice: Bool) -> Change? {
    silentFrameCount = isVoice ? 0 : silentFrameCount + 1
    let wasSpeech = isSpeech
    isSpeech = isVoice || (isSpeech && silentFrameCount < endFrameCount)
    return isSpeech == wasSpeech ? nil : isSpeech ? .began : .ended
  }
}
