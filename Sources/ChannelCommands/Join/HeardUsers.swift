import AudioGraph
import Engine
import FrameObservers
import JSON
import Platform

/// Frames of each user of a channel that were heard before mixing.
final class HeardUsers: Sendable {
  private struct Count: Sendable {
    var frames = 0
    var concealed = 0

    /// Time with the user's own sound, and the time that was concealed if it is 100 ms or more.
    var text: String {
      let missing = concealed < 10 ? "" : ", \(Double(concealed) / 100) s missing"
      return "\(Double(frames - (missing.isEmpty ? 0 : concealed)) / 100) s\(missing)"
    }
  }

  private let counts = Guarded<[UInt32: Count]>([:])

  /// Counts the frames of a pipeline.
  func observe(_ pipeline: AudioPipeline) throws {
    try pipeline.observe(
      .readOnly(at: .beforeMixing, isAsynchronous: true) { [counts] frame, origin in
        let provenance = frame.provenance
        guard provenance != .silence else { return }
        counts.withLock { counts in
          counts[origin.uid, default: Count()].frames += 1
          if provenance == .concealed { counts[origin.uid]!.concealed += 1 }
        }
      })
  }

  /// Summary in a line.
  var text: String {
    let all = counts.withLock { $0 }.sorted { $0.key < $1.key }
    guard !all.isEmpty else { return "nobody was heard" }
    return "heard " + all.map { "user \($0.key) for \($0.value.text)" }.joined(separator: ", ")
  }

  /// Writes the counts into an object, by user.
  func write(_ json: inout JSONWriter) {
    json.object("heard") { json in
      for (uid, count) in counts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
        json.object("\(uid)") { json in
          json.field("frames", count.frames)
          json.field("concealed_ms", count.concealed * 10)
        }
      }
    }
  }
}
