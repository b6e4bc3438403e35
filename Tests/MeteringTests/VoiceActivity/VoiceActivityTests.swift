import Foundation
import Metering
import TestSupport
import Testing

@Suite("Voice activity", .timeLimit(.minutes(10)))
struct VoiceActivityTests {
  /// Frame by frame.
  private func detect(_ planes: [[Float]], rate: Int) -> [Bool] {
    var activity = VoiceActivity(sampleRate: rate, channelCount: planes.count)
    let count = planes[0].count
    let memory = planes.flatMap { $0 }
    return memory.withUnsafeBufferPointer { samples in
      (0..<(count * 100 / rate)).map { frame in
        let start = frame * rate / 100
        let length = (frame + 1) * rate / 100 - start
        return activity.detect(
          samples.baseAddress! + start, stride: count, channelCount: planes.count, count: length)
      }
    }
  }

  private func white(_ count: Int, rms: Double, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    let peak = Float(rms * 3.0.squareRoot())
    return (0..<count).map { _ in Float.random(in: -peak...peak, using: &generator) }
  }

  /// White noise through a pole at 0.99: most of it below 100 Hz at 48 kHz, as in a car.
  private func rumble(_ count: Int, rms: Double, seed: UInt64) -> [Float] {
    var state: Float = 0
    let shaped = white(count, rms: 1, seed: seed).map { sample -> Float in
      state = 0.99 * state + sample
      return state
    }
    let power = shaped.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(count)
    return shaped.map { $0 * Float(rms / power.squareRoot()) }
  }

  /// Syllables with pauses, and which frames they fill: harmonics of a gliding pitch under three formants.
  private static func speech(rate: Int, seconds: Int) -> (samples: [Float], isSpeech: [Bool]) {
    let rms = 0.05
    var generator = SeededGenerator(seed: 11)
    var samples = [Float](repeating: 0, count: rate * seconds)
    var isSpeech = [Bool](repeating: false, count: 100 * seconds)
    var frame = 150
    while frame < 100 * seconds - 150 {
      // A phrase of syllables, then a pause of a second.
      for _ in 0..<4 {
        let length = Int.random(in: 15...25, using: &generator)
        let pitch = Double.random(in: 90...220, using: &generator)
        let formants = [(500.0, 1.0), (1_500, 0.5), (2_500, 0.25)].map {
          ($0.0 * Double.random(in: 0.7...1.3, using: &generator), $0.1)
        }
        for index in 0..<(length * rate / 100) {
          let time = Double(index) / Double(rate)
          let turns = pitch * time * (1 - 0.2 * time)
          var sample = 0.0
          for harmonic in 1...12 {
            let hertz = pitch * Double(harmonic)
            let height = formants.reduce(0) { $0 + $1.1 / (1 + pow((hertz - $1.0) / 120, 2)) }
            sample += height * sin(2 * .pi * turns * Double(harmonic))
          }
          let edge = min(1, min(time, Double(length) / 100 - time) / 0.02)
          samples[frame * rate / 100 + index] = Float(sample * edge)
        }
        for index in frame..<(frame + length) { isSpeech[index] = true }
        frame += length
      }
      frame += 100
    }
    let spoken = isSpeech.indices.filter { isSpeech[$0] }
    let power = spoken.reduce(0.0) { sum, frame in
      sum + samples[(frame * rate / 100)..<((frame + 1) * rate / 100)].reduce(0) { $0 + Double($1) * Double($1) }
    }
    let gain = Float(rms / (power / Double(spoken.count * rate / 100)).squareRoot())
    return (samples.map { $0 * gain }, isSpeech)
  }

  private static let spoken = speech(rate: 48_000, seconds: 9)

  /// Shares of speech frames found, and of other frames taken for speech; the first second and the 200 ms behind speech
  /// count as neither.
  private func score(_ found: [Bool], _ isSpeech: [Bool]) -> (hits: Double, falseAlarms: Double) {
    var (hits, speech, alarms, rest) = (0, 0, 0, 0)
    for index in found.indices {
      if isSpeech[index] {
        speech += 1
        hits += found[index] ? 1 : 0
      } else if index > 100, !isSpeech[(index - 20)..<index].contains(true) {
        rest += 1
        alarms += found[index] ? 1 : 0
      }
    }
    return (Double(hits) / Double(speech), Double(alarms) / Double(rest))
  }

  struct Condition: CustomStringConvertible {
    let description: String
    let rate: Int
    /// Noise relative to speech, in dB; nil for none.
    let signalToNoise: Double?
    let isRumble: Bool
    let leastHits: Double
  }

