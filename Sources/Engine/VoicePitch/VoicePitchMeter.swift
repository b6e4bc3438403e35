public import AudioGraph

/// A meter of the local voice's pitch, for `enableLocalVoicePitchCallback`.
///
/// The engine has none, so that it stays free of the license of FFTW. With the meter of `PitchDetection`:
///
///     try pipeline.enableLocalVoicePitchCallback(interval: 50) { format in
///       let node = try PitchMeterNode(format)
///       return VoicePitchMeter(node) { node.estimate(atTick: $0)?.hertz }
///     }
public struct VoicePitchMeter: Sendable {
  /// Node with one input and no output; the voice flows into it.
  let node: any AudioNode
  /// Returns the pitch in Hz found in one tick, 0 for none; nil if the node was not in the plan then. Called for each
  /// tick in order, once it is over, under a lock of the pipeline.
  let hertz: @Sendable (_ tick: Int) -> Float?

  /// Creates a meter from its node and a closure that returns its readings.
  public init(_ node: any AudioNode, hertz: @escaping @Sendable (_ tick: Int) -> Float?) {
    self.node = node
    self.hertz = hertz
  }
}
