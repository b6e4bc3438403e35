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
    "pitch and voicing of synthetic voices are right, clean and in noise; live is at most a point behind", .shows("P3"),
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

  @Test("a creaking voice of 70 Hz and a child's of 480 Hz are not taken for an octave more or less", .shows("P3"))
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

  @Test(
    "the probability means what it says: hardly any row near 0 is voiced, nearly all near 1 are, of those between a part"
  )
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