  static let conditions =
    [8_000, 16_000, 22_050, 44_100, 48_000].map {
      Condition(
        description: "white noise of 10 dB at \($0) Hz", rate: $0, signalToNoise: 10, isRumble: false, leastHits: 0.95)
    } + [
      Condition(description: "no noise", rate: 48_000, signalToNoise: nil, isRumble: false, leastHits: 0.97),
      Condition(description: "white, 20 dB", rate: 48_000, signalToNoise: 20, isRumble: false, leastHits: 0.97),
      Condition(description: "white, 5 dB", rate: 48_000, signalToNoise: 5, isRumble: false, leastHits: 0.9),
      Condition(description: "rumble, 10 dB", rate: 48_000, signalToNoise: 10, isRumble: true, leastHits: 0.95),
      Condition(description: "rumble, 5 dB", rate: 48_000, signalToNoise: 5, isRumble: true, leastHits: 0.9),
    ]

  @Test("speech is found in noise, and noise is not taken for speech", .shows("voice activity"), arguments: conditions)
  func inNoise(condition: Condition) {
    let rms = 0.05
    var (samples, isSpeech) = condition.rate == 48_000 ? Self.spoken : Self.speech(rate: condition.rate, seconds: 9)
    if let ratio = condition.signalToNoise {
      let level = rms * pow(10, -ratio / 20)
      let noise =
        condition.isRumble
        ? rumble(samples.count, rms: level, seed: 5) : white(samples.count, rms: level, seed: 5)
      for index in samples.indices { samples[index] += noise[index] }
    }
    let result = score(detect([samples], rate: condition.rate), isSpeech)
    #expect(result.hits >= condition.leastHits, "\(result)")
    #expect(result.falseAlarms <= 0.02, "\(result)")
  }

  @Test("steady noise is taken for speech for three seconds at the most", .shows("voice activity"))
  func noiseThatStays() {
    let quiet = white(48_000 * 2, rms: 0.0005, seed: 1)
    let found = detect([quiet + white(48_000 * 6, rms: 0.02, seed: 2)], rate: 48_000)
    #expect(!found[10..<200].contains(true))
    #expect(!found[500...].contains(true))
  }

  @Test(
    "recorded speech is found alone and in 10 dB noise, in mono and stereo", .shows("voice activity"),
    arguments: [false, true], [1, 2])
  func recorded(hasNoise: Bool, channels: Int) throws {
    for name in ["Front_Center", "Front_Left", "Rear_Right", "Side_Left"] {
      let data = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/sounds/alsa/\(name).wav"))
      let words = data.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      let phrase = words.map { Float(Int16(littleEndian: $0)) / 32_768 }
      let silence = [Float](repeating: 0, count: 48_000)
      var samples = silence + phrase + silence
      let energies = (0..<(samples.count / 480)).map { frame in
        samples[(frame * 480)..<((frame + 1) * 480)].reduce(0.0) { $0 + Double($1) * Double($1) } / 480
      }
      // What lies within 30 dB of the loudest frame is speech; weaker sounds drown in the noise.
      let isSpeech = energies.map { $0 > energies.max()! * (hasNoise ? 1e-2 : 1e-3) }
      if hasNoise {
        let spoken = energies.indices.filter { isSpeech[$0] }
        let power = spoken.reduce(0) { $0 + energies[$1] } / Double(spoken.count)
        let noise = white(samples.count, rms: (power / 10).squareRoot(), seed: 3)
        for index in samples.indices { samples[index] += noise[index] }
      }
      let found = detect(Array(repeating: samples, count: channels), rate: 48_000)
      let hits = energies.indices.filter { isSpeech[$0] && found[$0] }.count
      #expect(Double(hits) / Double(isSpeech.count { $0 }) >= (hasNoise ? 0.7 : 0.95), "\(name)")
      #expect(!found[70..<95].contains(true), "\(name)")
    }
  }

  @Test("silence, a constant and a hum of 50 Hz are not speech after a moment")
  func notSpeech() {
    let hum = (0..<(48_000 * 3)).map { Float(0.1 * sin(2 * .pi * 50 * Double($0) / 48_000)) }
    for samples in [[Float](repeating: 0, count: 48_000), [Float](repeating: 0.5, count: 48_000), hum] {
      #expect(!detect([samples], rate: 48_000).dropFirst(80).contains(true))
    }
    var (samples, isSpeech) = Self.spoken
    samples[100] = .nan
    samples[20_000] = .infinity
    #expect(score(detect([samples], rate: 48_000), isSpeech).hits > 0.95)
  }
}
