/// A datagram that has come out of a link, and its arrival time.
public struct Delivery<Datagram> {
  /// The datagram that was handed to the link.
  public let datagram: Datagram
  /// Arrival time, in nanoseconds of virtual time.
  public let arrivalNanoseconds: Int
}

extension Delivery: Sendable where Datagram: Sendable {}
