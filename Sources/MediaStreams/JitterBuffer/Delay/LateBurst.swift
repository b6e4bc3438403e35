/// Consecutive packets that all exceed the awaited transit: stragglers, or a path that has become longer.
///
/// Real-time: wait-free.
struct LateBurst: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 16 } }
  /// Number of packets in a row that cannot be stragglers.
  private static var certain: Int { @_noLocks get { 4 } }

  private var newest = SIMD16<Int>(repeating: .min)
  private var count = 0

  @_noLocks
  init() {}

  /// Longest transit of the newest late packets; nil if the newest packet was in time.
  var longest: Int? { @_noLocks get { count > 0 ? newest.max() : nil } }
  /// Longest transit of the newest late packets, if packets certainly take longer now; else nil.
  var certainLongest: Int? { @_noLocks get { count >= LateBurst.certain ? newest.max() : nil } }

  /// Notes a packet.
  ///
  /// - Parameters:
  ///   - transit: transit of the packet.
  ///   - limit: longest transit that is in time.
  @_noLocks
  mutating func observe(_ transit: Int, limit: Int) {
    guard transit > limit else {
      self = LateBurst()
      return
    }
    newest[count & (LateBurst.capacity &- 1)] = transit
    count &+= 1
  }

  /// Adds a time to all transits.
  @_noLocks
  mutating func shift(by nanoseconds: Int) {
    newest.replace(with: newest &+ SIMD16(repeating: nanoseconds), where: newest .> SIMD16(repeating: .min))
  }
}
