/// Numbers of one source under one key.
package final class SourceState {
  let ssrc: UInt32
  /// Indices of the sent or received packets.
  var packets: IndexWindow
  /// Numbers of the received RTCP datagrams; an outbound session counts in `rtcpIndex`.
  var reports: IndexWindow
  /// Number of the last RTCP datagram sent.
  var rtcpIndex: UInt32 = 0

  /// Numbers of RTCP by which a datagram may be out of order.
  private static let reportWindow = 128

  init(_ ssrc: UInt32, packetWindow: Int) {
    self.ssrc = ssrc
    packets = IndexWindow(count: packetWindow)
    reports = IndexWindow(count: Self.reportWindow)
  }

  /// Address that the next packet changes, for a prefetch.
  package var nextAddress: UnsafeRawPointer { packets.nextAddress }

  /// Returns the index of 48 bits that a sequence number most likely has: the one next to the highest so far.
  ///
  /// Source: RFC 3711, section 3.3.1 and appendix A.
  func index(of sequenceNumber: UInt16) -> UInt64 {
    guard let highest = packets.highest else { return UInt64(sequenceNumber) }
    let distance = Int16(truncatingIfNeeded: Int(sequenceNumber) - Int(highest & 0xFFFF))
    let index = Int64(highest) + Int64(distance)
    // Before the first wrap, a number that seems to precede it can only be a later one.
    return index < 0 ? UInt64(sequenceNumber) : UInt64(index)
  }
}
