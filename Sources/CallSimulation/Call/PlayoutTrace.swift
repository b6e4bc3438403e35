import AudioGraph
import FrameObservers

/// Which packet the frame played last came from.
final class PlayoutTrace: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a call ticks and reads on one thread.
  private(set) var timestamp: UInt32?
  /// How many frames before this one came from the same packet.
  private(set) var frameOfPacket = 0

  /// Forgets the frame; asked before each tick, since a user who is muted here is not seen.
  func clear() { isFresh = false }

  /// The timestamp of the packet that this tick's frame came from; nil: none.
  var fresh: UInt32? { isFresh ? timestamp : nil }
  private var isFresh = false

  func see(_ timestamp: UInt32?) {
    isFresh = timestamp != nil
    guard let timestamp else { return }
    frameOfPacket = timestamp == self.timestamp ? frameOfPacket + 1 : 0
    self.timestamp = timestamp
  }
}
