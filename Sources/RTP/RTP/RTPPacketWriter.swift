/// Writes the header of an RTP packet with its extension into the caller's memory.
///
///     var writer = try RTPPacketWriter(header, into: packet)
///     try writer.append(level, identifier: 1)
///     let payloadOffset = try writer.endHeader()
///
/// It borrows the memory, which must outlive it. A part that does not fit is not begun.
public struct RTPPacketWriter {
  private let bytes: UnsafeMutableRawBufferPointer
  private let form: HeaderExtensionForm
  private var position: Int
  private var hasExtension = false

  /// Writes the fixed header.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `bufferTooShort`, `payloadType`.
  @_noLocks
  public init(
    _ header: RTPHeader, extensionForm: HeaderExtensionForm = .oneByte, into bytes: UnsafeMutableRawBufferPointer
  ) throws(RTPError) {
    self.bytes = bytes
    form = extensionForm
    position = try header.write(to: bytes)
  }

  /// Adds an element to the header extension.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `extensionIdentifier`, `bufferTooShort`.
  @_noLocks
  public mutating func append(_ data: UnsafeRawBufferPointer, identifier: UInt8) throws(RTPError) {
    var target = try beginElement(identifier: identifier, byteCount: data.count)
    guard let source = data.baseAddress else { return }
    for index in 0..<data.count {
      target.storeBytes(of: byte(source, index), as: UInt8.self)
      target += 1
    }
  }

  /// Adds the audio level to the header extension.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `extensionIdentifier`, `bufferTooShort`.
  @_noLocks
  public mutating func append(_ level: AudioLevel, identifier: UInt8) throws(RTPError) {
    try beginElement(identifier: identifier, byteCount: 1).storeBytes(of: level.byte, as: UInt8.self)
  }

  /// Fills the extension up to a whole number of words and writes their count; nothing can be appended afterwards.
  ///
  /// Real-time: wait-free.
  ///
  /// - Returns: Offset of the payload.
  /// - Throws: `bufferTooShort`.
  @_noLocks
  public mutating func endHeader() throws(RTPError) -> Int {
    guard hasExtension, let base = bytes.baseAddress else { return position }
    let start = RTPHeader.byteCount &+ 4
    let words = (position &- start &+ 3) / 4
    guard start &+ 4 &* words <= bytes.count else { throw .bufferTooShort }
    // A count of more than 16 bits would need 64 elements of the longest kind and more.
    guard words <= 0xFFFF else { throw .bufferTooShort }
    while position < start &+ 4 &* words {
      store8(0, base, position)
      position = position &+ 1
    }
    store16(UInt16(truncatingIfNeeded: words), base, RTPHeader.byteCount &+ 2)
    return position
  }

  /// Begins an element.
  ///
  /// - Returns: Position of its data.
  @_noLocks
  private mutating func beginElement(
    identifier: UInt8, byteCount: Int
  ) throws(RTPError) -> UnsafeMutableRawPointer {
    var prefixByteCount = 2
    if case .oneByte = form {
      guard identifier >= 1, identifier <= 14, byteCount >= 1, byteCount <= 16 else { throw .extensionIdentifier }
      prefixByteCount = 1
    } else {
      guard identifier >= 1, byteCount <= 255 else { throw .extensionIdentifier }
    }
    let extensionHeader = hasExtension ? 0 : 4
    guard position &+ extensionHeader &+ prefixByteCount &+ byteCount <= bytes.count, let base = bytes.baseAddress
    else { throw .bufferTooShort }
    if !hasExtension {
      hasExtension = true
      base.storeBytes(of: byte(UnsafeRawPointer(base), 0) | 0x10, as: UInt8.self)
      store16(form.profile, base, position)
      position = position &+ 4
    }
    if prefixByteCount == 1 {
      let length = UInt8(truncatingIfNeeded: byteCount &- 1)
      store8(identifier << 4 | length, base, position)
    } else {
      store8(identifier, base, position)
      store8(UInt8(truncatingIfNeeded: byteCount), base, position &+ 1)
    }
    let target = base + position + prefixByteCount
    position = position &+ prefixByteCount &+ byteCount
    return target
  }
}
