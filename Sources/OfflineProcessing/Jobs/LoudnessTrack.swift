import AudioGraph
import FrameObservers
import Metering

/// Measures the loudness at a position over time, with an ordinary observer on its own thread.
final class LoudnessTrack: Sendable {
  // SAFETY (@unchecked Sendable): reached through the lock only.
  private struct State: @unchecked Sendable {
    var meter: LoudnessMeter?
    var failure: EngineError?
    let moments = SpooledRows<Loudness.Moment>()
    var interleaved: [Float] = []
    /// Samples per channel so far.
    var position = 0
    /// End of the newest row, in samples per channel.
    var notedPosition = 0
  }

  private let state = Guarded(State())
  private let position: ObserverPosition
  private let intervalMilliseconds: Int
  private let speakers: UInt32

  /// Creates a track of `position`; only one sound may pass there.
  ///
  /// - Parameters:
  ///   - position: position to measure.
  ///   - intervalMilliseconds: length of a row, in milliseconds.
  ///   - speakers: loudspeakers of the channels, bit by bit; 0 for the usual ones.
  init(at position: ObserverPosition, intervalMilliseconds: Int, speakers: UInt32) {
    self.position = position
    self.intervalMilliseconds = intervalMilliseconds
    self.speakers = speakers
  }

  /// Returns the request for the observer.
  ///
  /// - Parameter endPosition: returns the end of the sound; nil while it is unknown.
  func request(endPosition: @escaping @Sendable () -> Int?) -> ObserverRequest {
    var request = ObserverRequest.readOnly(at: position, isAsynchronous: true) { [self] frame, _ in
      // With a delay, whole frames precede the stream.
      let begin = min(max(0, -frame.samplePosition), frame.samplesPerChannel)
      let end = min(frame.samplesPerChannel, (endPosition() ?? .max / 2) - frame.samplePosition)
      guard begin < end else { return }
      state.withLock { state in
        guard state.failure == nil else { return }
        do throws(EngineError) {
          try add(frame, begin..<end, to: &state)
        } catch {
          state.failure = error
        }
      }
    }
    request.isMeasured = false
    return request
  }

  /// Notes the last row and returns the loudness.
  ///
  /// - Parameter sampleRate: rate of the sound, in Hz.
  /// - Returns: loudness over time and of the whole.
  /// - Throws: the reason for a failed measurement.
  func finish(sampleRate: Int) throws -> Loudness {
    let (result, failure) = try state.withLock { state -> (Loudness?, EngineError?) in
      guard let meter = state.meter else { return (nil, state.failure) }
      if state.position > state.notedPosition { Self.note(&state, sampleRate: sampleRate) }
      try state.moments.seal()
      return (
        Loudness(
          moments: state.moments, integrated: meter.integrated, range: meter.range, truePeak: meter.truePeak),
        state.failure
      )
    }
    if let failure { throw failure }
    return result
      ?? Loudness(
        moments: SpooledRows(), integrated: nil, range: nil, truePeak: nil)
  }

  private func add(
    _ frame: borrowing AudioFrame, _ range: Range<Int>, to state: inout State
  ) throws(EngineError) {
    let channelCount = frame.channelCount
    if state.meter == nil {
      state.meter = try LoudnessMeter(
        sampleRate: frame.sampleRate, channelCount: channelCount, speakers: speakers)
    }
    let meter = state.meter!
    let needed = frame.samplesPerChannel * channelCount
    if state.interleaved.count < needed { state.interleaved = [Float](repeating: 0, count: needed) }
    for channel in 0..<channelCount {
      let plane = frame.plane(channel)
      for index in range { state.interleaved[index * channelCount + channel] = plane[index] }
    }
    var index = range.lowerBound
    while index < range.upperBound {
      let boundary = (state.moments.count + 1) * intervalMilliseconds * frame.sampleRate / 1_000
      let stop = min(range.upperBound, index + max(1, boundary - state.position))
      var failure: EngineError?
      state.interleaved.withUnsafeBufferPointer { samples in
        do throws(EngineError) {
          try meter.add(samples.baseAddress! + index * channelCount, samplesPerChannel: stop - index)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      state.position += stop - index
      index = stop
      if state.position >= boundary { Self.note(&state, sampleRate: frame.sampleRate) }
    }
  }

  private static func note(_ state: inout State, sampleRate: Int) {
    guard let meter = state.meter else { return }
    state.notedPosition = state.position
    state.moments.append(
      .init(
        timeSeconds: Double(state.position) / Double(sampleRate), momentary: meter.momentary,
        shortTerm: meter.shortTerm))
  }
}
