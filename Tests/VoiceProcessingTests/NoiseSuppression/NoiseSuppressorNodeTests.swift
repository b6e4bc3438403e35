import AudioGraph
import Glibc
import GraphTestSupport
import TestSupport
import Testing
import VoiceCorpus
import VoiceProcessing

@Suite(.timeLimit(.minutes(10))) struct NoiseSuppressorNodeTests {
  @Test(
    "noise between words is down by 15 dB once it has been heard", .shows("G4"),
    arguments: RoomNoise.allCases,
    [8_000, 16_000])
  func pauses(noise: RoomNoise, rate: Int) throws {
    let clean = phrases(Speaker.all[2], rate, seed: 5)
    let noisy = noise.added(to: clean, decibels: 10, seed: 6)
    let output = try only(noisy.samples, rate)
    let quiet = pauses(of: clean)
    #expect(quiet.count > 50)
    let (before, after) = (level(noisy.samples, quiet, rate), level(output, quiet, rate))
    #expect(before - after >= 15, "\(before - after) dB")
  }

  @Test("words in noise come out nearer to the words alone", .shows("G4"), arguments: RoomNoise.allCases)
  func words(noise: RoomNoise) throws {
    let rate = 16_000
    let clean = phrases(Speaker.all[4], rate, seed: 8)
    let noisy = noise.added(to: clean, decibels: 10, seed: 9)
    let output = try only(noisy.samples, rate)
    let spoken = words(of: clean)
    let said = spoken.indices.filter { $0 >= 100 && spoken[$0] }
    let wanted = strengths(clean.samples, said, rate)
    // The log-spectral distance, in dB.
    func distance(_ samples: [Float]) -> Double {
      let squares = zip(strengths(samples, said, rate), wanted).map { ($0 - $1) * ($0 - $1) }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    // Strokes are few, and nearly all of them is taken; a fan is under all of it.
    let limit = noise == .keyboard ? 0.5 : 0.95
    #expect(distance(output) < limit * distance(noisy.samples), "\(distance(output)), \(distance(noisy.samples))")
  }

  @Test(
    "words alone come out unchanged to within -25 dB", .shows("G4"),
    arguments: [8_000, 11_000])
  func cleanSpeech(rate: Int) throws {
    for (speaker, seed) in [(1, 3), (6, 4)] as [(Int, UInt64)] {
      let clean = VoiceGenerator(Speaker.all[speaker], sampleRate: rate, seed: seed).speak(seconds: 2)
      let output = try only(clean.samples, rate)
      let said = words(of: clean).indices.filter { words(of: clean)[$0] }
      let difference = zip(output, clean.samples).map { $0 - $1 }
      let distance = level(clean.samples, said, rate) - level(difference, said, rate)
      #expect(distance > 25, "\(distance) dB, speaker \(speaker)")
    }
  }

  @Test(
    "a DC offset goes, and words stay as they were without it", .shows("G4: switching"),
    arguments: [0.005, -0.03])
  func offset(offset: Float) throws {
    let rate = 16_000
    let clean = phrases(Speaker.all[2], rate, seed: 5)
    let output = try only(clean.samples.map { $0 + offset }, rate)
    let late = output.suffix(rate / 2)
    #expect(abs(late.reduce(0, +) / Float(late.count)) < 0.2 * abs(offset))
    let spoken = words(of: clean)
    let said = spoken.indices.filter { $0 >= 100 && spoken[$0] }
    let difference = zip(output, clean.samples).map { $0 - $1 }
    let distance = level(clean.samples, said, rate) - level(difference, said, rate)
    #expect(distance > 20, "\(distance) dB")
  }

  @Test(
    "rumble that comes and goes is down by 10 dB between words", .shows("G4: switching"),
    arguments: [15.0..<40, 20..<80])
  func rumble(band: Range<Double>) throws {
    let rate = 16_000
    let clean = phrases(Speaker.all[2], rate, seed: 5)
    var random = SeededGenerator(seed: 11)
    let tones = (0..<60).map { _ in
      (hertz: Double.random(in: band, using: &random), phase: Double.random(in: 0..<1, using: &random))
    }
    let hiss = Signals.noise(count: clean.samples.count, amplitude: 0.001, seed: 12)
    let noisy = clean.samples.indices.map { index in
      let time = Double(index) / Double(rate)
      let sum = tones.reduce(0) { $0 + sin(2 * .pi * ($1.hertz * time + $1.phase)) }
      return clean.samples[index] + hiss[index] + Float(0.004 * sum)
    }
    let output = try only(noisy, rate)
    let quiet = pauses(of: clean)
    let (before, after) = (level(noisy, quiet, rate), level(output, quiet, rate))
    #expect(quiet.count > 50 && before - after >= 10, "\(before - after) dB")
  }

  @Test(
    "steady noise goes at every rate, and in both channels", .shows("G4"), arguments: [8_000, 11_025, 44_100, 192_000])
  func rates(rate: Int) throws {
    let count = rate * 4 / 5
    let input = (0..<2).map { Signals.noise(count: count, amplitude: 0.03, seed: UInt64(20 + $0)) }
    let node = NoiseSuppressorNode(channelCount: 2, sampleRate: rate)
    let output = try NodeBench(node, input, sampleRate: rate, frames: 80).output
    for (before, after) in zip(input, output) {
      #expect(power(before[(rate * 7 / 10)...]) > 50 * power(after[(rate * 7 / 10)...]))
    }
  }

  @Test(
    "a suppressor that is off is a delay of its latency, bit by bit", .shows("G4: switching"),
    arguments: [8_000, 22_050, 44_100, 48_000, 192_000])
  func offKeepsBits(rate: Int) throws {
    for channels in [1, 2] {
      let node = NoiseSuppressorNode(channelCount: channels, sampleRate: rate, isOn: false)
      let input = (0..<channels).map { Signals.noise(count: rate / 5, amplitude: 1.5, seed: UInt64($0)) }
      let bench = try NodeBench(node, input, sampleRate: rate, frames: 20)
      #expect(bench.output.bitPatterns == Signals.delayed(input, by: node.latency, count: rate / 5).bitPatterns)
    }
  }

  @Test("the delay is 60 ms at most", arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000])
  func delay(rate: Int) {
    #expect(Double(NoiseSuppressorNode(channelCount: 1, sampleRate: rate).latency) <= 0.06 * Double(rate))
  }

  @Test("a sound in two channels keeps its place between them", .shows("G4"))
  func stereo() throws {
    let rate = 16_000
    let clean = VoiceGenerator(Speaker.all[0], sampleRate: rate, seed: 2).speak(seconds: 2)
    let left = RoomNoise.keyboard.added(to: clean, decibels: 10, seed: 4).samples
    let node = NoiseSuppressorNode(channelCount: 2, sampleRate: rate)
    let output = try NodeBench(node, [left, left.map { 0.25 * $0 }], sampleRate: rate, frames: 200).output
    #expect(output[0].indices.allSatisfy { abs(output[1][$0] - 0.25 * output[0][$0]) < 1e-6 })
    #expect(power(output[0][...]) > 0)
  }

  @Test("no switching causes a larger step than the sine and a crossfade", .shows("G4: switching"))
  func switching() throws {
    let (rate, hertz, peak) = (8_000, 180.0, 0.5)
    let input = Signals.sine(count: 3 * rate, cyclesPerSample: hertz / Double(rate), amplitude: peak)
    let node = NoiseSuppressorNode(channelCount: 1, sampleRate: rate, isOn: false)
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 300) { tick in
      if [20, 60, 61, 90, 130, 150, 190, 260, 262].contains(tick) { node.set(isOn: tick % 20 != 0 || tick == 20) }
    }.output[0]
    let heard = output[(node.latency + 1)...]
    let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
    let own = peak * 2 * Double.pi * hertz / Double(rate)
    #expect(Double(steps.max()!) <= own + peak / Double(rate / 100))
    // It has been on: a sine that never ends is no speech.
    #expect(power(heard[(2 * rate)...].prefix(rate / 4)) < 0.9 * peak * peak / 2)
  }

  @Test("a suppressor keeps every bit while it is off, and removes noise again")
  func offAgain() throws {
    let rate = 8_000
    let input = Signals.noise(count: 3 * rate, amplitude: 0.1, seed: 12)
    let node = NoiseSuppressorNode(channelCount: 1, sampleRate: rate)
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 300) { tick in
      if tick == 100 { node.set(isOn: false) }
      if tick == 180 { node.set(isOn: true) }
    }.output[0]
    #expect((81 * 101..<80 * 180).allSatisfy { output[$0] == input[$0 - node.latency] })
    #expect(power(output[(80 * 290)...]) < 0.01 * power(input[(80 * 290)...]))
  }

  @Test("silence comes out as exact silence, and is marked as such")
  func silence() throws {
    let node = NoiseSuppressorNode(channelCount: 1, sampleRate: 16_000)
    let input = Signals.noise(count: 3_200, amplitude: 0.5, seed: 3)
    let bench = try NodeBench(node, [input], sampleRate: 16_000, frames: 60)
    #expect(bench.output[0][..<2_000].contains { $0 != 0 })
    #expect(bench.output[0][8_000...].allSatisfy { $0 == 0 })
    #expect(bench.headers.last?.isSilent == true)
  }

  @Test("NaN and infinite samples are heard for a moment only")
  func notANumber() throws {
    var input = VoiceGenerator(Speaker.all[3], sampleRate: 16_000, seed: 7).speak(seconds: 1).samples
    for (index, value) in [(500, Float.nan), (2_000, .infinity), (2_001, -.infinity), (9_333, .nan)] {
      input[index] = value
    }
    let output = try only(input, 16_000)
    #expect(output.allSatisfy { $0.isFinite && abs($0) < 2 })
    #expect(power(output[12_000...]) > 0)
  }

  @Test("huge samples are forgotten, and noise is removed as before")
  func hugeSamples() throws {
    let rate = 8_000
    var input = Signals.noise(count: 2 * rate, amplitude: 0.05, seed: 14)
    for index in 2_000..<2_200 { input[index] = index % 3 == 0 ? 3e38 : -3e38 }
    let output = try only(input, rate)
    #expect(output[3_000...].allSatisfy { $0.isFinite })
    #expect(power(output[12_000...]) < 0.02 * power(input[12_000...]))
  }

  /// Two phrases, each after 0.7 s in which nobody speaks.
  private func phrases(_ speaker: Speaker, _ rate: Int, seed: UInt64) -> Utterance {
    let pause = Utterance(
      sampleRate: rate, samples: Array(repeating: 0, count: rate * 7 / 10), truth: Array(repeating: 0, count: 700))
    let parts =
      (0..<2).flatMap { part in
        [pause, VoiceGenerator(speaker, sampleRate: rate, seed: seed + UInt64(part)).speak(seconds: 1.2)]
      } + [pause]
    return Utterance(sampleRate: rate, samples: parts.flatMap(\.samples), truth: parts.flatMap(\.truth))
  }

  /// What comes out, moved back by the delay.
  private func only(_ samples: [Float], _ rate: Int) throws -> [Float] {
    let node = NoiseSuppressorNode(channelCount: 1, sampleRate: rate)
    let frames = samples.count * 100 / rate + 6
    let output = try NodeBench(node, [samples], sampleRate: rate, frames: frames).output[0]
    return Array(output[node.latency..<min(output.count, node.latency + samples.count)])
  }

  /// Of each 10 ms, whether somebody speaks: what is not 40 dB below the loudest.
  private func words(of clean: Utterance) -> [Bool] {
    let length = clean.sampleRate / 100
    let powers = (0..<(clean.samples.count / length)).map { power(clean.samples[($0 * length)..<(($0 + 1) * length)]) }
    return powers.map { $0 > 1e-4 * powers.max()! }
  }

  /// The pieces of 10 ms that are 80 ms away from words, without the first second.
  private func pauses(of clean: Utterance) -> [Int] {
    let spoken = words(of: clean)
    return spoken.indices.filter { index in
      index >= 100 && !spoken[max(0, index - 8)..<min(spoken.count, index + 9)].contains(true)
    }
  }

  /// The mean level of some of the pieces of 10 ms, in dB.
  private func level(_ samples: [Float], _ pieces: [Int], _ rate: Int) -> Double {
    let length = rate / 100
    let sum = pieces.filter { ($0 + 1) * length <= samples.count }
      .reduce(0) { $0 + power(samples[($1 * length)..<(($1 + 1) * length)]) }
    return 10 * log10(sum / Double(pieces.count) + 1e-14)
  }

  /// How strong the sound is at every 100 Hz up to 4 kHz, in dB and above -60, in windows of 20 ms around some of the
  /// pieces; phases are left out, which a filter against rumble turns.
  private func strengths(_ samples: [Float], _ pieces: [Int], _ rate: Int) -> [Double] {
    let length = rate / 50
    return pieces.map { $0 * length / 2 }.filter { $0 + length <= samples.count }.flatMap { first in
      stride(from: 100.0, through: 4_000, by: 100).map { hertz in
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<length {
          let value = Double(samples[first + index]) * (0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(length)))
          let angle = 2 * .pi * hertz * Double(index) / Double(rate)
          real += value * cos(angle)
          imaginary += value * sin(angle)
        }
        return 10 * log10((real * real + imaginary * imaginary) * 16 / Double(length * length) + 1e-6)
      }
    }
  }

  private func power(_ samples: ArraySlice<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
  }
}
