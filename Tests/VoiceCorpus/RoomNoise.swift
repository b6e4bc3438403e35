import Glibc

/// What is heard in a room besides its voices.
public enum RoomNoise: String, Sendable, CaseIterable {
  /// Coloured noise that stays, the tone of the blades with overtones, and the hum of the mains.
  case fan
  /// Five to twelve strokes a second: a knock over the whole band, resonances that die away within 10 ms, a second
  /// knock where the key meets the board, and a weaker one when it is let go.
  case keyboard

  /// Samples with a mean power of 1.
  public func samples(count: Int, sampleRate: Int, seed: UInt64) -> [Float] {
    var random = CorpusRandom(seed: seed)
    let samples =
      switch self {
      case .fan: Self.fan(count, Double(sampleRate), &random)
      case .keyboard: Self.keyboard(count, Double(sampleRate), &random)
      }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(1, count))
    return samples.map { Float($0 / power.squareRoot()) }
  }

  /// An utterance with this noise, whose power lies so many dB below the voiced parts'.
  public func added(to clean: Utterance, decibels: Double, seed: UInt64) -> Utterance {
    let noise = samples(count: clean.samples.count, sampleRate: clean.sampleRate, seed: seed)
    let gain = Float((clean.voicedPower * pow(10, -decibels / 10)).squareRoot())
    var result = clean
    for index in noise.indices { result.samples[index] += gain * noise[index] }
    return result
  }

  private static func fan(_ count: Int, _ rate: Double, _ random: inout CorpusRandom) -> [Double] {
    let hertz = random.uniform(110, 150)
    let tones = [(hertz, 0.5), (2 * hertz, 0.35), (3 * hertz, 0.2), (5 * hertz, 0.1), (50, 0.25), (100, 0.3)]
    let keep = exp(-2 * Double.pi * 220 / rate)
    var low = 0.0
    return (0..<count).map { index in
      let white = random.noise()
      low = keep * low + white
      let time = Double(index) / rate
      let hum = tones.reduce(0) { $0 + $1.1 * sin(2 * Double.pi * $1.0 * time + 0.3 * sin(4.4 * time)) }
      return low * (1 - keep * keep).squareRoot() + 0.2 * white + hum
    }
  }

  private static func keyboard(_ count: Int, _ rate: Double, _ random: inout CorpusRandom) -> [Double] {
    var sum = [Double](repeating: 0, count: count)
    var time = 0.05
    while time * rate < Double(count) {
      let strength = pow(10, random.uniform(-6, 6) / 20)
      knock(&sum, at: time, strength, rate, &random)
      knock(&sum, at: time + random.uniform(0.004, 0.012), strength * random.uniform(0.2, 0.8), rate, &random)
      knock(&sum, at: time + random.uniform(0.06, 0.12), strength * random.uniform(0.15, 0.5), rate, &random)
      time += 1 / random.uniform(5, 12)
    }
    return sum
  }

  private static func knock(
    _ sum: inout [Double], at time: Double, _ strength: Double, _ rate: Double, _ random: inout CorpusRandom
  ) {
    let first = Int(time * rate)
    let decay = random.uniform(0.001_5, 0.005)
    let resonances = (0..<4).map { _ in
      (random.uniform(300, 7_000), random.uniform(0.003, 0.01), random.uniform(0.2, 0.9), random.uniform(0, 6.28))
    }
    for index in 0..<Int(0.04 * rate) where first + index < sum.count {
      let age = Double(index) / rate
      var value = 0.9 * exp(-age / decay) * random.noise()
      for (hertz, length, share, phase) in resonances where hertz < 0.45 * rate {
        value += share * exp(-age / length) * sin(2 * Double.pi * hertz * age + phase)
      }
      sum[first + index] += strength * value * min(1, age / 0.000_5)
    }
  }
}
