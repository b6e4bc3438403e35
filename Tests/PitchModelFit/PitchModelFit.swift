import Glibc
import PitchDetection
import VoiceCorpus

/// Finds the weights of `CandidateModel`: those that make the known pitches of synthetic voices likeliest.
///
///     swift run -c release PitchModelFit
///
/// Prints the lines of `CandidateWeights.values`. The voices are not those that tests and benchmarks measure with:
/// other speakers, other seeds. A minute's work.
@main
enum PitchModelFit {
  static func main() throws {
    var model = ConditionalLogit(featureCount: CandidateModel.featureCount)
    for index in 0..<TrainingSounds.speakerCount {
      for sound in TrainingSounds.all(speaker: index) { try add(sound, to: &model) }
    }
    let weights = model.fit()
    print("// \(model.observationCount) windows, mean negative log likelihood \(model.loss(weights))")
    for row in stride(from: 0, to: weights.count, by: 5) {
      print(
        "    "
          + weights[row..<min(row + 5, weights.count)].map { "\(($0 * 1_000).rounded() / 1_000)" }
          .joined(separator: ", ") + ",")
    }
  }

  /// Each window is an observation: its candidates, and which of them is right, if any.
  private static func add(_ sound: TrainingSounds.Sound, to model: inout ConditionalLogit) throws {
    let utterance = sound.utterance
    var analyzer = try PitchAnalyzer(sampleRate: utterance.sampleRate)
    let hop = utterance.sampleRate / 100
    for frame in 0..<utterance.samples.count / hop {
      utterance.samples.withUnsafeBufferPointer {
        analyzer.analyze($0.baseAddress! + frame * hop, count: hop)
      }
      let truth = utterance.hertz(at: Double(frame + 1) / 100 - analyzer.delaySeconds)
      var right: Int?
      var nearest = Float(80.0 / 1_200)
      for index in 0..<analyzer.candidateCount where truth > 0 {
        let distance = abs(log2(analyzer.candidates[index].hertz / truth))
        if distance < nearest { (right, nearest) = (index, distance) }
      }
      // A voice none of whose candidates is right says nothing about how to choose.
      if truth > 0, right == nil { continue }
      model.add(
        count: analyzer.candidateCount, right: right, weight: sound.weight, features: { analyzer.features(of: $0) })
    }
  }
}
