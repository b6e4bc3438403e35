import AudioGraph

/// Adds mono inputs up, as anyone may write it with the public interface.
final class FadingSumNode: AudioNode {
  let inputs = [InputPort(channelCounts: 1...1, multiplicity: .any)]
  let outputs = [OutputPort(channelCount: 1)]
  let rendersInPlace = false
  private let state = RenderState<Void>(())

  var renderer: Renderer { Renderer(renderFadingSum, state) }
}

private func renderFadingSum(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let output = context.output(0)
  let count = output.samplesPerChannel
  for index in 0..<count { output.channel(0)[index] = 0 }
  for input in 0..<context.inputCount {
    let fade = context.fade(ofInput: input)
    for index in 0..<count {
      output.channel(0)[index] +=
        context.input(input).channel(0)[index] * (fade.start + fade.step(over: count) * Float(index + 1))
    }
  }
}
