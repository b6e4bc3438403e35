import FrameObservers

/// Measures the loudness of BEFORE MIXING over time, with an observer like any other.
final class LoudnessTrack: Sendable {
  // SAFETY (@unchecked Sendable): reached through the lock only.
  private struct State: @unchecked Sendable {
    var meter: LoudnessMeter?
    var failure: EngineError?
    var moments: [Loudness.Moment] = []
    var interleaved: [Float] = []
    var position = 0
  }

  private let state = Guarded(State())
  private let framesPerInterval: Int

  init(framesPerInterval: Int) { self.framesPerInterval = framesPerInterval }

  /// - Parameter endPosition: where the file ends; nil while that is not known.
  func request(endPosition: @escaping @Sendable () -> Int?) -> ObserverRequest {
    .look(at: .beforeMixing) { [self] frame, _ in
      let count = min(frame.samplesPerChannel, max(0, (endPosition() ?? .max) - frame.samplePosition))
      guard count > 0 else { return }
      state.withLock { state in
        guard state.failure == nil else { return }
        do throws(EngineError) {
          try Self.add(frame, count: count, to: &state)
          if (frame.sequenceNumber + 1) % framesPerInterval == 0 { Self.note(&state, sampleRate: frame.sampleRate) }
        } catch {
          state.failure = error
        }
      }
    }
  }

  /// Throws: why it could not be measured.
  func finish(sampleRate: Int) throws(EngineError) -> Loudness {
    let (result, failure) = state.withLock { state -> (Loudness?, EngineError?) in
      guard let meter = state.meter else { return (nil, state.failure) }
      let last = state.moments.last?.timeSeconds ?? 0
      if Double(state.position) / Double(sampleRate) > last { Self.note(&state, sampleRate: sampleRate) }
      return (
        Loudness(
          moments: state.moments, integrated: meter.integrated, range: meter.range, truePeak: meter.truePeak),
        state.failure
      )
    }
    if let failure { throw failure }
    return result
      ?? Loudness(
        moments: [], integrated: LoudnessMeter.floor, range: 0, truePeak: LoudnessMeter.floor)
  }

  private static func add(_ frame: borrowing AudioFrame, count: Int, to state: inout State) throws(EngineError) {
    let channelCount = frame.channelCount
    if state.meter == nil {
      state.meter = try LoudnessMeter(sampleRate: frame.sampleRate, channelCount: channelCount)
    }
    let needed = frame.samplesPerChannel * channelCount
    if state.interleaved.count < needed { state.interleaved = [Float](repeating: 0, count: needed) }
    for channel in 0..<channelCount {
      let plane = frame.plane(channel)
      for index in 0..<count { state.interleaved[index * channelCount + channel] = plane[index] }
    }
    var failure: EngineError?
    state.interleaved.withUnsafeBufferPointer { samples in
      do throws(EngineError) {
        try state.meter!.add(samples.baseAddress!, samplesPerChannel: count)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    state.position += count
  }

  private static func note(_ state: inout State, sampleRate: Int) {
    guard let meter = state.meter else { return }
    state.moments.append(
      .init(
        timeSeconds: Double(state.position) / Double(sampleRate), momentary: meter.momentary,
        shortTerm: meter.shortTerm))
  }
}
