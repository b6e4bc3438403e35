/// Loudness of a publisher by the levels of its packets, for the choice of speakers.
///
/// A second packet confirms a loud one, so that a click is not a speaker. Then the loudness falls by 100 dB a second.
/// For 2 s it stays at that of a quiet voice: in a pause of a speaker others can speak, and noise takes no place.
///
/// A claimed level is not trusted without a payload that fits: packets of the size of silence count as silent, and a
/// level that never moves ranks last.
///
/// Thread: one at a time. Source: RFC 6464 for levels.
package struct SpeakerActivity {
  /// Loudness of a voice close to the microphone: a louder claim gains nothing.
  private static let loudest = 107
  /// Loudness from which a publisher counts as speaking.
  private static let spoken = 70
  /// Loudness of a speaker in a pause, and the longest pause in nanoseconds.
  private static let pausing = 75.0
  private static let pauseNanoseconds = 2_000_000_000
  /// Loudness that is lost within a word, and the time of that, in nanoseconds.
  private static let syllable = 15.0
  private static let syllableNanoseconds = 100_000_000
  /// Loudness of a packet without a level, by its size.
  private static let unknown = 50
  /// Bytes of a payload of silence, at most.
  private static let silentByteCount = 10
  private static let decibelsPerSecond = 100.0
  /// Time in which an honest level moves.
  private static let windowNanoseconds = 1_000_000_000
  private static let windowCount = 5
  /// Movement up to which a level counts as constant, in dB.
  private static let stillness = 1

  /// Time of the newest packet with speech.
  package private(set) var spokeNanoseconds = Int.min / 2
  private var loudNanoseconds = Int.min / 2
  private var peak = 0.0
  private var peakNanoseconds = 0
  private var previous = 0
  private var window: (start: Int, lowest: Int, highest: Int, count: Int) = (.min / 2, 0, 0, 0)
  private var isFrozen = false

  package init() {}

  /// Notes a packet. Its level is nil without that header extension.
  package mutating func note(_ level: AudioLevel?, payloadByteCount: Int, nowNanoseconds now: Int) {
    let claimed = level.map { 127 - Int($0.decibelsBelowOverload) }
    if let claimed { noteMovement(claimed, now) }
    let loudness: Int =
      if payloadByteCount <= Self.silentByteCount {
        0
      } else {
        min(claimed ?? Self.unknown, Self.loudest)
      }
    let confirmed = min(loudness, previous)
    previous = loudness
    if confirmed >= Self.spoken { spokeNanoseconds = now }
    if Double(confirmed) >= peak - Self.syllable { loudNanoseconds = now }
    guard Double(confirmed) >= decayed(now) else { return }
    (peak, peakNanoseconds) = (Double(confirmed), now)
  }

  /// Loudness in dB above silence; below 0 for a level that never moves.
  package func loudness(_ now: Int) -> Double {
    guard !isFrozen else { return -1 }
    return max(0, decayed(now), now &- spokeNanoseconds < Self.pauseNanoseconds ? Self.pausing : 0)
  }

  /// Whether the publisher is not in a pause.
  package func isSpeaking(_ now: Int) -> Bool { now &- loudNanoseconds < Self.syllableNanoseconds }

  private func decayed(_ now: Int) -> Double {
    peak - Self.decibelsPerSecond * Double(now &- peakNanoseconds) / 1_000_000_000
  }

  private mutating func noteMovement(_ loudness: Int, _ now: Int) {
    if now &- window.start >= Self.windowNanoseconds {
      // Silence may stand still.
      if window.count >= Self.windowCount {
        isFrozen = window.highest - window.lowest <= Self.stillness && window.highest > 0
      }
      window = (now, loudness, loudness, 0)
    }
    window = (window.start, min(window.lowest, loudness), max(window.highest, loudness), window.count + 1)
    if window.highest - window.lowest > Self.stillness { isFrozen = false }
  }
}
