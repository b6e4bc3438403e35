import AudioGraph

/// A source that leaves its frame as it is: what it costs is the graph's own.
final class IdleSourceNode: AudioNode {
  let inputs: [InputPort] = []
  let outputs: [OutputPort]
  private let state = RenderState<Void>(())

  init(channelCount: Int) { outputs = [OutputPort(channelCount: channelCount)] }

  var renderer: Renderer { Renderer(renderIdle, state) }
}

/// A step in a path that does nothing, in place.
final class IdleNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private let state = RenderState<Void>(())

  init(channelCount: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    outputs = [OutputPort(channelCount: channelCount)]
  }

  var renderer: Renderer { Renderer(renderIdle, state) }
}

@_noLocks
private func renderIdle(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {}

/// Gives the frames of a signal over and over.
final class LoopSourceNode: AudioNode {
  let inputs: [InputPort] = []
  let outputs: [OutputPort]
  private let state: RenderState<LoopState>

  /// All channels get the same samples, whose number must be a multiple of a frame's.
  init(_ samples: [Float], channelCount: Int) {
    outputs = [OutputPort(channelCount: channelCount)]
    state = RenderState(LoopState(samples))
  }

  var renderer: Renderer { Renderer(renderLoop, state) }
}

private struct LoopState: ~Copyable {
  let samples: UnsafeMutablePointer<Float>
  let count: Int
  var position = 0

  init(_ signal: [Float]) {
    samples = .allocate(capacity: signal.count)
    samples.initialize(from: signal, count: signal.count)
    count = signal.count
  }

  deinit { samples.deallocate() }

  @_noLocks
  mutating func render(_ output: Frame) {
    for channel in 0..<output.channelCount {
      copySamples(from: samples + position, to: output.channel(channel), count: output.samplesPerChannel)
    }
    position = (position &+ output.samplesPerChannel) % count
  }
}

@_noLocks
private func renderLoop(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: LoopState.self).pointee.render(RenderContext(context).output(0))
}

/// Keeps the last frame's first samples, so that a result can be looked at.
final class ProbeSinkNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort] = []
  private let state: RenderState<ProbeState>

  init(channelCount: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    state = RenderState(ProbeState())
  }

  var renderer: Renderer { Renderer(renderProbe, state) }

  /// The last sample of the newest frame's first channel.
  var lastSample: Float { state.pointer.pointee.lastSample }
}

private struct ProbeState {
  var lastSample: Float = 0
}

@_noLocks
private func renderProbe(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let input = RenderContext(context).input(0)
  state.assumingMemoryBound(to: ProbeState.self).pointee.lastSample = input.channel(0)[input.samplesPerChannel &- 1]
}
