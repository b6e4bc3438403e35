/// The answer to the time that a receiver has named, so that it knows the round trip though it sends nothing.
///
/// Source: RFC 3611, section 4.5.
public struct ReceiverReferenceTime: Hashable, Sendable, BitwiseCopyable {
  static var blockType: UInt8 { @_noLocks get { 4 } }
  static var answerBlockType: UInt8 { @_noLocks get { 5 } }

  /// Whom it answers.
  public var ssrc: UInt32
  /// The middle 32 bits of the time named.
  public var reference: UInt32
  /// Time between its arrival and the answer's departure, in 1/65536 s.
  public var delay: UInt32

  /// An answer from its fields.
  @_noLocks
  public init(ssrc: UInt32, reference: UInt32, delay: UInt32) {
    self.ssrc = ssrc
    self.reference = reference
    self.delay = delay
  }

  /// The time there and back, at whom it answers: the same sum as in a report block.
  ///
  /// Real-time: wait-free. Returns: nanoseconds, to 1/65536 s.
  @_noLocks
  public func roundTripNanoseconds(arrival: NTPTimestamp) -> Int {
    NTPTimestamp.roundTripNanoseconds(arrival: arrival, reference: reference, delay: delay)
  }
}
