import Glibc
import VoiceCorpus

/// Voices as they reach a microphone: clean, in noise, through bad lines, in a room.
enum TrainingSounds {
  struct Sound {
    let utterance: Utterance
    /// How much each of its windows counts.
    let weight: Double
  }

  static let speakerCount = voiceCount + highVoices.count + creakingVoices.count
  /// Speakers from 80 to 422 Hz.
  private static let voiceCount = 12
  /// Pitches of children's and sopranos' high voices, in Hz. Their windows count half: such voices are rare, and with
  /// their full weight more of the other voices in noise were taken for an octave more.
  private static let highVoices = [540.0, 690, 880]
  /// Pitches of low voices that creak, in Hz: of uneven cycles, between which the formants ring.
  private static let creakingVoices = [72.0, 90]

  static func all(speaker index: Int) -> [Sound] {
    var random = CorpusRandom(seed: 900 + UInt64(index))
    let ordinary = (0..<voiceCount).map { 80 * exp2(Double($0) / 11 * 2.4) }
    let isHigh = (voiceCount..<voiceCount + highVoices.count).contains(index)
    var speaker = Speaker(hertz: (ordinary + highVoices + creakingVoices)[index])
    if isHigh { speaker.highestHertz = 1_080 }
    speaker.jitter = random.uniform(0.003, 0.015)
    speaker.shimmer = random.uniform(0.02, 0.12)
    speaker.breath = random.uniform(0.01, 0.08)
    speaker.formantScale *= random.uniform(0.95, 1.1)
    if index >= voiceCount + highVoices.count { (speaker.jitter, speaker.shimmer) = (0.03, 0.2) }
    let seed = 500 + UInt64(index)
    let clean = VoiceGenerator(speaker, sampleRate: 48_000, seed: seed).speak(seconds: 15)
    var sounds = [Sound(utterance: clean, weight: 2)]
    func add(_ weight: Double, _ change: (inout [Float]) -> Void) {
      var utterance = clean
      change(&utterance.samples)
      sounds.append(Sound(utterance: utterance, weight: weight))
    }
    func add(_ kind: NoiseMaker.Kind, _ decibels: Double, _ weight: Double) {
      let noisy = NoiseMaker.add(kind, decibels: decibels, to: clean, seed: seed + (kind == .white ? 77 : 78))
      sounds.append(Sound(utterance: noisy, weight: weight))
    }
    add(.white, 20, 1)
    add(.white, 10, 1)
    add(.white, 5, 0.5)
    add(.white, 0, 1)
    add(.babble, 20, 0.7)
    add(.babble, 10, 0.5)
    add(0.7, telephone)
    add(0.3) { for index in $0.indices { $0[index] = max(-0.06, min(0.06, $0[index])) } }
    add(0.3) {
      for index in $0.indices { $0[index] += 0.3 + 0.01 * Float(sin(2 * Double.pi * 50 * Double(index) / 48_000)) }
    }
    let pole = [0.999, 0.995, 0.99, 0.98, 0.95, 0.9][index % 6]
    add(0.5) { addBrown(&$0, pole: 0.98, power: clean.voicedPower / 15, seed: seed + 1) }
    add(0.4) { addBrown(&$0, pole: pole, power: clean.voicedPower / 5, seed: seed + 2) }
    add(0.4) { addRoom(&$0, seed: seed + 3) }
    sounds.append(Sound(utterance: withoutPauses(clean), weight: 0.4))
    var brown = [Float](repeating: 0, count: 192_000)
    addBrown(&brown, pole: pole, power: 1e-3, seed: seed + 4)
    sounds.append(silence(brown, weight: 0.6))
    sounds.append(silence((0..<192_000).map { _ in Float(0.05 * random.noise()) }, weight: 0.3))
    return isHigh ? sounds.map { Sound(utterance: $0.utterance, weight: $0.weight / 2) } : sounds
  }

  /// Noise alone.
  private static func silence(_ samples: [Float], weight: Double) -> Sound {
    let truth = [Float](repeating: 0, count: samples.count / 48)
    return Sound(utterance: Utterance(sampleRate: 48_000, samples: samples, truth: truth), weight: weight)
  }

  private static func withoutPauses(_ clean: Utterance) -> Utterance {
    var (samples, truth): ([Float], [Float]) = ([], [])
    for (millisecond, hertz) in clean.truth.enumerated() where hertz > 0 {
      truth.append(hertz)
      samples += clean.samples[millisecond * 48..<(millisecond + 1) * 48]
    }
    return Utterance(sampleRate: 48_000, samples: samples, truth: truth)
  }

  /// Noise of first order, falling by 6 dB an octave above its pole.
  private static func addBrown(_ samples: inout [Float], pole: Double, power: Double, seed: UInt64) {
    var random = CorpusRandom(seed: seed)
    var value = 0.0
    let gain = (power * (1 - pole * pole)).squareRoot()
    for index in samples.indices {
      value = pole * value + gain * random.noise()
      samples[index] += Float(value)
    }
  }

  /// 300 to 3400 Hz, with 12 dB an octave at either end: each half twice.
  private static func telephone(_ samples: inout [Float]) {
    var (low, band, high, slow) = (0.0, 0.0, 0.0, 0.0)
    let (upper, lower) = (1 - exp(-2 * Double.pi * 3_400 / 48_000), 1 - exp(-2 * Double.pi * 300 / 48_000))
    for index in samples.indices {
      low += upper * (Double(samples[index]) - low)
      band += upper * (low - band)
      high += lower * (band - high)
      let first = band - high
      slow += lower * (first - slow)
      samples[index] = Float(first - slow)
    }
  }

  /// Forty echoes within 100 ms, falling as in a small room.
  private static func addRoom(_ samples: inout [Float], seed: UInt64) {
    var random = CorpusRandom(seed: seed)
    let dry = samples
    for _ in 0..<40 {
      let delay = Int(random.uniform(100, 4_800))
      let gain = Float(0.12 * random.noise() * exp(-3 * Double(delay) / 4_800))
      for index in delay..<samples.count { samples[index] += gain * dry[index - delay] }
    }
  }
}
