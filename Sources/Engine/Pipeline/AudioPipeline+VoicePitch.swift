public import AudioGraph
import FrameObservers
import Synchronization

extension AudioPipeline {
  /// Reports the pitch of the local voice at an interval, as `localVoicePitch` events. Off at first.
  ///
  /// Reports come while the voice is captured, even while it is muted, but not while local audio is disabled. A pitch
  /// of 0 Hz means that no voice was found. Volume reports have the same pitch. The voice is measured behind its gain
  /// and the voice-only mode (before both while it is muted), without music. It is measured as it is spoken: before
  /// `setLocalVoicePitch` changes it.
  ///
  /// - Parameters:
  ///   - interval: Time from report to report, rounded up to whole frames of 10 ms.
  ///   - makeMeter: Creates the meter; see `VoicePitchMeter`. Called whenever the voice comes.
  /// - Throws: `.invalidArgument` with the meter's error about the voice's format.
  public func startVoicePitchReports(
    every interval: Duration, meter makeMeter: @escaping @Sendable (AudioFormat) throws -> VoicePitchMeter
  ) throws(EngineError) {
    let milliseconds = interval.wholeMilliseconds
    guard milliseconds > 0 else {
      throw EngineError(.invalidArgument, "the voice's pitch cannot be reported every \(interval); use 10 ms or more")
    }
    try replaceVoicePitch { VoicePitchReports(interval: milliseconds, startTick: $0, makeMeter: makeMeter) }
  }

  /// Ends the reports that `startVoicePitchReports` began.
  public func stopVoicePitchReports() throws(EngineError) { try replaceVoicePitch { _ in nil } }

  private func replaceVoicePitch(call: String = #function, _ makeReports: (_ startTick: Int) -> VoicePitchReports?)
    throws(EngineError)
  {
    try edit("the voice's pitch cannot be reported", call: call) { try voicePitch.replace(with: makeReports) }
  }
}
