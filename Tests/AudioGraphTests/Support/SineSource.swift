import AudioGraph
import Glibc

/// A sine of known peak and known largest step from sample to sample, at any phase; at 0 Hz a constant.
final class SineSource: AudioNode {
  let inputs: [InputPort] = []
  let outputs = [OutputPort(channelCount: 1)]
  let peak: Double
  /// No two neighbouring samples differ by more: |sin(a + d) - sin(a)| <= 2 sin(d / 2).
  let largestStep: Double
  private let state: RenderState<SineState>

  init(peak: Double, hertz: Double, phase: Double, sampleRate: Int) {
    let advance = 2 * Double.pi * hertz / Double(sampleRate)
    self.peak = peak
    largestStep = peak * 2 * sin(advance / 2)
    state = RenderState(SineState(peak: peak, advance: advance, phase: phase))
  }

  var renderer: Renderer { Renderer(renderSine, state) }
}

private struct SineState: ~Copyable {
  let peak: Double
  let advance: Double
  var phase: Double

  init(peak: Double, advance: Double, phase: Double) {
    self.peak = peak
    self.advance = advance
    self.phase = phase
  }
}

private func renderSine(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let output = RenderContext(context).output(0)
  let state = state.assumingMemoryBound(to: SineState.self)
  let samples = output.channel(0)
  let (peak, advance) = (state.pointee.peak, state.pointee.advance)
  var phase = state.pointee.phase
  for index in 0..<output.samplesPerChannel {
    samples[index] = Float(peak * sin(phase))
    phase += advance
  }
  state.pointee.phase = phase
}
