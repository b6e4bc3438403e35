import AudioGraph

/// The way from one place of the graph to an observer's own thread.
///
/// It ends by itself, once its node is gone and what the ring held has been delivered.
final class ObserverFeed: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): after init everything is touched by the observer's thread only.
  private var frames: RingConsumer<Frame>
  private var delivery: FrameDelivery
  private let target: ObserverTarget
  private let memory: FrameMemory
  private let onRelease: Doorbell
  private let onEnd: @Sendable () -> Void

  /// - Parameters:
  ///   - onRelease: rung when the ring is half empty or more, for a producer that waits for room.
  ///   - onEnd: called on the observer's thread when the feed has ended by itself.
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

  /// Hands every waiting frame to the observer. Returns: false when none will follow.
  func drain() -> Bool {
    // Asked first: what the node gave before its end is in the ring by now.
    let isLast = frames.isFinished
    while !target.call.isRemoved, let slot = frames.peek() {
      // Copied and released first: the producer may drop the oldest frame while the observer takes its time.
      memory[0].copy(from: slot.pointee)
      frames.release(1)
      // Not for each frame: a producer that is faster would be woken up for one, and wait again.
      if 2 * frames.readableCount <= frames.capacity { onRelease.ring() }
      delivery.deliver(memory[0], tick: memory[0].header.pointee.sequenceNumber)
    }
    if isLast { onEnd() }
    return !isLast
  }
}
