import LockFree

/// Hands the graph's frames to another thread, through a ring.
///
/// A full ring never waits: its policy decides which frame is lost, and the ring counts it. A caller that must not lose
/// frames checks `isReady` before the tick.
public final class FrameSinkNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort] = []
  private let state: RenderState<FrameSinkState>

  /// Creates a node that fills a ring at the graph's rate.
  ///
  /// - Parameters:
  ///   - frames: Producer end of the ring; its slots must have `channelCount` channels at the graph's rate.
  ///   - channelCount: Channels of the frames.
  ///   - usesGraphTime: Whether frames leave with positions in the graph's own time, minus the delay of their path.
  ///     Samples with the same position were then in the sources at the same tick, whatever streams they came from.
  ///     Otherwise positions are those of the frames' streams.
  public init(writing frames: consuming RingProducer<Frame>, channelCount: Int, usesGraphTime: Bool = false) {
    inputs = [InputPort(channelCount: channelCount)]
    state = RenderState(FrameSinkState(frames: frames, usesGraphTime: usesGraphTime))
  }

  public var renderer: Renderer { Renderer(renderFrameSink, state) }

  /// Free capacity of the ring, in frames. Thread: audio, between ticks.
  public var freeCount: Int { state.pointer.pointee.frames.freeCount }

  /// Capacity of the ring, in frames.
  public var capacity: Int { state.pointer.pointee.frames.capacity }

  /// Samples per channel that found the ring full; a ring that drops its oldest frames always has free capacity.
  /// Thread: audio, between ticks.
  public var droppedSampleCount: Int { state.pointer.pointee.dropped }

  /// Notifies the consumer that no frame will follow. Thread: audio, after the last tick.
  public func finish() { state.pointer.pointee.frames.finish() }
}

private struct FrameSinkState: ~Copyable {
  var frames: RingProducer<Frame>
  let usesGraphTime: Bool
  var dropped = 0

  init(frames: consuming RingProducer<Frame>, usesGraphTime: Bool) {
    self.frames = frames
    self.usesGraphTime = usesGraphTime
  }
}

@_noLocks
private func renderFrameSink(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  let state = state.assumingMemoryBound(to: FrameSinkState.self)
  guard let slot = state.pointee.frames.reserve() else {
    state.pointee.dropped &+= context.tick.samplesPerChannel
    return
  }
  slot.pointee.copy(from: context.input(0))
  if state.pointee.usesGraphTime {
    slot.pointee.header.pointee.samplePosition = context.tick.samplePosition &- context.delay
  }
  state.pointee.frames.commit(1)
}
