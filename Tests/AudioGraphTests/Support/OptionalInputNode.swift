import AudioGraph

/// Has an input that need not be connected, and gives the length of the frame it finds there as its samples.
final class OptionalInputNode: AudioNode {
  let inputs = [InputPort("maybe", channelCounts: 1...1, multiplicity: .optional)]
  let outputs = [OutputPort(channelCount: 1)]
  let rendersInPlace = false
  private let state = RenderState<Void>(())

  var renderer: Renderer { Renderer(renderLength, state) }
}

private func renderLength(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let input = context.input(0)
  for index in 0..<context.output(0).samplesPerChannel {
    context.output(0).channel(0)[index] = input.channel(0)[index] + Float(input.samplesPerChannel)
  }
}
