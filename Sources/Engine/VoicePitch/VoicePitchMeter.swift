public import AudioGraph

/// What measures the pitch of the local voice, for `enableLocalVoicePitchCallback`.
///
/// The engine brings none, so that it stays free of the licence of FFTW. That of `PitchDetection`:
///
///     try pipeline.enableLocalVoicePitchCallback(interval: 50) { format in
///       let node = try PitchMeterNode(format)
///       return VoicePitchMeter(node) { node.estimate(atTick: $0)?.hertz }
///     }
public struct VoicePitchMeter: Sendable {
  /// A node with one input and no output, which the voice flows into.
  let node: any AudioNode
  /// The pitch in Hz found in one tick, 0 for none; nil where the node was not in the plan then. Asked for each tick in
  /// order, once it is over, under a lock of the pipeline.
  let hertz: @Sendable (_ tick: Int) -> Float?

  /// A meter from its node and the way to its readings.
  public init(_ node: any AudioNode, hertz: @escaping @Sendable (_ tick: Int) -> Float?) {
    self.node = node
    self.hertz = hertz
  }
}
