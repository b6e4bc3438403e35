/// Hands the graph's frames to another thread, through a ring.
///
/// A full ring never waits: its policy says which frame is lost, and the ring counts it. Who must not lose any
/// asks `isReady` before the tick.
public final class FrameSinkNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort] = []
  private let state: RenderState<RingProducer<Frame>>

  /// A node that fills `frames`, whose slots must have `channelCount` channels at the graph's rate.
  public init(writing frames: consuming RingProducer<Frame>, channelCount: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    state = RenderState(frames)
  }

  public var renderer: Renderer { Renderer(renderFrameSink, state) }

  /// Frames that still find room in the ring. Thread: audio, between ticks.
  public var freeCount: Int { state.pointer.pointee.freeCount }

  /// Frames that the ring can hold.
  public var capacity: Int { state.pointer.pointee.capacity }

  /// Tells the consumer that no frame will follow. Thread: audio, after the last tick.
  public func finish() { state.pointer.pointee.finish() }
}

@_noLocks
private func renderFrameSink(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let frames = state.assumingMemoryBound(to: RingProducer<Frame>.self)
  guard let slot = frames.pointee.reserve() else { return }
  slot.pointee.copy(from: RenderContext(context).input(0))
  frames.pointee.commit(1)
}
