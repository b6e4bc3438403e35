/// Number of 96 bits that joins a STUN request and its response.
///
/// Source: RFC 8489, section 5.
public struct STUNTransactionID: Hashable, Sendable, BitwiseCopyable {
  /// The first 32 bits.
  public let high: UInt32
  /// The last 64 bits.
  public let low: UInt64

  /// Creates a number from its parts. A request's number must be unpredictable.
  public init(high: UInt32, low: UInt64) {
    self.high = high
    self.low = low
  }
}
