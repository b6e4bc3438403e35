package import AudioGraph

/// Keeps everything that reaches it. Thread: read by the one that ticks.
package final class KeepingNode: AudioNode {
  package let inputs: [InputPort]
  package let outputs: [OutputPort] = []
  private let state: RenderState<Kept>

  struct Kept: ~Copyable {
    var channels: [[Float]]
  }

  package init(channelCount: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    state = RenderState(Kept(channels: Array(repeating: [], count: channelCount)))
  }

  package var renderer: Renderer { Renderer(keep, state) }
  package var channels: [[Float]] { state.pointer.pointee.channels }
}

private func keep(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let input = RenderContext(context).input(0)
  let kept = state.assumingMemoryBound(to: KeepingNode.Kept.self)
  for channel in 0..<input.channelCount {
    kept.pointee.channels[channel] += UnsafeBufferPointer(start: input.channel(channel), count: input.samplesPerChannel)
  }
}
