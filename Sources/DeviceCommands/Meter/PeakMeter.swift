import AudioGraph
import Engine
import FrameObservers
import Glibc
import Synchronization

/// Peak of the newest frames of a pipeline, for a meter on a terminal.
///
/// Thread: the audio thread adds, one thread takes.
final class PeakMeter: Sendable {
  /// Largest magnitude of a 16-bit sample since the last take.
  private let peak = Atomic<Int>(0)

  /// Observes frames at a position.
  func observe(_ pipeline: AudioPipeline, at position: ObserverPosition) throws {
    try pipeline.observe(position) { [self] frame, _ in
      var largest = 0
      for index in 0..<frame.samples.count { largest = max(largest, abs(Int(frame.samples[index]))) }
      _ = peak.max(largest, ordering: .relaxed)
    }
  }

  /// Takes the peak since the previous call, in dBFS; nil for silence.
  func takeDecibels() -> Double? {
    let value = peak.exchange(0, ordering: .relaxed)
    return value == 0 ? nil : 20 * log10(Double(value) / 32_768)
  }
}
