/// Packets one after the other that are all later than is waited for: stragglers, or a way that has become longer.
///
/// Real-time: wait-free.
struct LateBurst: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 16 } }
  /// So many in a row are no stragglers.
  private static var certain: Int { @_noLocks get { 4 } }

  private var newest = SIMD16<Int>(repeating: .min)
  private var count = 0

  @_noLocks
  init() {}

  /// The longest transit of the newest of them; nil where the newest packet was in time.
  var longest: Int? { @_noLocks get { count > 0 ? newest.max() : nil } }
  /// The same where it is certain that packets take longer now.
  var certainLongest: Int? { @_noLocks get { count >= LateBurst.certain ? newest.max() : nil } }

  /// Takes note of a packet.
  ///
  /// - Parameter limit: the transit up to which it is in time.
  @_noLocks
  mutating func observe(_ transit: Int, limit: Int) {
    guard transit > limit else {
      self = LateBurst()
      return
    }
    newest[count & (LateBurst.capacity &- 1)] = transit
    count &+= 1
  }

  /// Lets all have taken so much longer.
  @_noLocks
  mutating func shift(by nanoseconds: Int) {
    newest.replace(with: newest &+ SIMD16(repeating: nanoseconds), where: newest .> SIMD16(repeating: .min))
  }
}
