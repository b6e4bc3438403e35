/// One element of a header extension: what SDP's `extmap` says its number means, and where its bytes lie in the packet.
public struct HeaderExtensionElement: Hashable, Sendable, BitwiseCopyable {
  /// The local identifier, 1...14 or 1...255.
  public let identifier: UInt8
  /// First byte of the data within the packet.
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
