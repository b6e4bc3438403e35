import AudioGraph

/// Noise that is louder than full scale for half of each second, so that limiters have something to do.
final class NoiseNode: AudioNode {
  let inputs: [InputPort] = []
  let outputs: [OutputPort]
  private let state: RenderState<NoiseState>

  init(channelCount: Int, seed: UInt32) {
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(NoiseState(seed: seed))
  }

  var renderer: Renderer { Renderer(renderNoise, state) }
}

private struct NoiseState: ~Copyable {
  private var word: UInt32

  init(seed: UInt32) { word = seed }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let peak: Float = context.tick.index % 100 < 50 ? 1.4 : 0.3
    for channel in 0..<output.channelCount {
      let plane = output.channel(channel)
      for index in 0..<output.samplesPerChannel {
        // Marsaglia's xorshift (2003).
        word ^= word << 13
        word ^= word >> 17
        word ^= word << 5
        plane[index] = Float(Int32(bitPattern: word)) * 0x1p-31 * peak
      }
    }
  }
}

@_noLocks
private func renderNoise(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: NoiseState.self).pointee.render(RenderContext(context))
}
