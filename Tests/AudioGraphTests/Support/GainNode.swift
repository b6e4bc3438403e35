import AudioGraph

/// A constant mono gain, in place.
final class GainNode: AudioNode {
  let inputs = [InputPort(channelCount: 1)]
  let outputs = [OutputPort(channelCount: 1)]
  private let state: RenderState<Float>

  init(_ gain: Float) { state = RenderState(gain) }

  var renderer: Renderer { Renderer(renderGain, state) }
}

private func renderGain(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let input = context.input(0).channel(0)
  let output = context.output(0).channel(0)
  let gain = state.assumingMemoryBound(to: Float.self).pointee
  for index in 0..<context.output(0).samplesPerChannel { output[index] = input[index] * gain }
}
