/// A datagram that has come out of a link, and when.
public struct Delivery<Datagram> {
  /// What was handed to the link.
  public let datagram: Datagram
  /// When it arrived, in nanoseconds of virtual time.
  public let arrivalNanoseconds: Int
}

extension Delivery: Sendable where Datagram: Sendable {}
