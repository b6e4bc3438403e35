package import AudioGraph

/// Multiplies a sound by a constant gain, then limits its true peak: a limiter for sound outside of a graph.
///
/// Shape: whole frames of 10 ms. The output is `latency` samples late. With a gain of 0 dB and no limiter, or an idle
/// one, it is the input, bit for bit.
///
/// Thread: one at a time.
package final class LimitedGain {
  /// Samples between input and output.
  package let latency: Int
  private let factor: Float
  private let control: RenderState<LimiterControl>
  private let limiter: RenderState<LimiterState>

  /// Creates the gain.
  ///
  /// - Parameters:
  ///   - format: format of the frames.
  ///   - gain: gain before the limiter.
  ///   - ceiling: largest true peak of the output, in dBTP; nil for no limiter.
  package init(_ format: AudioFormat, gain: Decibels, ceiling: Decibels?) {
    factor = gain.linearGain
    control = RenderState(LimiterControl(isArmed: ceiling != nil))
    let state = LimiterState(
      channelCount: format.channelCount, sampleRate: format.sampleRate, ceiling: ceiling ?? LimiterNode.defaultCeiling,
      control: control.pointer)
    latency = state.delay
    limiter = RenderState(state)
  }

  /// Smallest gain of the limiter so far; 0 dB if it has not acted.
  package var smallestGain: Decibels { Decibels(linearGain: control.pointer.pointee.smallestGain.value) }

  /// Replaces the samples of a frame by the output's.
  package func process(_ frame: Frame) {
    if factor != 1 {
      for channel in 0..<frame.channelCount {
        let plane = frame.channel(channel)
        for index in 0..<frame.samplesPerChannel { plane[index] *= factor }
      }
    }
    limiter.pointer.pointee.process(frame, frame)
  }
}
