import AudioGraph

/// A sink that keeps every sample it gets, in memory allocated at init.
final class CollectorNode: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort] = []
  private let state: RenderState<CollectorState>
  private let channelCount: Int

  init(channelCount: Int, capacity: Int) {
    self.channelCount = channelCount
    inputs = [InputPort(channelCount: channelCount)]
    state = RenderState(CollectorState(channelCount: channelCount, capacity: capacity))
  }

  var renderer: Renderer { Renderer(renderCollector, state) }

  /// Everything so far, plane by plane. Thread: the one that ticks, between ticks.
  var planes: [[Float]] {
    (0..<channelCount).map { channel in
      let core = state.pointer
      let start = core.pointee.samples + channel * core.pointee.capacity
      return Array(UnsafeBufferPointer(start: start, count: core.pointee.count))
    }
  }

  /// Position of the last frame's first sample, by its header.
  var lastPosition: Int { state.pointer.pointee.lastPosition }
}

private struct CollectorState: ~Copyable {
  let samples: UnsafeMutablePointer<Float>
  let capacity: Int
  private(set) var count = 0
  private(set) var lastPosition = Int.min

  init(channelCount: Int, capacity: Int) {
    self.capacity = capacity
    samples = .allocate(capacity: max(1, capacity * channelCount))
    samples.initialize(repeating: 0, count: max(1, capacity * channelCount))
  }

  deinit { samples.deallocate() }

  @_noLocks
  mutating func render(_ frame: Frame) {
    lastPosition = frame.header.pointee.samplePosition
    guard count &+ frame.samplesPerChannel <= capacity else { return }
    for channel in 0..<frame.channelCount {
      copySamples(
        from: frame.channel(channel), to: samples + (channel &* capacity &+ count), count: frame.samplesPerChannel)
    }
    count &+= frame.samplesPerChannel
  }
}

@_noLocks
private func renderCollector(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: CollectorState.self).pointee.render(RenderContext(context).input(0))
}
