/// Answer to a receiver's reference time, from which the receiver learns the round trip though it sends nothing.
///
/// Source: RFC 3611, section 4.5.
public struct ReceiverReferenceTime: Hashable, Sendable, BitwiseCopyable {
  static var blockType: UInt8 { @_noLocks get { 4 } }
  static var answerBlockType: UInt8 { @_noLocks get { 5 } }

  /// Synchronization source of the answered receiver.
  public var ssrc: UInt32
  /// Middle 32 bits of the reference time.
  public var reference: UInt32
  /// Time between the reference time's arrival and the answer's departure, in 1/65536 s.
  public var delay: UInt32

  /// Creates an answer from its fields.
  @_noLocks
  public init(ssrc: UInt32, reference: UInt32, delay: UInt32) {
    self.ssrc = ssrc
    self.reference = reference
    self.delay = delay
  }

  /// Computes the round trip at the answered receiver, by the same sum as in a report block.
  ///
  /// Real-time: wait-free.
  ///
  /// - Returns: Nanoseconds, to 1/65536 s.
  @_noLocks
  public func roundTripNanoseconds(arrival: NTPTimestamp) -> Int {
    NTPTimestamp.roundTripNanoseconds(arrival: arrival, reference: reference, delay: delay)
  }
}
