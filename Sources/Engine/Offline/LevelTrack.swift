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

  /// - Parameter endPosition: where the longest source ends; nil while that is not known.
  func request(endPosition: @escaping @Sendable () -> Int?) -> ObserverRequest {
    .look(at: .mixed) { [self] frame, _ in
      // With a codec the delay is longer than a frame, so whole frames lie before the stream.
      var index = min(max(0, -frame.samplePosition), frame.samplesPerChannel)
      let end = min(frame.samplesPerChannel, (endPosition() ?? .max / 2) - frame.samplePosition)
      state.withLock { state in
        while index < end {
          let stop = min(end, index + samplesPerInterval - state.samples)
          for channel in 0..<frame.channelCount { measure(frame.plane(channel), index..<stop, &state) }
          state.values += (stop - index) * frame.channelCount
          state.samples += stop - index
          index = stop
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

  private func measure(_ plane: Span<Float>, _ range: Range<Int>, _ state: inout State) {
    var squares = 0.0
    var peak: Float = 0
    for index in range {
      let sample = plane[index]
      // The square of a float can be beyond all floats, that of a double made from one cannot.
      squares += Double(sample) * Double(sample)
      peak = max(peak, abs(sample))
    }
    state.squares += squares
    state.peak = max(state.peak, peak)
  }

  private func close(_ state: inout State) {
    let rms = max(Self.floorDBFS * 2, 10 * log10(state.squares / Double(state.values)))
    let peak = max(Self.floorDBFS * 2, 20 * log10(Double(state.peak)))
    let time = Double(state.intervals.count * samplesPerInterval) / Double(sampleRate)
    let volume = Int(min(255, max(0, (255 * (1 - rms / Self.floorDBFS)).rounded())))
    state.intervals.append(
      LevelInterval(timeSeconds: time, volume: volume, rmsDBFS: rms, peakDBFS: peak))
    state = State(intervals: state.intervals)
  }
}
