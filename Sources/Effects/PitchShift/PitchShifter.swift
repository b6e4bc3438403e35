package import AudioGraph

/// Changes the pitch of a sound that is known ahead: outside of a graph, and so without a delay.
///
///     show the first `latency` samples, then process: the output belongs to the first of them, and so on
///
/// A sound that begins with the first sample comes out there, because nothing has been read before it.
///
/// Thread: one at a time, never the audio thread.
package final class PitchShifter {
  /// Samples per channel that must be shown before the first comes out.
  package let latency: Int
  private let target: RenderState<AtomicFloat>
  private let state: RenderState<TimeDomainShifter>

  /// Creates a shift by `ratio`, in the quality mode: delay does not matter here.
  package init(channelCount: Int, sampleRate: Int, ratio: PitchRatio) {
    let tuning = PitchShiftParameters(.quality, sampleRate: sampleRate)
    latency = tuning.delay
    target = RenderState(AtomicFloat(Float(ratio.value)))
    state = RenderState(
      TimeDomainShifter(tuning: tuning, channelCount: channelCount, sampleRate: sampleRate, target: target.pointer))
  }

  /// Takes up to 10 ms of the first samples. All calls together take `latency` samples, before the first `process`.
  package func show(_ frame: Frame) { state.pointer.pointee.show(frame) }

  /// Takes up to 10 ms, and gives as many samples.
  package func process(_ input: Frame, into output: Frame) { state.pointer.pointee.process(input, into: output) }
}
