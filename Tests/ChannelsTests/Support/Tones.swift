import Channels
import Engine
import FrameObservers
import Platform
import TestSupport

/// The sound at PLAYBACK of an engine, by channel.
final class Tones: Sendable {
  private let samples = Guarded<[[Float]]>([])
  /// Sample of the pipeline's time with which the sound begins.
  private let start = Guarded<Int?>(nil)

  init(_ engine: RtcEngine) {
    _ = try? engine.pipeline.observe(.playback) { [samples, start] frame, _ in
      start.withLock { $0 = $0 ?? frame.samplePosition }
      samples.withLock { samples in
        if samples.isEmpty { samples = [[Float]](repeating: [], count: frame.channelCount) }
        for channel in 0..<frame.channelCount {
          samples[channel] += (0..<frame.samplesPerChannel).map {
            Float(frame.samples[$0 * frame.channelCount + channel]) / 32_768
          }
        }
      }
    }
  }

  /// Amplitude of a frequency between two times of the pipeline, in seconds.
  func amplitude(of hertz: Double, _ seconds: Range<Double>, channel: Int = 0) -> Double {
    let begin = start.withLock { $0 ?? 0 }
    let all = samples.withLock { $0.indices.contains(channel) ? $0[channel] : [] }
    let range = Int(seconds.lowerBound * 48_000) - begin..<Int(seconds.upperBound * 48_000) - begin
    guard range.lowerBound >= 0, range.upperBound <= all.count else { return .nan }
    return toneAmplitude(of: hertz, in: all[range], sampleRate: 48_000)
  }
}
