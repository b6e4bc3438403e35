/// Whether packets come twice of late without having been asked for: networks with two ways do that.
///
/// Real-time: wait-free.
struct CopyShare: BitwiseCopyable {
  /// Of some 64 packets, in 65536ths.
  private var share = 0

  @_noLocks
  init() {}

  /// Whether there has been one among the last 30 to 60.
  var abound: Bool { @_noLocks get { share > 655 } }

  @_noLocks
  mutating func noteFirst() { share = share &- share / 64 }

  @_noLocks
  mutating func noteCopy() { share = share &+ (65_536 &- share) / 64 }
}
