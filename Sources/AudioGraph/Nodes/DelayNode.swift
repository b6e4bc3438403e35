/// Delays a stream by a fixed number of samples, without changing a bit.
public final class DelayNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort]
  public let latency: Int
  private let state: RenderState<DelayLine>

  /// Creates a delay of `samples` samples per channel that begins with silence.
  public init(samples: Int, channelCount: Int, sampleRate: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
    latency = samples
    state = RenderState(
      DelayLine(
        delay: samples, channelCount: channelCount,
        maximumCount: FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel))
  }

  public var renderer: Renderer { Renderer(renderDelay, state) }
}

@_noLocks
private func renderDelay(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let input = context.input(0)
  let output = context.output(0)
  let line = state.assumingMemoryBound(to: DelayLine.self)
  for channel in 0..<input.channelCount {
    line.pointee.process(
      input.channel(channel), output.channel(channel), count: input.samplesPerChannel, channel: channel)
  }
  line.pointee.advance(input.samplesPerChannel)
}
