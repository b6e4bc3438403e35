/// The voices that accuracy is measured with: eight speakers from 70 to 500 Hz.
public struct SpokenCorpus: Sendable {
  /// What is heard beside the voice.
  public struct Condition: Sendable, Hashable {
    /// How a report calls it.
    public let name: String
    let noise: NoiseMaker.Kind?
    let decibels: Double

    /// Whether the noise is other voices.
    public var isBabble: Bool { noise == .babble }

    /// Nothing.
    public static let clean = Condition(name: "clean", noise: nil, decibels: 0)

    /// Noise whose power lies so many dB below the voiced parts'.
    public static func noise(_ kind: NoiseMaker.Kind, decibels: Double) -> Condition {
      Condition(name: "\(kind.rawValue) \(Int(decibels)) dB", noise: kind, decibels: decibels)
    }
  }

  /// One for each speaker.
  public let utterances: [Utterance]

  /// Lets each speaker speak for so long; the same in every run.
  public init(seconds: Double, sampleRate: Int, in condition: Condition) {
    utterances = Speaker.all.enumerated().map { index, speaker in
      let clean = VoiceGenerator(speaker, sampleRate: sampleRate, seed: UInt64(1 + index)).speak(seconds: seconds)
      guard let noise = condition.noise else { return clean }
      return NoiseMaker.add(
        noise, decibels: condition.decibels, to: clean, seed: (noise == .white ? 77 : 78) + UInt64(index))
    }
  }

  /// Scores what `track` says of every utterance: rows of seconds and Hz.
  public func score(_ track: (Utterance) -> [(seconds: Double, hertz: Float)]) -> PitchScore {
    var score = PitchScore()
    for utterance in utterances {
      for row in track(utterance) { score.compare(row.hertz, with: utterance.hertz(at: row.seconds)) }
    }
    return score
  }
}
