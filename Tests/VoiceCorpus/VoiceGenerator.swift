import Glibc

/// Speaks nonsense with a known pitch: pulses of vocal folds through moving formants, hiss, and pauses.
///
/// A phrase is two to five stretches with voice, between them hiss or short pauses, and a longer pause after it. The
/// pitch glides, with vibrato in some stretches. Voice begins within 8 to 25 ms and ends within 20 to 60 ms. Half of
/// the longer stretches are interrupted as by a voiced consonant: by the faint hum behind closed lips, or by voice with
/// hiss.
public struct VoiceGenerator {
  private enum Kind { case voice, hiss, pause }

  private let speaker: Speaker
  private let sampleRate: Double
  private var random: CorpusRandom
  private var formants = [Resonator](repeating: Resonator(), count: 5)
  private var hissFilter = Resonator()
  private var samples: [Float] = []
  private var truth: [Float] = []

  /// - Parameter sampleRate: in Hz, a multiple of 1000.
  public init(_ speaker: Speaker, sampleRate: Int, seed: UInt64) {
    precondition(sampleRate % 1_000 == 0, "the truth has a row for each millisecond")
    self.speaker = speaker
    self.sampleRate = Double(sampleRate)
    random = CorpusRandom(seed: seed)
  }

  /// Speaks for so long.
  public consuming func speak(seconds: Double) -> Utterance {
    let count = Int(seconds * 1_000)
    truth.reserveCapacity(count + 1_000)
    samples.reserveCapacity((count + 1_000) * Int(sampleRate) / 1_000)
    add(.pause, milliseconds: 120)
    while truth.count < count {
      let stretches = 2 + Int(random.uniform(0, 4))
      for _ in 0..<stretches {
        add(.voice, milliseconds: Int(random.uniform(120, 700)))
        let choice = random.uniform(0, 1)
        if choice < 0.5 {
          add(.hiss, milliseconds: Int(random.uniform(40, 160)))
        } else if choice < 0.8 {
          add(.pause, milliseconds: Int(random.uniform(30, 90)))
        }
      }
      add(.pause, milliseconds: Int(random.uniform(150, 500)))
    }
    let rate = Int(sampleRate)
    return Utterance(
      sampleRate: rate, samples: Array(samples[..<(count * rate / 1_000)]), truth: Array(truth[..<count]))
  }

  private mutating func add(_ kind: Kind, milliseconds: Int) {
    switch kind {
    case .voice: addVoice(milliseconds: milliseconds)
    case .hiss: addHiss(milliseconds: milliseconds)
    case .pause:
      for _ in 0..<(milliseconds * Int(sampleRate) / 1_000) { samples.append(Float(3e-5 * random.noise())) }
      for _ in 0..<milliseconds { truth.append(0) }
    }
  }

  private mutating func addVoice(milliseconds: Int) {
    let glide = (random.uniform(-1, 1) * speaker.glideOctaves, random.uniform(-1, 1) * speaker.glideOctaves)
    let vibrato = random.uniform(0, 1) < 0.3 ? random.uniform(0.01, 0.04) : 0
    let vibratoHertz = random.uniform(4.5, 6.5)
    let (attack, release) = (random.uniform(8, 25), random.uniform(20, 60))
    let level = pow(10, random.uniform(-10, 0) / 20)
    let vowels = [Vowel.formants.randomElement(using: &random)!, Vowel.formants.randomElement(using: &random)!]
    var source = GlottalSource(
      openQuotient: random.uniform(0.45, 0.75), jitter: speaker.jitter, shimmer: speaker.shimmer,
      tiltHertz: random.uniform(1_200, 4_000), sampleRate: sampleRate)
    let consonant = Consonant(within: milliseconds, &random)
    hissFilter.tune(hertz: min(0.4 * sampleRate, 4_500), bandwidth: 2_000, sampleRate: sampleRate)
    let step = Int(sampleRate) / 1_000
    let length = Double(milliseconds)
    for millisecond in 0..<milliseconds {
      let time = Double(millisecond)
      let share = time / length
      let octaves = glide.0 + (glide.1 - glide.0) * share + vibrato * sin(2 * Double.pi * vibratoHertz * time / 1_000)
      let hertz = min(speaker.highestHertz, max(70, speaker.hertz * exp2(octaves)))
      let rise = min(1, time / attack)
      let fall = min(1, (length - time) / release)
      let envelope = sin(Double.pi / 2 * rise) * sin(Double.pi / 2 * fall)
      let closure = consonant.closure(at: time)
      let gain = envelope * level * pow(10, closure * consonant.decibels / 20)
      let hiss = closure * consonant.hiss * envelope * level
      let blend = share * share * (3 - 2 * share)
      for index in 0..<5 {
        let center = vowels[0][index] * (1 - blend) + vowels[1][index] * blend
        formants[index].tune(
          hertz: min(
            0.45 * sampleRate, (index == 0 ? center + closure * (240 - center) : center) * speaker.formantScale),
          bandwidth: Vowel.bandwidths[index] * speaker.formantScale, sampleRate: sampleRate)
      }
      // Voiced is what is not more than 26 dB below its full strength.
      truth.append(envelope > 0.05 ? Float(hertz) : 0)
      let phaseStep = hertz / sampleRate
      for _ in 0..<step {
        var value = source.next(step: phaseStep, &random) + speaker.breath * random.noise()
        value *= gain
        for index in 0..<5 { value = formants[index].next(value) }
        value *= 0.2
        if hiss > 0 { value += hissFilter.next(random.noise()) * hiss }
        samples.append(Float(value + 3e-5 * random.noise()))
      }
    }
  }

  private mutating func addHiss(milliseconds: Int) {
    hissFilter.tune(
      hertz: min(0.4 * sampleRate, random.uniform(2_500, 6_500)), bandwidth: 1_500, sampleRate: sampleRate)
    let level = pow(10, random.uniform(-22, -6) / 20)
    let step = Int(sampleRate) / 1_000
    for millisecond in 0..<milliseconds {
      truth.append(0)
      let envelope = sin(Double.pi * (Double(millisecond) + 0.5) / Double(milliseconds))
      for _ in 0..<step { samples.append(Float(hissFilter.next(random.noise()) * envelope * level * 0.1)) }
    }
  }
}
