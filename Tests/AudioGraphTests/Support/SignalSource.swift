import AudioGraph

/// Plays a signal that a test writes down as a function of channel and sample index, from its own index 0 on.
final class SignalSource: AudioNode {
  let inputs: [InputPort] = []
  let outputs: [OutputPort]
  private let state: RenderState<SignalState>

  init(channelCount: Int = 1, _ sample: @escaping @Sendable (_ channel: Int, _ index: Int) -> Float) {
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(SignalState(sample: sample, isSilent: false))
  }

  /// A source whose frames are silent and say so.
  init(silentChannelCount: Int) {
    outputs = [OutputPort(channelCount: silentChannelCount)]
    state = RenderState(SignalState(sample: { _, _ in 0 }, isSilent: true))
  }

  /// A constant.
  convenience init(constant: Float, channelCount: Int = 1) {
    self.init(channelCount: channelCount) { _, _ in constant }
  }

  /// 1 at `index`, else 0.
  convenience init(impulseAt index: Int) { self.init { $1 == index ? 1 : 0 } }

  var renderer: Renderer { Renderer(renderSignal, state) }
}

private struct SignalState: ~Copyable {
  let sample: @Sendable (_ channel: Int, _ index: Int) -> Float
  let isSilent: Bool
  var position = 0

  init(sample: @escaping @Sendable (_ channel: Int, _ index: Int) -> Float, isSilent: Bool) {
    self.sample = sample
    self.isSilent = isSilent
  }
}

private func renderSignal(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let output = RenderContext(context).output(0)
  let state = state.assumingMemoryBound(to: SignalState.self)
  for channel in 0..<output.channelCount {
    for index in 0..<output.samplesPerChannel {
      output.channel(channel)[index] = state.pointee.sample(channel, state.pointee.position + index)
    }
  }
  output.header.pointee.isSilent = state.pointee.isSilent
  state.pointee.position += output.samplesPerChannel
}
