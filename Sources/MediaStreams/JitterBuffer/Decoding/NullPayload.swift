/// Payload of the `null` codec. It names its source and its packet, so that a run about the protocol can check each
/// packet at arrival, at no cost of coding.
///
/// Layout, in network byte order: "null", source 4, sequence number 4 (not wrapped at 65536), samples per channel 2.
/// The highest bit of the samples says that a pause follows.
public struct NullPayload: Hashable, Sendable, BitwiseCopyable {
  /// Bytes of a payload.
  public static var byteCount: Int { @_noLocks get { 14 } }
  private static var magic: UInt32 { @_noLocks get { 0x6E75_6C6C } }
  private static var pauseBit: UInt16 { @_noLocks get { 0x8000 } }

  /// Source of the payload: a user's uid.
  public var source: UInt32
  /// Number of the packet, as its source counts them.
  public var sequence: UInt32
  /// Samples per channel that the payload stands for, 120 to 5760.
  public var sampleCount: UInt16
  /// Whether nothing is audible until the next packet, because the sender is muted.
  public var announcesPause: Bool

  /// Creates a payload from its fields.
  @_noLocks
  public init(source: UInt32, sequence: UInt32, sampleCount: UInt16, announcesPause: Bool = false) {
    self.source = source
    self.sequence = sequence
    self.sampleCount = sampleCount
    self.announcesPause = announcesPause
  }

  /// Reads a payload; nil if the bytes are not one, or if it stands for less than 2.5 ms or more than 120 ms.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public init?(parsing bytes: UnsafeRawBufferPointer) {
    guard bytes.count == NullPayload.byteCount, let base = bytes.baseAddress else { return nil }
    guard UInt32(bigEndian: base.loadUnaligned(as: UInt32.self)) == NullPayload.magic else { return nil }
    source = UInt32(bigEndian: base.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    sequence = UInt32(bigEndian: base.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let samples = UInt16(bigEndian: base.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    announcesPause = samples & NullPayload.pauseBit != 0
    sampleCount = samples & ~NullPayload.pauseBit
    guard sampleCount >= 120, sampleCount <= 5_760 else { return nil }
  }

  /// Writes the payload. Real-time: wait-free.
  ///
  /// - Returns: bytes written; 0 if they do not fit.
  @_noLocks
  public func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard bytes.count >= NullPayload.byteCount, let base = bytes.baseAddress else { return 0 }
    base.storeBytes(of: NullPayload.magic.bigEndian, as: UInt32.self)
    base.storeBytes(of: source.bigEndian, toByteOffset: 4, as: UInt32.self)
    base.storeBytes(of: sequence.bigEndian, toByteOffset: 8, as: UInt32.self)
    let samples = sampleCount | (announcesPause ? NullPayload.pauseBit : 0)
    base.storeBytes(of: samples.bigEndian, toByteOffset: 12, as: UInt16.self)
    return NullPayload.byteCount
  }
}
