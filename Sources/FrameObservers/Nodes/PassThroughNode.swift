import AudioGraph

/// The point at which the path continues behind the observers of a tap point; does nothing, in place.
final class PassThroughNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private let state = RenderState<Void>(())

  init(channelCount: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
  }

  var keepsSilence: Bool { true }
  var renderer: Renderer { Renderer(renderAnchor, state) }
}

@_noLocks
private func renderAnchor(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let input = context.input(0)
  let output = context.output(0)
  // If a reader needs the input later, the two differ in memory.
  if output.header != input.header { output.copy(from: input) }
}
