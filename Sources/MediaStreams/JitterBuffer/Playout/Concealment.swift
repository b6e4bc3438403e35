import AudioGraph

/// How loud made-up sound is: as the codec makes it at first, then fading out, since what is made up for longer than a
/// syllable sounds like a machine.
///
/// Real-time: wait-free.
struct Concealment: BitwiseCopyable {
  /// Samples after which it begins to fade: 100 ms.
  private static var fadeBegin: Int { @_noLocks get { 4_800 } }
  /// Samples after which nothing is left: 200 ms.
  private static var fadeEnd: Int { @_noLocks get { 9_600 } }

  /// Samples made up since the last ones that came out of a packet.
  private(set) var run = 0

  /// True when all has faded out.
  var isSilent: Bool { @_noLocks get { run >= Concealment.fadeEnd } }

  /// The gain of the last sample.
  var gain: Float { @_noLocks get { Concealment.gain(run) } }

  /// Goes on by `count` samples. Returns: their gain.
  @_noLocks
  mutating func advance(_ count: Int) -> Ramp {
    let start = gain
    run &+= count
    return Ramp(from: start, to: gain)
  }

  /// Samples out of a packet follow.
  @_noLocks
  mutating func reset() { run = 0 }

  @_noLocks
  private static func gain(_ run: Int) -> Float {
    if run <= fadeBegin { return 1 }
    return run >= fadeEnd ? 0 : Float(fadeEnd &- run) / Float(fadeEnd &- fadeBegin)
  }
}
