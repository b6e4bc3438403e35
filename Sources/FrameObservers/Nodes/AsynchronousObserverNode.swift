import AudioGraph

/// Copies frames into a ring for an observer on its own thread.
final class AsynchronousObserverNode: ObserverNode {
  let inputs: [InputPort]
  let outputs: [OutputPort] = []
  let observationDelay: Int
  private let state: RenderState<AsynchronousObserverState>
  private let target: ObserverTarget

  init(channelCount: Int, target: ObserverTarget, frames: consuming RingProducer<Frame>, observationDelay: Int) {
    inputs = [InputPort(channelCount: channelCount)]
    self.target = target
    self.observationDelay = observationDelay
    state = RenderState(
      AsynchronousObserverState(
        isWanted: ObserverSwitch(target.call, position: target.source.position), frames: frames))
  }

  var renderer: Renderer { Renderer(renderAsynchronousObserver, state) }

  /// Whether the ring has capacity for the next frame. Independent of the mask, which may change before the frame
  /// comes.
  ///
  /// Thread: audio, between ticks.
  var hasRoom: Bool { state.pointer.pointee.frames.freeCount > 0 }
}

private struct AsynchronousObserverState: ~Copyable {
  let isWanted: ObserverSwitch
  var frames: RingProducer<Frame>

  init(isWanted: ObserverSwitch, frames: consuming RingProducer<Frame>) {
    self.isWanted = isWanted
    self.frames = frames
  }

  /// Runs after the last plan has released the node.
  deinit { frames.finish() }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    guard isWanted.isOn(), let slot = frames.reserve() else { return }
    slot.pointee.copy(from: context.input(0))
    // Shows the consumer which frames are missing; the observer counts its own.
    slot.pointee.header.pointee.sequenceNumber = context.tick.index
    frames.commit(1)
  }
}

@_noLocks
private func renderAsynchronousObserver(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: AsynchronousObserverState.self).pointee.render(RenderContext(context))
}
