/// One element of a header extension: its number in SDP's `extmap`, and the place of its bytes in the packet.
public struct HeaderExtensionElement: Hashable, Sendable, BitwiseCopyable {
  /// Local identifier, 1...14 or 1...255.
  public let identifier: UInt8
  /// Offset of the data within the packet.
  public let offset: Int
  /// Bytes of the data.
  public let byteCount: Int

  @_noLocks
  init(identifier: UInt8, offset: Int, byteCount: Int) {
    self.identifier = identifier
    self.offset = offset
    self.byteCount = byteCount
  }
}
