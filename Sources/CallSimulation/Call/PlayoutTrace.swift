import AudioGraph
import FrameObservers

/// The packet that the frame played last came from.
final class PlayoutTrace: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a call ticks and reads on one thread.
  private(set) var timestamp: UInt32?
  /// Number of earlier frames from the same packet.
  private(set) var frameOfPacket = 0

  /// Forgets the frame. Needed before each tick, because the observer does not see a user that is muted here.
  func clear() { isFresh = false }

  /// Timestamp of the packet that this tick's frame came from; nil if there is none.
  var fresh: UInt32? { isFresh ? timestamp : nil }
  private var isFresh = false

  func see(_ timestamp: UInt32?) {
    isFresh = timestamp != nil
    guard let timestamp else { return }
    frameOfPacket = timestamp == self.timestamp ? frameOfPacket + 1 : 0
    self.timestamp = timestamp
  }
}
