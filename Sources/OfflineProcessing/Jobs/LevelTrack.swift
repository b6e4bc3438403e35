import AudioGraph
import Engine
import FrameObservers
import Metering

/// Measures the level of MIXED, interval by interval, with an ordinary observer.
final class LevelTrack: Sendable {
  private struct State: Sendable {
    let intervals = SpooledRows<LevelInterval>()
    var voice: VoiceActivity
    var level = FrameLevel()
    var samples = 0
    var voiceSamples = 0
  }

  private let state: Guarded<State>
  private let samplesPerInterval: Int
  private let sampleRate: Int

  init(format: AudioFormat, intervalMilliseconds: Int) {
    sampleRate = format.sampleRate
    samplesPerInterval = max(1, sampleRate * intervalMilliseconds / 1_000)
    state = Guarded(State(voice: VoiceActivity(sampleRate: sampleRate, channelCount: format.channelCount)))
  }

  /// Returns the request for the observer.
  ///
  /// - Parameter endPosition: returns the end of the longest source; nil while it is unknown.
  func request(endPosition: @escaping @Sendable () -> Int?) -> ObserverRequest {
    .readOnly(at: .mixed) { [self] frame, _ in
      // With a codec the delay is longer than a frame, so whole frames precede the stream.
      var index = min(max(0, -frame.samplePosition), frame.samplesPerChannel)
      let end = min(frame.samplesPerChannel, (endPosition() ?? .max / 2) - frame.samplePosition)
      state.withLock { state in
        let isVoice = state.voice.detect(frame)
        while index < end {
          let stop = min(end, index + samplesPerInterval - state.samples)
          for channel in 0..<frame.channelCount {
            frame.plane(channel).withUnsafeBufferPointer {
              state.level.add($0.baseAddress! + index, count: stop - index)
            }
          }
          state.samples += stop - index
          if isVoice { state.voiceSamples += stop - index }
          index = stop
          if state.samples == samplesPerInterval { close(&state) }
        }
      }
    }
  }

  /// Closes the last interval and returns all.
  ///
  /// - Throws: errors of `SpooledRows.seal`.
  func finish() throws -> SpooledRows<LevelInterval> {
    try state.withLock { state in
      if state.samples > 0 { close(&state) }
      try state.intervals.seal()
      return state.intervals
    }
  }

  private func close(_ state: inout State) {
    let time = Double(state.intervals.count * samplesPerInterval) / Double(sampleRate)
    state.intervals.append(
      LevelInterval(timeSeconds: time, level: state.level, isVoice: 2 * state.voiceSamples > state.samples))
    state.level = FrameLevel()
    state.samples = 0
    state.voiceSamples = 0
  }
}
