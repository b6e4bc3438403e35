import BenchmarkTwins
import Glibc
import PitchDetection
import VoiceCorpus

/// What each program says of an utterance: rows of seconds and Hz.
enum PitchTracks {
  static func live(_ utterance: Utterance) -> [(seconds: Double, hertz: Float)] {
    guard var detector = try? PitchDetector(sampleRate: utterance.sampleRate) else { return [] }
    let hop = utterance.sampleRate / 100
    return utterance.samples.withUnsafeBufferPointer { samples in
      (0..<samples.count / hop).map { frame in
        let estimate = detector.process(samples.baseAddress! + frame * hop, samplesPerChannel: hop)
        return (Double(frame + 1) / 100 - detector.delaySeconds, estimate.hertz)
      }
    }
  }

  static func offline(_ utterance: Utterance) -> [(seconds: Double, hertz: Float)] {
    guard var tracker = try? PitchTracker(sampleRate: utterance.sampleRate) else { return [] }
    let hop = utterance.sampleRate / 100
    var points: [PitchPoint] = []
    utterance.samples.withUnsafeBufferPointer { samples in
      for frame in 0..<samples.count / hop {
        if let point = tracker.process(samples.baseAddress! + frame * hop, samplesPerChannel: hop) {
          points.append(point)
        }
      }
    }
    while let point = tracker.finish() { points.append(point) }
    return points.map { ($0.seconds, $0.estimate.hertz) }
  }

  /// aubio leaves it to its user where voice begins: of all thresholds of its confidence and of the level, those are
  /// taken that make the fewest voicing errors in this very corpus.
  static func aubio(_ corpus: SpokenCorpus) -> PitchScore {
    let tracks = corpus.utterances.map(rows)
    var best: PitchScore?
    for level in stride(from: Float(-80), through: -20, by: 5) {
      // The confidence can lie far below 0 where the pitch is right: -10 asks for none.
      for threshold in [-10] + (0..<20).map({ Float($0) / 20 }) {
        var score = PitchScore()
        for (utterance, track) in zip(corpus.utterances, tracks) {
          for row in track {
            let isVoiced = row.confidence >= threshold && row.decibels >= level
            score.compare(isVoiced ? row.hertz : 0, with: utterance.hertz(at: row.seconds))
          }
        }
        if score.wronglyVoiced < best?.wronglyVoiced ?? .infinity { best = score }
      }
    }
    return best ?? PitchScore()
  }

  private struct Row {
    let seconds: Double
    let hertz: Float
    let confidence: Float
    /// Level of the 10 ms around the window's middle.
    let decibels: Float
  }

  private static func rows(_ utterance: Utterance) -> [Row] {
    let (hop, window) = (utterance.sampleRate / 100, 2_048)
    let twin = twin_pitch_create(Int32(utterance.sampleRate), Int32(window), Int32(hop))!
    defer { twin_pitch_destroy(twin) }
    return utterance.samples.withUnsafeBufferPointer { samples in
      (0..<samples.count / hop).map { frame in
        var confidence: Float = 0
        let hertz = twin_pitch_run(twin, samples.baseAddress! + frame * hop, &confidence)
        let middle = (frame + 1) * hop - window / 2
        var power: Float = 1e-12
        for index in max(0, middle - hop / 2)..<max(1, middle + hop / 2) {
          power += samples[index] * samples[index] / Float(hop)
        }
        return Row(
          seconds: Double(middle) / Double(utterance.sampleRate), hertz: hertz >= 60 && hertz <= 620 ? hertz : 0,
          confidence: confidence, decibels: 10 * log10(power))
      }
    }
  }
}
