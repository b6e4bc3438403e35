import AudioGraph

/// The path from one tap point of the graph to an observer's own thread.
///
/// It ends by itself after its node is gone and the ring's content has been delivered.
final class ObserverFeed: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): after init everything is touched by the observer's thread only.
  private var frames: RingConsumer<Frame>
  private var delivery: FrameDelivery
  private let target: ObserverTarget
  private let memory: FrameMemory
  private let onRelease: Doorbell
  private let onEnd: @Sendable () -> Void

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - frames: Consumer end of the ring.
  ///   - format: Format of the ring's frames.
  ///   - delivery: Delivery to the observer.
  ///   - target: Registration at the tap point.
  ///   - onRelease: Rung when the ring is half empty or more, for a producer that waits for capacity.
  ///   - onEnd: Called on the observer's thread when the feed has ended by itself.
  init(
    frames: consuming RingConsumer<Frame>, format: AudioFormat, delivery: consuming FrameDelivery,
    target: ObserverTarget, onRelease: Doorbell, onEnd: @escaping @Sendable () -> Void
  ) {
    self.frames = frames
    self.target = target
    self.onRelease = onRelease
    self.onEnd = onEnd
    self.delivery = delivery
    memory = FrameMemory(count: 1, format: format)
  }

  /// Hands every waiting frame to the observer.
  ///
  /// - Returns: False if no frame will follow.
  func drain() -> Bool {
    // Read first: the node's frames from before its end are then in the ring.
    let isLast = frames.isFinished
    while !target.call.isRemoved, let slot = frames.peek() {
      // Copied and released first: the producer may drop the oldest frame during the observer's call.
      memory[0].copy(from: slot.pointee)
      frames.release(1)
      // Not for each frame: a faster producer would wake up for one, and wait again.
      if 2 * frames.readableCount <= frames.capacity { onRelease.ring() }
      delivery.deliver(memory[0], tick: memory[0].header.pointee.sequenceNumber)
    }
    if isLast { onEnd() }
    return !isLast
  }
}
