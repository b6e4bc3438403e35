import Glibc

/// Adds noise of a given strength to utterances.
public enum NoiseMaker {
  /// What the noise is like.
  public enum Kind: String, Sendable, CaseIterable {
    case white, babble
  }

  /// The utterance in noise whose power lies `decibels` below the voiced parts'.
  public static func add(_ kind: Kind, decibels: Double, to clean: Utterance, seed: UInt64) -> Utterance {
    var noise = kind == .white ? white(clean, seed) : babble(clean, seed)
    let power = noise.reduce(0) { $0 + Double($1) * Double($1) } / Double(noise.count)
    let gain = Float((clean.voicedPower / power * pow(10, -decibels / 10)).squareRoot())
    for index in noise.indices { noise[index] = clean.samples[index] + gain * noise[index] }
    var result = clean
    result.samples = noise
    return result
  }

  private static func white(_ clean: Utterance, _ seed: UInt64) -> [Float] {
    var random = CorpusRandom(seed: seed)
    return (0..<clean.samples.count).map { _ in Float(random.noise()) }
  }

  /// Ten other voices.
  private static func babble(_ clean: Utterance, _ seed: UInt64) -> [Float] {
    var sum = [Float](repeating: 0, count: clean.samples.count)
    for index in 0..<10 {
      var speaker = Speaker.all[(index * 3 + 1) % Speaker.all.count]
      speaker.hertz *= 1.07
      let seconds = Double(clean.samples.count) / Double(clean.sampleRate) + 0.001
      let voice = VoiceGenerator(speaker, sampleRate: clean.sampleRate, seed: seed &* 31 &+ UInt64(index))
        .speak(seconds: seconds)
      for sample in 0..<min(sum.count, voice.samples.count) { sum[sample] += voice.samples[sample] }
    }
    return sum
  }
}
