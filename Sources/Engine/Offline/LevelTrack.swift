import FrameObservers
import Glibc
import Synchronization

/// Measures the level of MIXED, interval by interval, with an observer like any other.
final class LevelTrack: Sendable {
  /// What is heard as silence: 0 on the scale of volumes.
  private static let floorDBFS = -60.0
  private struct State {
    var intervals: [LevelInterval] = []
    var squares = 0.0
    var peak: Float = 0
    var values = 0
    var samples = 0
  }

  private let state = Mutex(State())
  private let samplesPerInterval: Int
  private let sampleRate: Int

  init(sampleRate: Int, intervalMilliseconds: Int) {
    self.sampleRate = sampleRate
    samplesPerInterval = max(1, sampleRate * intervalMilliseconds / 1_000)
  }

  var request: ObserverRequest {
    .look(at: .mixed) { [self] frame, _ in
      state.withLock { state in
        // With a codec the delay is longer than a frame, so whole frames lie before the stream.
        for index in min(max(0, -frame.samplePosition), frame.samplesPerChannel)..<frame.samplesPerChannel {
          for channel in 0..<frame.channelCount {
            let sample = frame.plane(channel)[index]
            state.squares += Double(sample * sample)
            state.peak = max(state.peak, abs(sample))
          }
          state.values += frame.channelCount
          state.samples += 1
          if state.samples == samplesPerInterval { close(&state) }
        }
      }
    }
  }

  func finish() -> [LevelInterval] {
    state.withLock { state in
      if state.samples > 0 { close(&state) }
      return state.intervals
    }
  }

  private func close(_ state: inout State) {
    let rms = max(Self.floorDBFS * 2, 10 * log10(state.squares / Double(state.values)))
    let peak = max(Self.floorDBFS * 2, 20 * log10(Double(state.peak)))
    let time = Double(state.intervals.count * samplesPerInterval) / Double(sampleRate)
    let volume = Int((255 * (1 - rms / Self.floorDBFS)).rounded())
    state.intervals.append(
      LevelInterval(timeSeconds: time, volume: min(255, max(0, volume)), rmsDBFS: rms, peakDBFS: peak))
    state = State(intervals: state.intervals)
  }
}
