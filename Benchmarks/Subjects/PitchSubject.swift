import BenchmarkTwins
import PitchDetection
import VoiceCorpus

/// Pitch of voices at 48 kHz: what a frame costs, beside aubio's yinfft, and how often the result is wrong, beside
/// aubio's and Praat's (where it can be had).
enum PitchSubject {
  private static let hop = 480

  static func run(_ bench: Bench) throws {
    try cost(bench)
    let conditions: [(SpokenCorpus.Condition, limits: [Double?])] = [
      (.clean, [0.5, 3, 1.5]), (.noise(.white, decibels: 10), [nil, 5.5, nil]),
      (.noise(.white, decibels: 0), [nil, 26, nil]), (.noise(.babble, decibels: 20), [nil, nil, nil]),
      (.noise(.babble, decibels: 10), [nil, nil, nil]),
    ]
    for (condition, limits) in conditions {
      try accuracy(bench, condition, limits: limits)
    }
  }

  private static func cost(_ bench: Bench) throws {
    let samples = SpokenCorpus(seconds: 2, sampleRate: 48_000, in: .clean).utterances.flatMap(\.samples)
    let frames = samples.count / hop
    var detector = try PitchDetector(sampleRate: 48_000)
    var tracker = try PitchTracker(sampleRate: 48_000)
    let twin = twin_pitch_create(48_000, 2_048, Int32(hop))!
    defer { twin_pitch_destroy(twin) }
    samples.withUnsafeBufferPointer { buffer in
      let start = buffer.baseAddress!
      var (next, nextOfTwin) = (0, 0)
      var sum: Float = 0
      let aubio = { (count: Int) in
        for _ in 0..<count {
          var confidence: Float = 0
          sum += twin_pitch_run(twin, start + nextOfTwin * hop, &confidence)
          nextOfTwin = (nextOfTwin + 1) % frames
        }
      }
      bench.compare(
        "live, a frame", to: "aubio yinfft", turns: 600, iterations: 50, isPerFrame: true, target: 1,
        ours: { count in
          for _ in 0..<count {
            sum += detector.process(start + next * hop, samplesPerChannel: hop).hertz
            next = (next + 1) % frames
          }
        }, twin: aubio)
      bench.compare(
        "offline, a frame", to: "aubio yinfft", turns: 600, iterations: 50, isPerFrame: true, target: 1,
        ours: { count in
          for _ in 0..<count {
            sum += tracker.process(start + next * hop, samplesPerChannel: hop)?.estimate.hertz ?? 0
            next = (next + 1) % frames
          }
        }, twin: aubio)
      use(sum)
    }
    if bench.wants("Praat, a frame"),
      let track = Praat.track(samples, sampleRate: 48_000, from: 60, to: 600)
    {
      bench.note("Praat, a frame", track.secondsUsed * 1e6 / Double(track.rows.count), unit: "µs")
    }
    bench.note("live, delay", detector.delaySeconds * 1_000, unit: "ms", target: 30)
  }

  private static func accuracy(_ bench: Bench, _ condition: SpokenCorpus.Condition, limits: [Double?]) throws {
    let measures = ["gross errors", "not in 50 cents", "voicing errors"]
    guard measures.contains(where: { bench.wants("\(condition.name), \($0), offline") }) else { return }
    let corpus = SpokenCorpus(seconds: bench.options.isQuick ? 8 : 15, sampleRate: 48_000, in: condition)
    let offline = corpus.score(PitchTracks.offline)
    let live = corpus.score(PitchTracks.live)
    let aubio = PitchTracks.aubio(corpus)
    let praat =
      Praat.python == nil
      ? nil
      : corpus.score { utterance in
        Praat.track(utterance.samples, sampleRate: utterance.sampleRate, from: 60, to: 600)?.rows ?? []
      }
    for (index, measure) in measures.enumerated() {
      func value(_ score: PitchScore) -> Double {
        [score.grossErrors, 100 - score.withinHalfSemitone, score.wronglyVoiced][index]
      }
      bench.note("\(condition.name), \(measure), offline", value(offline), unit: "%", target: limits[index])
      // Live is to be a point behind at most. Of 8 s there are too few errors among other voices to say.
      let limit = condition.isBabble && bench.options.isQuick ? nil : value(offline) + 1
      bench.note("\(condition.name), \(measure), live", value(live), unit: "%", target: limit)
      if let praat { bench.note("\(condition.name), \(measure), Praat", value(praat), unit: "%") }
      bench.note("\(condition.name), \(measure), aubio", value(aubio), unit: "%")
    }
    try bench.check(offline.voiced > 100, "the corpus has no voices")
  }
}
