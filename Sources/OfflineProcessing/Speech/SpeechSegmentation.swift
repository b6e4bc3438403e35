import Platform

/// Settings for dividing a sound into segments of speech.
///
///     voice activity   ▁▁▁███▁███▁▁▁▁▁▁▁█▁▁▁▁▁▁███████▁▁▁
///     segments           [───────]            [───────]      a pause joined, a click left out, padding added
public struct SpeechSegmentation: Hashable, Sendable {
  /// Longest pause within a segment.
  ///
  /// It counts from the end of voice activity, which is 90 to 180 ms behind the end of a word (`VoiceActivity`).
  public var longestPause = Duration.milliseconds(300)
  /// Shortest speech that makes a segment, from the beginning to the end of voice activity, without padding.
  public var shortestSegment = Duration.milliseconds(200)
  /// Sound that a segment has before and behind its speech. Two neighbors share a gap that is too short for both, and
  /// nothing lies outside the sound.
  public var padding = Duration.milliseconds(100)

  /// Least share of a segment's frames that belong to steady sound, 0 to 1; 0 keeps everything.
  ///
  /// Steady are 110 ms and more that stay within 10 dB of the loudest moment around them: vowels, fricatives, whispers.
  /// Keystrokes, knocks and clicks fade before that.
  public var leastSteadyShare = 0.08

  /// Creates settings for speech that is cut for data sets.
  public init() {}

  /// - Throws: `.invalidArgument` for a negative duration, or a share outside 0 to 1.
  func check() throws(EngineError) {
    guard (0...1).contains(leastSteadyShare) else {
      throw EngineError(.invalidArgument, "leastSteadyShare of speech segments is \(leastSteadyShare); use 0 to 1")
    }
    for (name, duration) in [
      ("longestPause", longestPause), ("shortestSegment", shortestSegment), ("padding", padding),
    ] where duration < .zero {
      throw EngineError(.invalidArgument, "\(name) of speech segments is \(duration); use 0 or more")
    }
  }
}
