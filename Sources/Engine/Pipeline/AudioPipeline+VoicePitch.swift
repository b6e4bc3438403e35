public import AudioGraph
import FrameObservers
import Synchronization

extension AudioPipeline {
  /// Reports the pitch of the local voice at an interval, as `localVoicePitch` events. Off at first.
  ///
  /// There are reports while the voice is captured, also while it is muted: not while local audio is disabled. 0 Hz is
  /// no voice. Volume reports have the same pitch. The voice is measured behind its gain and the voice-only mode
  /// (before both while it is muted), without music, and as it is spoken: before `setLocalVoicePitch` changes it.
  ///
  /// - Parameters:
  ///   - interval: milliseconds from report to report, rounded up to whole frames of 10 ms; 0 and less turns it off.
  ///   - makeMeter: what measures; see `VoicePitchMeter`. Called whenever the voice comes.
  /// - Throws: `.invalidArgument` with what the meter says of the voice's format.
  public func enableLocalVoicePitchCallback(
    interval: Int, meter makeMeter: @escaping @Sendable (AudioFormat) throws -> VoicePitchMeter
  ) throws(EngineError) {
    guard interval > 0 else { return try disableLocalVoicePitchCallback() }
    try replaceVoicePitch { VoicePitchReports(interval: interval, startTick: $0, makeMeter: makeMeter) }
  }

  /// Ends what `enableLocalVoicePitchCallback` began.
  public func disableLocalVoicePitchCallback() throws(EngineError) { try replaceVoicePitch { _ in nil } }

  private func replaceVoicePitch(call: String = #function, _ makeReports: (_ startTick: Int) -> VoicePitchReports?)
    throws(EngineError)
  {
    try edit("the voice's pitch cannot be reported", call: call) { try voicePitch.replace(with: makeReports) }
  }
}
