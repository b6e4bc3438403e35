import Foundation
import PitchDetection
import TestSupport
import Testing
import VoiceCorpus

/// A part of what `Benchmarks --filter pitch` measures in full: eight synthetic voices of known pitch, 70 to 500 Hz.
///
/// At 16 kHz, a third of the benchmark's rate, white noise of the same power is 4.8 dB stronger where voices are.
@Suite(.timeLimit(.minutes(10))) struct PitchAccuracyTests {
  struct Limit: Sendable, CustomStringConvertible {
    let condition: SpokenCorpus.Condition
    /// Percentages: the most that may be wrong by 20 %, the least within 50 cents, the most that may be voiced wrongly.
    let gross: Double
    let near: Double
    let voicing: Double
    var description: String { condition.name }
  }

  static let limits = [
    Limit(condition: .clean, gross: 0.5, near: 97, voicing: 1.5),
    Limit(condition: .noise(.white, decibels: 10), gross: 0.5, near: 94.5, voicing: 4),
    Limit(condition: .noise(.white, decibels: 0), gross: 2, near: 74, voicing: 22),
    Limit(condition: .noise(.babble, decibels: 20), gross: 1, near: 93, voicing: 6),
  ]

  @Test(
    "pitch and voicing of synthetic voices are right, clean and in noise", .shows("P3"),
    arguments: limits)
  func accuracy(_ limit: Limit) {
    let corpus = SpokenCorpus(seconds: 2.5, sampleRate: 16_000, in: limit.condition)
    let offline = Tracks.offlineScore(corpus)
    #expect(offline.rows == 2_000)
    #expect(offline.voiced > 800)
    #expect(offline.grossErrors <= limit.gross)
    #expect(offline.withinHalfSemitone >= limit.near)
    #expect(offline.wronglyVoiced <= limit.voicing)
    let live = Tracks.liveScore(corpus)
    #expect(live.grossErrors <= offline.grossErrors + 1)
    #expect(live.withinHalfSemitone >= offline.withinHalfSemitone - 1)
    #expect(live.wronglyVoiced <= offline.wronglyVoiced + 1)
  }

  @Test("voices of 72 and 480 Hz are not taken for an octave more or less", .shows("P3"))
  func octaves() {
    var creaking = Speaker(hertz: 72)
    creaking.jitter = 0.02
    creaking.shimmer = 0.15
    creaking.glideOctaves = 0.05
    var child = Speaker(hertz: 480)
    child.glideOctaves = 0.1
    for (index, speaker) in [creaking, child].enumerated() {
      let voice = VoiceGenerator(speaker, sampleRate: 16_000, seed: 40 + UInt64(index)).speak(seconds: 4)
      var score = PitchScore()
      for point in (try? Tracks.offline(voice.samples, sampleRate: 16_000)) ?? [] {
        score.compare(point.estimate.hertz, with: voice.hertz(at: point.seconds))
      }
      #expect(score.found > 150)
      #expect(score.grossErrors < 0.5, "\(speaker.hertz) Hz")
    }
  }

  @Test("a soprano's voice is not taken for an octave less", .shows("P3"), arguments: [620.0, 784, 880, 1_047])
  func highVoices(hertz: Double) {
    var soprano = Speaker(hertz: hertz)
    soprano.glideOctaves = 0.1
    soprano.highestHertz = 1_100
    var score = PitchScore()
    for seed in 60..<63 as Range<UInt64> {
      let voice = VoiceGenerator(soprano, sampleRate: 16_000, seed: seed).speak(seconds: 4)
      for point in (try? Tracks.offline(voice.samples, sampleRate: 16_000)) ?? [] {
        score.compare(point.estimate.hertz, with: voice.hertz(at: point.seconds))
      }
    }
    #expect(score.found > 500)
    #expect(score.grossErrors < 6)
    #expect(score.withinHalfSemitone > 85)
  }

  @Test("a glide of 150 cents a row is followed", .shows("P3"))
  func glides() throws {
    // From 100 to 250 Hz and back again, 10.6 rows each way.
    let span = log2(2.5)
    func hertz(_ seconds: Double) -> Double {
      let place = (seconds * 12.5).truncatingRemainder(dividingBy: 2 * span)
      return 100 * exp2(place < span ? place : 2 * span - place)
    }
    let rows = try Tracks.offline(Tones.glide(seconds: 3, sampleRate: 48_000, hertz), sampleRate: 48_000)
    let errors = rows.dropFirst(4).dropLast(4).map { abs(1_200 * log2(Double($0.estimate.hertz) / hertz($0.seconds))) }
    #expect(errors.count > 280)
    #expect(errors.allSatisfy { $0 < 320 })
    #expect(errors.filter { $0 < 50 }.count > errors.count * 85 / 100)
  }

  @Test("the probability of voicing agrees with the share of voiced rows")
  func probability() throws {
    var counts = [(voiced: Double, all: Double)](repeating: (0, 0), count: 3)
    for condition in [SpokenCorpus.Condition.clean, .noise(.white, decibels: 10)] {
      for utterance in SpokenCorpus(seconds: 2.5, sampleRate: 16_000, in: condition).utterances {
        for row in try Tracks.live(utterance.samples, sampleRate: 16_000) {
          let index = row.voicing < 0.05 ? 0 : row.voicing > 0.95 ? 2 : 1
          counts[index].all += 1
          if utterance.hertz(at: row.seconds) > 0 { counts[index].voiced += 1 }
        }
      }
    }
    let shares = counts.map { $0.voiced / $0.all }
    #expect(shares[0] < 0.08, "\(shares)")
    #expect(shares[1] > 0.2 && shares[1] < 0.8, "\(shares)")
    #expect(shares[2] > 0.97, "\(shares)")
  }
}
