import AudioGraph

/// Output o is the sum of the inputs, input i times `gains[o][i]`, added in the order of the inputs.
///
/// With one gain it is a plain gain. It declares a latency where a test only looks at headers.
final class LinearNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  let latency: Int
  let rendersInPlace: Bool
  private let state: RenderState<LinearState>

  init(
    gains: [[Float]], channelCounts: ClosedRange<Int>, outputChannelCount: Int, inPlace: Bool = true, latency: Int = 0
  ) {
    inputs = gains[0].indices.map { InputPort("in \($0)", channelCounts: channelCounts) }
    outputs = gains.indices.map { OutputPort("out \($0)", channelCount: outputChannelCount) }
    rendersInPlace = inPlace
    self.latency = latency
    state = RenderState(LinearState(gains: gains))
  }

  convenience init(gain: Float, channelCount: Int = 1, inPlace: Bool = true) {
    self.init(
      gains: [[gain]], channelCounts: channelCount...channelCount, outputChannelCount: channelCount, inPlace: inPlace)
  }

  var renderer: Renderer { Renderer(renderLinear, state) }

  /// What comes out for the samples `inputs`.
  static func apply(_ gains: [Float], _ inputs: [Float]) -> Float {
    var sum: Float = 0
    for (gain, input) in zip(gains, inputs) { sum += gain * input }
    return sum
  }
}

private struct LinearState: ~Copyable {
  let gains: [[Float]]
}

private func renderLinear(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let gains = state.assumingMemoryBound(to: LinearState.self).pointee.gains
  for channel in 0..<context.output(0).channelCount {
    for index in 0..<context.output(0).samplesPerChannel {
      // All inputs first: an output may lie in an input's memory.
      let samples = (0..<context.inputCount).map { input in
        let frame = context.input(input)
        return frame.channel(min(channel, frame.channelCount - 1))[index]
      }
      for (output, row) in gains.enumerated() {
        context.output(output).channel(channel)[index] = LinearNode.apply(row, samples)
      }
    }
  }
}
