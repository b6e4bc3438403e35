public import Engine
import PitchDetection

extension AudioPipeline {
  /// Reports the pitch of the local voice as `localVoicePitch` events.
  ///
  /// - Parameter interval: milliseconds from one report to the next; see
  ///   `enableLocalVoicePitchCallback(interval:meter:)`.
  /// - Throws: `.invalidArgument` for an interval that is not possible.
  public func enableLocalVoicePitchCallback(interval: Int) throws(EngineError) {
    try enableLocalVoicePitchCallback(interval: interval) { format in
      let node = try PitchMeterNode(format)
      return VoicePitchMeter(node) { node.estimate(atTick: $0)?.hertz }
    }
  }
}
