import AudioGraph
public import FrameObservers
import Platform

/// Pitch of a voice over time: an observer on a thread of its own that passes each of its frames to a tracker.
///
/// `FileAnalysis` has one. A job of `FileProcessing` takes another among its observers:
///
///     let pitch = PitchTrack()                    // of AudioPipeWithPitch
///     job.observers.append(pitch.request())
///     let result = try job.prepare().run()
///     let seconds = Double(result.inputSamplesPerChannel) / Double(result.inputFormat.sampleRate)
///     print(try pitch.finish(seconds: seconds).medianHertz ?? 0)
///
/// Memory: 1 MB, whatever the length of the sound. Rows that are kept go to a temporary file.
public final class PitchTrack: Sendable {
  /// Makes a tracker for a sample rate in Hz, or throws the reason why the rate is not possible.
  public typealias MakeTracker = @Sendable (_ sampleRate: Int) throws -> any PitchTracking

  // SAFETY (@unchecked Sendable): reached through the lock only.
  private struct State: ~Copyable, @unchecked Sendable {
    var tracker: (any PitchTracking)?
    let rows = SpooledRows<PitchRow>()
    var counts = PitchHistogram()
    var mean: [Float] = []
    /// Start of the first frame, in seconds; negative while the graph's delay fills.
    var start = 0.0
    var sampleRate = 1
    var failure: (any Error)?
  }

  private let state = Guarded(State())
  private let position: ObserverPosition
  private let uid: UInt32?
  private let keepsRows: Bool
  private let onRow: (@Sendable (PitchRow) -> Void)?
  private let makeTracker: MakeTracker

  /// Creates a track.
  ///
  /// - Parameters:
  ///   - position: Position to observe.
  ///   - uid: User of the voice; nil for a position with a single sound.
  ///   - keepsRows: Whether the result has every row.
  ///   - onRow: Called with each row, in order of time, some 200 ms of sound after it. Thread: the observer's, then
  ///     that of `finish`.
  ///   - tracker: Makes the tracker when the first frame shows the sample rate.
  public init(
    at position: ObserverPosition = .beforeMixing, uid: UInt32? = 1, keepsRows: Bool = true,
    onRow: (@Sendable (PitchRow) -> Void)? = nil, tracker: @escaping MakeTracker
  ) {
    self.position = position
    self.uid = uid
    self.keepsRows = keepsRows
    self.onRow = onRow
    makeTracker = tracker
  }

  /// Returns the request for the observer. All channels count as one voice.
  ///
  /// - Parameter endPosition: Returns the end of the sound, in samples per channel; nil while unknown. Without it,
  ///   `onRow` and a track that keeps no rows get some frames of silence behind the end.
  public func request(endPosition: @escaping @Sendable () -> Int? = { nil }) -> ObserverRequest {
    var request = ObserverRequest.readOnly(at: position, isAsynchronous: true) { [self] frame, origin in
      guard uid == nil || origin.uid == uid else { return }
      state.withLock { state in
        guard state.failure == nil else { return }
        do {
          if state.tracker == nil {
            state.tracker = try makeTracker(frame.sampleRate)
            state.sampleRate = frame.sampleRate
            state.start = Double(frame.samplePosition) / Double(frame.sampleRate)
          }
        } catch {
          state.failure = error
          return
        }
        Self.mix(frame, into: &state.mean)
        let row = state.mean.withUnsafeBufferPointer {
          state.tracker!.process($0.baseAddress!, samplesPerChannel: frame.samplesPerChannel)
        }
        if let row { take(row, end: endPosition(), &state) }
      }
    }
    request.isMeasured = false
    return request
  }

  /// Returns the pitch of the first `seconds`. Call it once, after the last frame.
  ///
  /// - Throws: The error of `tracker`; `StoredRowsError` if the rows cannot be read again.
  public func finish(seconds: Double) throws -> PitchMeasurement {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      let end = Int((seconds * Double(state.sampleRate)).rounded())
      while let row = state.tracker?.finish() { take(row, end: end, &state) }
      var counts = state.counts
      try state.rows.seal { row in
        guard row.seconds >= seconds else { return false }
        counts.remove(row)
        return true
      }
      return PitchMeasurement(rows: state.rows, counts: counts)
    }
  }

  /// Takes a row of the sound. A row comes 200 ms after its time, when it is known whether the sound has ended before.
  private func take(_ found: PitchRow, end: Int?, _ state: inout State) {
    let row = PitchRow(seconds: found.seconds + state.start, hertz: found.hertz, voicing: found.voicing)
    let endSeconds = end.map { Double($0) / Double(state.sampleRate) } ?? .infinity
    guard row.seconds >= 0, row.seconds < endSeconds else { return }
    state.counts.add(row)
    if keepsRows { state.rows.append(row) }
    onRow?(row)
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
