/// Changes the number of channels.
///
/// More channels: target channel c repeats source channel c modulo the source's count. Fewer: target channel c is
/// the mean of the source channels that fall on it by the same rule, so stereo to mono is (L + R) / 2.
public final class ChannelMapNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  private let state = RenderState<Void>(())

  /// A node from `inputChannelCount` to `outputChannelCount` channels.
  public init(from inputChannelCount: Int, to outputChannelCount: Int) {
    inputs = [InputPort(channelCount: inputChannelCount)]
    outputs = [OutputPort(channelCount: outputChannelCount)]
  }

  public var rendersInPlace: Bool { false }
  public var keepsSilence: Bool { true }
  public var renderer: Renderer { Renderer(renderChannelMap, state) }
}

@_noLocks
private func renderChannelMap(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let input = context.input(0)
  let output = context.output(0)
  let count = output.samplesPerChannel
  for target in 0..<output.channelCount {
    let plane = output.channel(target)
    if input.channelCount <= output.channelCount {
      copySamples(from: input.channel(target % input.channelCount), to: plane, count: count)
      continue
    }
    var sources = 0
    var source = target
    while source < input.channelCount {
      let other = input.channel(source)
      if sources == 0 {
        copySamples(from: other, to: plane, count: count)
      } else {
        for index in 0..<count { plane[index] += other[index] }
      }
      sources &+= 1
      source &+= output.channelCount
    }
    let weight = 1 / Float(sources)
    for index in 0..<count { plane[index] *= weight }
  }
}
