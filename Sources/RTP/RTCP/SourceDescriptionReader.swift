/// Reader of the items of a source description, one after another; it borrows the packet's bytes.
///
///     SSRC | type length text | type length text | 0 ... | SSRC | ...
///
/// Source: RFC 3550, section 6.5.
public struct SourceDescriptionReader {
  /// One item: a name of a source.
  public struct Item {
    /// Synchronization source with this name.
    public let ssrc: UInt32
    /// Type of the name; 1 is the canonical name.
    public let type: UInt8
    /// Name in UTF-8, up to 255 bytes.
    public let text: UnsafeRawBufferPointer

    /// The type of the name that stays the same when an SSRC changes.
    public static var canonicalName: UInt8 { @_noLocks get { 1 } }

    @_noLocks
    init(ssrc: UInt32, type: UInt8, text: UnsafeRawBufferPointer) {
      self.ssrc = ssrc
      self.type = type
      self.text = text
    }
  }

  private let bytes: UnsafeRawBufferPointer
  private let base: UnsafeRawPointer
  private var position = 4
  private var chunksLeft: Int
  private var ssrc: UInt32 = 0
  private var isInChunk = false

  /// Creates a reader of one packet.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`.
  @_noLocks
  public init(_ packet: RTCPPacketView) throws(RTCPError) {
    guard case .sourceDescription = packet.type else { throw .otherType }
    guard let base = packet.bytes.baseAddress else { throw .truncated }
    bytes = packet.bytes
    self.base = base
    chunksLeft = packet.count
  }

  /// Returns the next item; nil at the end.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `sourceDescription`; the items before it are valid, and none follows.
  @_noLocks
  public mutating func next() throws(RTCPError) -> Item? {
    while true {
      if !isInChunk {
        guard chunksLeft > 0 else { return nil }
        chunksLeft = chunksLeft &- 1
        guard position &+ 4 <= bytes.count else { throw fail() }
        ssrc = bigEndian32(base, position)
        position = position &+ 4
        isInChunk = true
      }
      guard position < bytes.count else { throw fail() }
      let type = byte(base, position)
      if type == 0 {
        // The list ends with zeros up to the next word.
        position = (position &+ 4) & ~3
        isInChunk = false
        continue
      }
      guard position &+ 2 <= bytes.count else { throw fail() }
      let length = Int(byte(base, position &+ 1))
      let start = position &+ 2
      guard start &+ length <= bytes.count else { throw fail() }
      position = start &+ length
      return Item(ssrc: ssrc, type: type, text: UnsafeRawBufferPointer(start: base + start, count: length))
    }
  }

  @_noLocks
  private mutating func fail() -> RTCPError {
    chunksLeft = 0
    isInChunk = false
    return .sourceDescription
  }
}
