import Engine
import FrameObservers
import GraphTestSupport
import Playback
import Synchronization

/// An offline pipeline with a silent voice of so many frames, actions at given ticks, and the events that come of it.
final class SoundScript: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): all of it runs on the thread that is in `run`.
  let pipeline: AudioPipeline
  let seen = Collector()
  private(set) var events: [PipelineEvent] = []
  private var actions: [Int: () throws -> Void] = [:]

  init(ticks: Int = 100, channelCount: Int = 1, hasLocalVoice: Bool = true, voice: [[Float]]? = nil) throws {
    pipeline = try AudioPipeline(mode: .offline, channelCount: channelCount)
    let planes = voice ?? [[Float]](repeating: [Float](repeating: 0, count: ticks * 480), count: channelCount)
    if hasLocalVoice {
      try pipeline.setLocalSource(try PlaneSource(planes, uid: 0))
    } else {
      try pipeline.addRemoteUser(1, from: try PlaneSource(planes))
    }
    _ = try pipeline.observe(seen.request(at: [.mixed, .record, .playback]))
    pipeline.onEvent { [self] in events.append($0) }
  }

  func at(_ tick: Int, _ action: @escaping () throws -> Void) { actions[tick] = action }

  func run() throws {
    var failure: (any Error)?
    try pipeline.runToEnd {
      do { try actions.removeValue(forKey: pipeline.tickCount)?() } catch { failure = error }
      return failure != nil
    }
    if let failure { throw failure }
  }

  /// The events, as kind and, where it is known, sample.
  var history: [String] {
    events.map { event in
      let place = event.samplePosition.map { " at \($0)" } ?? " in tick \(event.tickCount)"
      return switch event.kind {
      case .music(let state, let reason): "\(state.rawValue)/\(reason.rawValue)" + place
      case .musicFinished: "finished" + place
      case .effectFinished(let id): "effect \(id)" + place
      case .effectInterrupted(let id): "effect \(id) broken" + place
      case .warning(let warning): "warning \(warning.code.rawValue)" + place
      default: "other" + place
      }
    }
  }
}
