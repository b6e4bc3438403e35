/// How many packets of a stretch of a stream came once more, as a statistics summary that says nothing else.
///
/// Loss in report blocks is less by them, as RFC 3550 wants it: who knows both knows what was lost.
///
/// Source: RFC 3611, section 4.6.
public struct CopiesReport: Hashable, Sendable, BitwiseCopyable {
  static var blockType: UInt8 { @_noLocks get { 6 } }
  /// Only the count of duplicates is there.
  static var duplicatesFlag: UInt8 { @_noLocks get { 0x40 } }
  /// Of the block's body.
  static var byteCount: Int { @_noLocks get { 36 } }

  /// The stream's synchronisation source.
  public var ssrc: UInt32
  /// The first sequence number of the stretch.
  public var begin: UInt16
  /// The one behind its last.
  public var end: UInt16
  /// Packets that came once more.
  public var count: Int

  /// A report from its parts.
  @_noLocks
  public init(ssrc: UInt32, begin: UInt16, end: UInt16, count: Int) {
    self.ssrc = ssrc
    self.begin = begin
    self.end = end
    self.count = count
  }
}
