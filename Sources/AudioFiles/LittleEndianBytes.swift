extension FixedWidthInteger {
  var littleEndianBytes: [UInt8] {
    (0..<MemoryLayout<Self>.size).map { UInt8(truncatingIfNeeded: self >> (8 * Self($0))) }
  }
}
