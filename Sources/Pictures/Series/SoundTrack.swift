import AudioGraph
public import Engine
public import FrameObservers
import Metering

/// Follows the waveform, the level and the voice activity at a position, with an observer on its own thread.
public final class SoundTrack: Sendable {
  // SAFETY (@unchecked Sendable): reached through the lock only.
  private struct State: @unchecked Sendable {
    var series: SoundSeries?
    var voice: VoiceActivity?
    var planes: [UnsafePointer<Float>] = []
  }

  private let state = Guarded(State())
  private let position: ObserverPosition

  /// Creates a track of `position`; only one sound may pass there.
  public init(at position: ObserverPosition) { self.position = position }

  /// Registers the observer, before the pipeline runs. Call it once.
  ///
  /// - Throws: errors of `AudioPipeline.observe`.
  public func observe(_ pipeline: AudioPipeline) throws {
    // A strong reference would be a cycle of the pipeline.
    _ = try pipeline.observe(request { [weak pipeline] in pipeline?.endPosition })
  }

  /// Returns the request for the observer, given the end of the sound in samples, nil while it is unknown.
  private func request(end: @escaping @Sendable () -> Int?) -> ObserverRequest {
    var request = ObserverRequest.readOnly(at: position, isAsynchronous: true) { [self] frame, _ in
      // With a delay, whole frames precede the stream.
      let first = min(max(0, -frame.samplePosition), frame.samplesPerChannel)
      let last = min(frame.samplesPerChannel, (end() ?? .max / 2) - frame.samplePosition)
      state.withLock { state in
        if state.series == nil {
          state.series = SoundSeries(sampleRate: frame.sampleRate, channelCount: frame.channelCount)
          state.voice = VoiceActivity(sampleRate: frame.sampleRate, channelCount: frame.channelCount)
        }
        let isVoice = state.voice!.detect(frame)
        guard first < last else { return }
        state.planes.removeAll(keepingCapacity: true)
        for channel in 0..<frame.channelCount {
          // SAFETY: the planes stay in place while the frame is borrowed, which is longer than they are used.
          frame.plane(channel).withUnsafeBufferPointer { state.planes.append($0.baseAddress! + first) }
        }
        state.series!.append(state.planes, count: last - first, isVoice: isVoice)
      }
    }
    request.isMeasured = false
    return request
  }

  /// Series so far; nil before the first frame.
  public var series: SoundSeries? { state.withLock { $0.series } }
}
