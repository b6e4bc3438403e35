/// How far a stream has been played: what lies before has been heard or made up, and nothing that comes now changes it.
public struct PlayoutPosition: Hashable, Sendable, BitwiseCopyable {
  /// The stream's synchronisation source.
  public var ssrc: UInt32
  /// The RTP timestamp of the first sample that is being heard.
  public var timestamp: UInt32
  /// When that is, in nanoseconds of the clock that packets' arrivals are told by.
  public var nanoseconds: Int
  /// Whether packets carry FEC just now, which is there sooner than answers to requests are.
  public var hasFEC: Bool

  /// A position from its parts.
  @_noLocks
  public init(ssrc: UInt32, timestamp: UInt32, nanoseconds: Int, hasFEC: Bool) {
    self.ssrc = ssrc
    self.timestamp = timestamp
    self.nanoseconds = nanoseconds
    self.hasFEC = hasFEC
  }
}
