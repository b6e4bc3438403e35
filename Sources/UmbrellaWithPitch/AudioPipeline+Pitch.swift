import AudioGraph
public import Engine
import PitchDetection

extension AudioPipeline {
  /// Reports the pitch of the local voice as `localVoicePitch` events.
  ///
  /// - Parameter interval: Time from report to report; see `startVoicePitchReports(every:meter:)`.
  /// - Throws: `.invalidArgument` for an interval that is not possible.
  public func startVoicePitchReports(every interval: Duration) throws(EngineError) {
    try startVoicePitchReports(every: interval, meter: Self.pitchMeter)
  }

  /// Calls `startVoicePitchReports`; an interval of 0 milliseconds or less turns the reports off.
  public func enableLocalVoicePitchCallback(interval: Int) throws(EngineError) {
    try enableLocalVoicePitchCallback(interval: interval, meter: Self.pitchMeter)
  }

  private static let pitchMeter: @Sendable (AudioFormat) throws -> VoicePitchMeter = { format in
    let node = try PitchMeterNode(format)
    return VoicePitchMeter(node) { node.estimate(atTick: $0)?.hertz }
  }
}
