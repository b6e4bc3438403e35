import Glibc
import GraphTestSupport
import TestSupport
import Testing
import VoiceCorpus
import VoiceProcessing

/// Hum under words that leave no pause: the mains, transformers, motors.
@Suite(.timeLimit(.minutes(10))) struct HumTests {
  /// A hum: multiples of a frequency, each by its number weaker.
  struct Hum: Sendable, CustomTestStringConvertible {
    let hertz: Double
    let count: Int
    var testDescription: String { "\(hertz) Hz, \(count) tones" }

    /// The tones together, with a power of 1, from second `start` to `end`.
    func samples(count length: Int, rate: Int, from start: Double = 0, to end: Double = .infinity) -> [Float] {
      let power = (1...count).reduce(0.0) { $0 + 0.5 / Double($1 * $1) }
      let gain = 1 / power.squareRoot()
      return (0..<length).map { index in
        let time = Double(index) / Double(rate)
        guard time >= start, time < end else { return 0 }
        var sum = 0.0
        for number in 1...count {
          let angle = 2 * Double.pi * hertz * Double(number) * time + Double(number)
          sum += sin(angle) / Double(number)
        }
        return Float(gain * sum)
      }
    }

    /// The power that samples have at the frequencies of the hum: the sum of what a raised cosine from one second to
    /// another, turned by each of them, finds.
    func power(in samples: [Float], rate: Int, from start: Double, to end: Double) -> Double {
      let (first, length) = (Int(start * Double(rate)), Int((end - start) * Double(rate)))
      return (1...count).reduce(0.0) { sum, number in
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<length {
          let window = (1 - cos(2 * .pi * Double(index) / Double(length))) / Double(length)
          let angle = 2 * .pi * hertz * Double(number) * Double(index) / Double(rate)
          real += window * cos(angle) * Double(samples[first + index])
          imaginary -= window * sin(angle) * Double(samples[first + index])
        }
        return sum + 2 * (real * real + imaginary * imaginary)
      }
    }
  }

  @Test(
    "hum under words without a pause is 12 dB weaker from the third second",
    .shows("G4"),
    arguments: [
      (Hum(hertz: 50, count: 12), 16_000, 2), (Hum(hertz: 60, count: 12), 48_000, 4),
      (Hum(hertz: 100, count: 6), 16_000, 1), (Hum(hertz: 100, count: 6), 8_000, 3),
      (Hum(hertz: 120, count: 6), 44_100, 0), (Hum(hertz: 123.4, count: 6), 11_025, 5),
      (Hum(hertz: 110.7, count: 10), 16_000, 0),
    ])
  func underWords(hum: Hum, rate: Int, speaker: Int) throws {
    let voice = voice(speaker, seconds: 6, rate)
    let added = scaled(hum.samples(count: voice.count, rate: rate), to: voice, decibels: 10)
    let output = try only([plus(voice, added)], rate)[0]
    let left = hum.power(in: minus(output, voice), rate: rate, from: 3, to: 6)
    let before = hum.power(in: added, rate: rate, from: 3, to: 6)
    #expect(10 * log10(before / left) > 12, "\(10 * log10(before / left)) dB")
  }

  @Test("a hum that sets in under words goes too, 10 dB within three seconds", .shows("G4"))
  func setsIn() throws {
    let (hum, rate) = (Hum(hertz: 100, count: 6), 16_000)
    let voice = voice(3, seconds: 8, rate)
    let added = scaled(hum.samples(count: voice.count, rate: rate, from: 2), to: voice, decibels: 10)
    let output = try only([plus(voice, added)], rate)[0]
    let left = hum.power(in: minus(output, voice), rate: rate, from: 5, to: 8)
    let before = hum.power(in: added, rate: rate, from: 5, to: 8)
    #expect(10 * log10(before / left) > 10, "\(10 * log10(before / left)) dB")
  }

  @Test("a hum that ends leaves nothing behind that takes its place", .shows("G4"), arguments: [false, true])
  func ends(inSilence: Bool) throws {
    let (hum, rate) = (Hum(hertz: 100, count: 6), 16_000)
    let voice = voice(3, seconds: inSilence ? 4 : 6, rate) + [Float](repeating: 0, count: inSilence ? 2 * rate : 0)
    let added = scaled(hum.samples(count: voice.count, rate: rate, to: 4), to: voice, decibels: 10)
    let output = try only([plus(voice, added)], rate)[0]
    let before = hum.power(in: added, rate: rate, from: 3, to: 4)
    for start in [4.1, 4.3, 4.5, 5] {
      let left = hum.power(in: minus(output, voice), rate: rate, from: start, to: start + 0.5)
      let needed: Double = start < 4.3 ? 3 : start < 5 ? 6 : 15
      #expect(10 * log10(before / (left + 1e-14)) > needed, "\(10 * log10(before / (left + 1e-14))) dB at \(start) s")
    }
  }

  @Test("hum of opposite phases goes from both channels and does not leak", .shows("G4"))
  func channels() throws {
    let (hum, rate) = (Hum(hertz: 60, count: 6), 16_000)
    let voice = voice(4, seconds: 6, rate)
    let added = scaled(hum.samples(count: voice.count, rate: rate), to: voice, decibels: 10)
    let output = try only([plus(voice, added), minus(voice, added)], rate)
    let before = hum.power(in: added, rate: rate, from: 3, to: 6)
    for channel in output {
      let left = hum.power(in: minus(channel, voice), rate: rate, from: 3, to: 6)
      #expect(10 * log10(before / left) > 12, "\(10 * log10(before / left)) dB")
    }
    let single = try only([plus(voice, added), voice], rate)
    let strange = hum.power(in: minus(single[1], voice), rate: rate, from: 3, to: 6)
    #expect(10 * log10(before / strange) > 20, "\(10 * log10(before / strange)) dB")
  }

  @Test(
    "a low voice loses nothing to the removal of hum", .shows("G4"),
    arguments: [(85, 11), (105, 12), (125, 13)] as [(Double, UInt64)])
  func lowVoice(hertz: Double, seed: UInt64) throws {
    let rate = 16_000
    let clean = VoiceGenerator(Speaker(hertz: hertz), sampleRate: rate, seed: seed).speak(seconds: 6).samples
    let output = try only([clean], rate)[0]
    var (changed, whole) = (0.0, 0.0)
    for index in rate..<clean.count {
      changed += pow(Double(output[index] - clean[index]), 2)
      whole += pow(Double(clean[index]), 2)
    }
    #expect(10 * log10(whole / changed) > 25, "\(10 * log10(whole / changed)) dB")
  }

  private func voice(_ speaker: Int, seconds: Double, _ rate: Int) -> [Float] {
    // The generator knows multiples of 1 kHz: at others the voice is a little faster.
    let known = rate / 1_000 * 1_000
    let voice = VoiceGenerator(Speaker.all[speaker], sampleRate: known, seed: 21)
      .speak(seconds: seconds * Double(rate) / Double(known) + 0.1).samples
    return Array(voice.prefix(Int(seconds * Double(rate))))
  }

  /// Samples of a power of 1, so many dB below others.
  private func scaled(_ samples: [Float], to voice: [Float], decibels: Double) -> [Float] {
    let heard = voice.filter { $0 != 0 }
    let power = heard.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(heard.count)
    let gain = Float((power * pow(10, -decibels / 10)).squareRoot())
    return samples.map { gain * $0 }
  }

  private func plus(_ a: [Float], _ b: [Float]) -> [Float] { zip(a, b).map { $0 + $1 } }

  private func minus(_ a: [Float], _ b: [Float]) -> [Float] { zip(a, b).map { $0 - $1 } }

  /// What comes out, moved back by the delay.
  private func only(_ channels: [[Float]], _ rate: Int) throws -> [[Float]] {
    let node = NoiseSuppressorNode(channelCount: channels.count, sampleRate: rate)
    let frames = channels[0].count * 100 / rate + 7
    let output = try NodeBench(node, channels, sampleRate: rate, frames: frames).output
    return output.map { Array($0[node.latency..<(node.latency + channels[0].count)]) }
  }
}
