import CPlatform

/// Points that the calling thread has reached.
///
/// Each thread has a set of its own, so that a simulated call knows its points while others run beside it. Nobody reads
/// the sets of a live relay or engine.
public enum ReachPoints {
  /// Notes that the calling thread is at a point.
  ///
  /// Real-time: wait-free; a load, and a store for the first time.
  @_noLocks
  public static func note(_ point: ReachPoint) { set(point) }

  /// The points since `forget`, in the order of their declaration.
  public static var reached: [ReachPoint] {
    let bits = cplatform_reached()
    return ReachPoint.allCases.filter { bits & bit($0) != 0 }
  }

  /// Forgets the points of the calling thread.
  public static func forget() { cplatform_forget_reached() }

  // REALTIME: the compiler cannot look into C, which loads and stores a word of the thread.
  @_semantics("no_performance_analysis") @inline(never)
  private static func set(_ point: ReachPoint) { cplatform_reach(bit(point)) }

  private static func bit(_ point: ReachPoint) -> UInt64 { 1 << UInt64(point.rawValue) }
}
