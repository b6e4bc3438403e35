import AudioGraph

/// The way from one place of the graph to an observer's own thread.
final class ObserverFeed: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): after init everything but the ring is touched by the observer's thread only.
  let ring: FrameRing
  private var frames: RingConsumer<Frame>
  private var delivery: FrameDelivery
  private let target: ObserverTarget
  private let memory: FrameMemory
  private let onRelease: Doorbell

  /// `onRelease` is rung when a frame has been taken out of the ring, for a producer that waits for room.
  init(
    ring: FrameRing, format: AudioFormat, delivery: consuming FrameDelivery, target: ObserverTarget, onRelease: Doorbell
  ) {
    self.ring = ring
    self.target = target
    self.onRelease = onRelease
    self.delivery = delivery
    frames = ring.takeConsumer()
    memory = FrameMemory(count: 1, format: format)
  }

  /// Hands every waiting frame to the observer.
  func drain() {
    while let slot = frames.peek() {
      // Copied and released first: the producer may drop the oldest frame while the observer takes its time.
      memory[0].header.pointee = slot.pointee.header.pointee
      memory[0].copy(from: slot.pointee)
      frames.release(1)
      onRelease.ring()
      delivery.deliver(memory[0], tick: memory[0].header.pointee.sequenceNumber)
    }
  }
}
