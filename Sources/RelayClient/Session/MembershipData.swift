import DataStreams

/// Data streams of a membership, and memory for its datagrams.
///
/// Thread: that of the membership.
final class MembershipData {
  var endpoint = DataEndpoint()
  /// Memory for a datagram with the longest message.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_280, alignment: 16)

  deinit { memory.deallocate() }
}
