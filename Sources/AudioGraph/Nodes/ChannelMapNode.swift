import LockFree

/// Changes the number of channels.
///
/// For more channels, target channel c repeats source channel c modulo the source's count.
/// Stereo to mono is (L + R) / 2.
///
/// Three to eight channels become two or one as in ITU-R BS.775. The loudspeakers are those of the frame's header, or
/// in the usual order of WAV files. The middle and the channels behind are 3 dB lower, low frequencies are left out,
/// and all is divided by the sum of the weights.
///
/// In any other reduction, target channel c is the mean of the source channels that fall on it by the rule for more.
public final class ChannelMapNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  private let state = RenderState<Void>(())

  /// Creates a node from `inputChannelCount` to `outputChannelCount` channels.
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
    if Downmix.applies(from: input.channelCount, to: output.channelCount) {
      mixDown(input, to: plane, target: target, of: output.channelCount)
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

@_noLocks
private func mixDown(_ input: Frame, to plane: UnsafeMutablePointer<Float>, target: Int, of targetCount: Int) {
  let count = input.samplesPerChannel
  for index in 0..<count { plane[index] = 0 }
  for source in 0..<input.channelCount {
    let weight = Downmix.weight(
      of: source, in: input.channelCount, speakers: input.header.pointee.speakers, for: target, of: targetCount)
    guard weight > 0 else { continue }
    let other = input.channel(source)
    for index in 0..<count { plane[index] += weight * other[index] }
  }
}
