import FrameObservers
import PitchDetection
import Synchronization

/// The pitch of an input over time: an observer that shows each frame to a tracker.
final class PitchTrack: Sendable {
  // SAFETY (@unchecked Sendable): reached through the mutex only.
  private struct State: ~Copyable, @unchecked Sendable {
    var tracker: PitchTracker?
    var points: [PitchPoint] = []
    var mean: [Float] = []
    var failure: (any Error)?
  }

  private let state = Mutex(State())

  /// The observer; the tracker is made with its first frame, which tells the rate.
  var request: ObserverRequest {
    .look(at: .beforeMixing) { [self] frame, _ in
      state.withLock { state in
        guard state.failure == nil else { return }
        do {
          if state.tracker == nil { state.tracker = try PitchTracker(sampleRate: frame.sampleRate) }
        } catch {
          state.failure = error
          return
        }
        Self.mix(frame, into: &state.mean)
        let point = state.mean.withUnsafeBufferPointer {
          state.tracker!.process($0.baseAddress!, samplesPerChannel: frame.samplesPerChannel)
        }
        if let point { state.points.append(point) }
      }
    }
  }

  /// The rows of the first `seconds`. Call it once, after the last frame.
  func finish(seconds: Double) throws -> [PitchPoint] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      while let point = state.tracker?.finish() { state.points.append(point) }
      return state.points.filter { $0.seconds < seconds }
    }
  }

  /// The mean of all channels.
  private static func mix(_ frame: borrowing AudioFrame, into mean: inout [Float]) {
    let count = frame.samplesPerChannel
    if mean.count != count { mean = [Float](repeating: 0, count: count) }
    let weight = 1 / Float(frame.channelCount)
    for channel in 0..<frame.channelCount {
      let plane = frame.plane(channel)
      for index in 0..<count { mean[index] = (channel == 0 ? 0 : mean[index]) + plane[index] * weight }
    }
  }
}
