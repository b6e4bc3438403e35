// Numbers in network byte order. Callers have checked that the bytes are there.

@_noLocks
func byte(_ base: UnsafeRawPointer, _ offset: Int) -> UInt8 { base.load(fromByteOffset: offset, as: UInt8.self) }

@_noLocks
func bigEndian16(_ base: UnsafeRawPointer, _ offset: Int) -> UInt16 {
  UInt16(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
}

@_noLocks
func bigEndian32(_ base: UnsafeRawPointer, _ offset: Int) -> UInt32 {
  UInt32(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
}

@_noLocks
func bigEndian64(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
  UInt64(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
}

@_noLocks
func store8(_ value: UInt8, _ base: UnsafeMutableRawPointer, _ offset: Int) {
  base.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
}

@_noLocks
func store16(_ value: UInt16, _ base: UnsafeMutableRawPointer, _ offset: Int) {
  base.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt16.self)
}

@_noLocks
func store32(_ value: UInt32, _ base: UnsafeMutableRawPointer, _ offset: Int) {
  base.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
}
