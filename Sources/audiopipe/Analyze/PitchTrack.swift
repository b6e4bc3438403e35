import FrameObservers
import PitchDetection

/// The pitch of a voice over time: an observer on a thread of its own that shows each of its frames to a tracker.
final class PitchTrack: Sendable {
  // SAFETY (@unchecked Sendable): reached through the lock only.
  private struct State: ~Copyable, @unchecked Sendable {
    var tracker: PitchTracker?
    var points: [PitchPoint] = []
    var mean: [Float] = []
    /// Where the first frame began; before 0 where the graph's delay is being filled.
    var start = 0.0
    var failure: (any Error)?
  }

  private let state = Guarded(State())
  private let uid: UInt32

  /// A track of one user, before it is mixed.
  init(uid: UInt32 = 1) { self.uid = uid }

  /// The observer; the tracker is made with its first frame, which tells the rate.
  var request: ObserverRequest {
    var request = ObserverRequest.look(at: .beforeMixing, isAsynchronous: true) { [self] frame, source in
      guard source.uid == uid else { return }
      state.withLock { state in
        guard state.failure == nil else { return }
        do {
          if state.tracker == nil {
            state.tracker = try PitchTracker(sampleRate: frame.sampleRate)
            state.start = Double(frame.samplePosition) / Double(frame.sampleRate)
          }
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
    request.isMeasured = false
    return request
  }

  /// The rows of the first `seconds`. Call it once, after the last frame.
  func finish(seconds: Double) throws -> [PitchPoint] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      while let point = state.tracker?.finish() { state.points.append(point) }
      let start = state.start
      return state.points.map { PitchPoint(seconds: $0.seconds + start, estimate: $0.estimate) }
        .filter { (0..<seconds).contains($0.seconds) }
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
