/// Position to which a stream has been played. Sound before it has been heard or concealed, and packets that arrive now
/// do not change it.
public struct PlayoutPosition: Hashable, Sendable, BitwiseCopyable {
  /// Synchronization source of the stream.
  public var ssrc: UInt32
  /// RTP timestamp of the first sample that is being heard.
  public var timestamp: UInt32
  /// Time at which that sample is heard, in nanoseconds of the clock of the packets' arrivals.
  public var nanoseconds: Int
  /// Whether packets carry FEC at present, which is available sooner than answers to requests.
  public var hasFEC: Bool

  /// Creates a position from its parts.
  @_noLocks
  public init(ssrc: UInt32, timestamp: UInt32, nanoseconds: Int, hasFEC: Bool) {
    self.ssrc = ssrc
    self.timestamp = timestamp
    self.nanoseconds = nanoseconds
    self.hasFEC = hasFEC
  }
}
