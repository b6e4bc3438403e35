/// Reader of the elements of a packet's header extension, one after another.
///
/// It borrows the packet's bytes, which must outlive it.
///
/// Source: RFC 8285, section 4.
public struct HeaderExtensionReader {
  private let bytes: UnsafeRawBufferPointer
  private let form: HeaderExtensionForm
  private var position: Int
  private var end: Int

  /// Creates a reader of the packet that `view` was made from; a packet without such an extension has no elements.
  ///
  /// Real-time: wait-free. Traps if `bytes` is a shorter packet.
  @_noLocks
  public init(_ view: RTPPacketView, in bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    position = view.extensionOffset
    end = view.extensionOffset &+ view.extensionByteCount
    precondition(end <= bytes.count, "not the packet that the view was made from")
    if let profile = view.extensionProfile, let form = HeaderExtensionForm(profile: profile) {
      self.form = form
    } else {
      form = .oneByte
      end = position
    }
  }

  /// Returns the next element; nil at the end.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `extensionElement`; the elements before it are valid.
  @_noLocks
  public mutating func next() throws(RTPError) -> HeaderExtensionElement? {
    guard let base = bytes.baseAddress else { return nil }
    while position < end {
      let first = byte(base, position)
      if case .oneByte = form {
        if first == 0 {
          position = position &+ 1
          continue
        }
        let identifier = first >> 4
        // 15 is reserved, and 0 is padding of one byte only; the bytes behind either are ignored.
        if identifier == 0 || identifier == 15 { break }
        return try take(identifier, offset: position &+ 1, byteCount: Int(first & 0x0F) &+ 1)
      }
      if first == 0 {
        position = position &+ 1
        continue
      }
      guard position &+ 1 < end else {
        position = end
        throw .extensionElement
      }
      return try take(first, offset: position &+ 2, byteCount: Int(byte(base, position &+ 1)))
    }
    position = end
    return nil
  }

  @_noLocks
  private mutating func take(
    _ identifier: UInt8, offset: Int, byteCount: Int
  ) throws(RTPError) -> HeaderExtensionElement {
    guard offset &+ byteCount <= end else {
      position = end
      throw .extensionElement
    }
    position = offset &+ byteCount
    return HeaderExtensionElement(identifier: identifier, offset: offset, byteCount: byteCount)
  }
}
