import AudioGraph

/// A node of one's own: the level swings between full and a third, `hertz` times a second.
///
/// The object lives on the control thread; the audio thread sees only the state and the function at the end.
final class Tremolo: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private let state: RenderState<TremoloState>

  init(hertz: Float, channelCount: Int, sampleRate: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(TremoloState(step: 2 * hertz / Float(sampleRate)))
  }

  var renderer: Renderer { Renderer(renderTremolo, state) }
}

private struct TremoloState {
  let step: Float
  /// -1...1: its magnitude is a triangle wave.
  var phase: Float = 0
}

/// Called every 10 ms. The compiler refuses it if it could lock, allocate or count references.
@_noLocks
private func renderTremolo(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let tremolo = state.assumingMemoryBound(to: TremoloState.self)
  let (input, output) = (context.input(0), context.output(0))
  var phase = tremolo.pointee.phase
  for index in 0..<output.samplesPerChannel {
    let gain = 1 - abs(phase) * (2 / 3)
    for channel in 0..<output.channelCount { output.channel(channel)[index] = input.channel(channel)[index] * gain }
    phase += tremolo.pointee.step
    if phase >= 1 { phase -= 2 }
  }
  tremolo.pointee.phase = phase
}
