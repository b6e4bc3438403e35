/// Four ASCII characters that name a chunk.
struct FourCC: Hashable, ExpressibleByStringLiteral {
  let value: UInt32

  init(value: UInt32) { self.value = value }

  init(stringLiteral text: StaticString) {
    precondition(text.utf8CodeUnitCount == 4, "a chunk's name has four characters")
    let bytes = UnsafeRawPointer(text.utf8Start)
    // SAFETY: a literal's four bytes, checked above.
    value = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
  }
}

extension Span<UInt8> {
  func uint16(at offset: Int, isBigEndian: Bool = false) -> UInt16 {
    let number = UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    return isBigEndian ? number.byteSwapped : number
  }

  func uint32(at offset: Int, isBigEndian: Bool = false) -> UInt32 {
    let number = UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
    return isBigEndian ? number.byteSwapped : number
  }

  func uint64(at offset: Int) -> UInt64 { UInt64(uint32(at: offset)) | UInt64(uint32(at: offset + 4)) << 32 }

  func fourCC(at offset: Int) -> FourCC { FourCC(value: uint32(at: offset)) }
}
