import RTP

/// Sources that have sent one packet: a second one in sequence makes a stream. A single packet may be forged.
///
/// Source: RFC 3550, appendix A.1.
struct SourceProbation {
  private struct Candidate {
    let ssrc: UInt32
    let sequenceNumber: UInt16
    let packet: [UInt8]
    let arrival: Int
  }

  private static let capacity = 32
  private var candidates: [Candidate] = []

  /// Takes a packet of an unknown source.
  ///
  /// - Returns: The packet before it, and its arrival, if the two are in sequence; nil if the source stays unknown.
  mutating func take(
    _ packet: UnsafeRawBufferPointer, _ header: RTPHeader, arrival: Int
  ) -> (packet: [UInt8], arrival: Int)? {
    let index = candidates.firstIndex { $0.ssrc == header.ssrc }
    if let index, candidates[index].sequenceNumber &+ 1 == header.sequenceNumber {
      let earlier = candidates.remove(at: index)
      return (earlier.packet, earlier.arrival)
    }
    if let index { candidates.remove(at: index) }
    if candidates.count == Self.capacity { candidates.removeFirst() }
    candidates.append(
      Candidate(
        ssrc: header.ssrc, sequenceNumber: header.sequenceNumber, packet: Array(packet), arrival: arrival))
    return nil
  }
}
