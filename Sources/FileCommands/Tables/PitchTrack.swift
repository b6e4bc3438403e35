import AudioGraph
import Engine
import FrameObservers
import Pictures
import PitchDetection

/// Pitch of a voice over time: an observer on a thread of its own that passes each of its frames to a tracker.
final class PitchTrack: Sendable {
  /// Results that are kept.
  enum Kind {
    /// Every row.
    case rows
    /// A series in bounded memory.
    case series
    case both
  }

  // SAFETY (@unchecked Sendable): reached through the lock only.
  private struct State: ~Copyable, @unchecked Sendable {
    var tracker: PitchTracker?
    let rows = SpooledRows<PitchPoint>()
    var series = PitchSeries()
    var mean: [Float] = []
    /// Start of the first frame, in seconds; negative while the graph's delay fills.
    var start = 0.0
    var sampleRate = 1
    var failure: (any Error)?
  }

  private let state = Guarded(State())
  private let position: ObserverPosition
  private let uid: UInt32?
  private let kind: Kind

  /// Creates a track of one user's voice before the mix, or, with nil, of a position with a single sound.
  init(at position: ObserverPosition = .beforeMixing, uid: UInt32? = 1, keeping kind: Kind = .rows) {
    self.position = position
    self.uid = uid
    self.kind = kind
  }

  /// Returns the observer; its first frame, which has the rate, creates the tracker.
  ///
  /// - Parameter end: returns the end of the sound, in samples; nil while unknown. Needed for a series.
  func request(end: @escaping @Sendable () -> Int? = { nil }) -> ObserverRequest {
    var request = ObserverRequest.readOnly(at: position, isAsynchronous: true) { [self] frame, source in
      guard uid == nil || source.uid == uid else { return }
      state.withLock { state in
        guard state.failure == nil else { return }
        do {
          if state.tracker == nil {
            state.tracker = try PitchTracker(sampleRate: frame.sampleRate)
            state.sampleRate = frame.sampleRate
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
        if let point { keep(point, end: end(), &state) }
      }
    }
    request.isMeasured = false
    return request
  }

  /// Returns the rows of the first `seconds`, and their series. Call it once, after the last frame.
  func finish(seconds: Double) throws -> (rows: SpooledRows<PitchPoint>, series: PitchSeries) {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      let end = Int((seconds * Double(state.sampleRate)).rounded())
      while let point = state.tracker?.finish() { keep(point, end: end, &state) }
      try state.rows.seal { $0.seconds >= seconds }
      return (state.rows, state.series)
    }
  }

  /// Keeps a row of the sound. A row comes 200 ms after its time, when it is known whether the sound has ended before.
  private func keep(_ point: PitchPoint, end: Int?, _ state: inout State) {
    let row = PitchPoint(seconds: point.seconds + state.start, estimate: point.estimate)
    let endSeconds = end.map { Double($0) / Double(state.sampleRate) } ?? .infinity
    guard row.seconds >= 0, row.seconds < endSeconds else { return }
    if kind != .series { state.rows.append(row) }
    if kind != .rows { state.series.append(row) }
  }

  /// Computes the mean of all channels.
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
