import BenchmarkTwins
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

  /// aubio leaves it to its user where voice begins: of all thresholds of its confidence the one is taken that makes
  /// the fewest voicing errors in this very corpus.
  static func aubio(_ corpus: SpokenCorpus) -> PitchScore {
    let tracks = corpus.utterances.map(rows)
    var best = PitchScore()
    for step in 0..<40 {
      let threshold = Float(step) / 40
      var score = PitchScore()
      for (utterance, track) in zip(corpus.utterances, tracks) {
        for row in track {
          score.compare(row.confidence >= threshold ? row.hertz : 0, with: utterance.hertz(at: row.seconds))
        }
      }
      if step == 0 || score.wronglyVoiced < best.wronglyVoiced { best = score }
    }
    return best
  }

  private static func rows(_ utterance: Utterance) -> [(seconds: Double, hertz: Float, confidence: Float)] {
    let (hop, window) = (utterance.sampleRate / 100, 2_048)
    let twin = twin_pitch_create(Int32(utterance.sampleRate), Int32(window), Int32(hop))!
    defer { twin_pitch_destroy(twin) }
    return utterance.samples.withUnsafeBufferPointer { samples in
      (0..<samples.count / hop).map { frame in
        var confidence: Float = 0
        let hertz = twin_pitch_run(twin, samples.baseAddress! + frame * hop, &confidence)
        let seconds = (Double((frame + 1) * hop) - Double(window) / 2) / Double(utterance.sampleRate)
        return (seconds, hertz >= 60 && hertz <= 620 ? hertz : 0, confidence)
      }
    }
  }
}
