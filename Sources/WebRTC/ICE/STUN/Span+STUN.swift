// Numbers in network byte order. Callers have checked that the bytes are there; a span checks again.
extension Span where Element == UInt8 {
  func number16(at offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }

  func number32(at offset: Int) -> UInt32 { UInt32(number16(at: offset)) << 16 | UInt32(number16(at: offset + 2)) }

  func number64(at offset: Int) -> UInt64 { UInt64(number32(at: offset)) << 32 | UInt64(number32(at: offset + 4)) }

  /// Whether both have the same bytes; its time depends on them.
  func hasBytes(of other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }
}
