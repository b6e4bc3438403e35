import PitchDetection
import VoiceCorpus

/// What the module says of samples, frame by frame.
enum Tracks {
  /// A live estimate, and the moment it is about.
  struct Row {
    let seconds: Double
    let hertz: Float
    let voicing: Float
  }

  static func live(_ samples: [Float], sampleRate: Int) throws -> [Row] {
    var detector = try PitchDetector(sampleRate: sampleRate)
    return live(samples, &detector)
  }

  static func live(_ samples: [Float], _ detector: inout PitchDetector) -> [Row] {
    var rows: [Row] = []
    eachFrame(of: samples, sampleRate: detector.sampleRate) { pointer, count, end in
      let estimate = detector.process(pointer, samplesPerChannel: count)
      rows.append(Row(seconds: end - detector.delaySeconds, hertz: estimate.hertz, voicing: estimate.voicing))
    }
    return rows
  }

  static func offline(_ samples: [Float], sampleRate: Int) throws -> [PitchPoint] {
    var tracker = try PitchTracker(sampleRate: sampleRate)
    return offline(samples, &tracker)
  }

  static func offline(_ samples: [Float], _ tracker: inout PitchTracker) -> [PitchPoint] {
    var points: [PitchPoint] = []
    eachFrame(of: samples, sampleRate: tracker.sampleRate) { pointer, count, _ in
      if let point = tracker.process(pointer, samplesPerChannel: count) { points.append(point) }
    }
    while let point = tracker.finish() { points.append(point) }
    return points
  }

  static func liveScore(_ corpus: SpokenCorpus) -> PitchScore {
    corpus.score { utterance in
      ((try? live(utterance.samples, sampleRate: utterance.sampleRate)) ?? []).map { ($0.seconds, $0.hertz) }
    }
  }

  static func offlineScore(_ corpus: SpokenCorpus) -> PitchScore {
    corpus.score { utterance in
      ((try? offline(utterance.samples, sampleRate: utterance.sampleRate)) ?? [])
        .map { ($0.seconds, $0.estimate.hertz) }
    }
  }

  /// Calls `body` with frames as a graph has them: pointer, count, and the time of the frame's end in seconds.
  static func eachFrame(of samples: [Float], sampleRate: Int, _ body: (UnsafePointer<Float>, Int, Double) -> Void) {
    samples.withUnsafeBufferPointer { buffer in
      var index = 1
      var begin = 0
      while case let end = index * sampleRate / 100, end <= buffer.count {
        body(buffer.baseAddress! + begin, end - begin, Double(end) / Double(sampleRate))
        begin = end
        index += 1
      }
    }
  }
}
