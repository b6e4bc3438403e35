import AudioGraph

/// Gain of concealed sound: as the codec makes it at first, then fading out, since concealment longer than a syllable
/// sounds like a machine.
///
/// Real-time: wait-free.
struct Concealment: BitwiseCopyable {
  /// Samples after which the sound begins to fade: 100 ms.
  private static var fadeBegin: Int { @_noLocks get { 4_800 } }
  /// Samples after which nothing is left: 200 ms.
  private static var fadeEnd: Int { @_noLocks get { 9_600 } }

  /// Samples concealed since the last ones that came out of a packet.
  private(set) var run = 0

  /// Whether all sound has faded out.
  var isSilent: Bool { @_noLocks get { run >= Concealment.fadeEnd } }

  /// Gain of the last sample.
  var gain: Float { @_noLocks get { Concealment.gain(run) } }

  /// Continues by `count` samples.
  ///
  /// - Returns: their gain.
  @_noLocks
  mutating func advance(_ count: Int) -> Ramp {
    let start = gain
    run &+= count
    return Ramp(from: start, to: gain)
  }

  /// Restarts: samples out of a packet follow.
  @_noLocks
  mutating func reset() { run = 0 }

  @_noLocks
  private static func gain(_ run: Int) -> Float {
    if run <= fadeBegin { return 1 }
    return run >= fadeEnd ? 0 : Float(fadeEnd &- run) / Float(fadeEnd &- fadeBegin)
  }
}
