public import AudioGraph
public import FrameObservers

extension AudioPipeline {
  /// Reports as `speechBegan` and `speechEnded` events when remote users begin and end to speak. Off at first.
  ///
  /// A beginning is reported within 200 ms; an end within 200 ms after the longest pause. A user that is muted or
  /// removed while it speaks has ended. The decisions are those of `VoiceActivity`, before mixing.
  ///
  /// - Parameter pause: Longest pause within speech, in whole frames of 10 ms; nil ends the reports.
  public func setSpeechReports(longestPause pause: Duration?) throws(EngineError) {
    try edit("speech cannot be reported") { try speech.replace(pause: pause) }
  }

  /// Returns the speech of one user, without the silence between, as an `AsyncSequence` that ends when the pipeline
  /// finishes.
  ///
  /// ```swift
  /// let speech = try pipeline.speech(of: 1, as: AudioParams(sampleRate: 16_000, channelCount: 1))
  /// for await part in speech {
  ///   if case .frame(let frame) = part { print(frame.samplePosition) }
  /// }
  /// ```
  /// - Parameters:
  ///   - uid: The user, which may come later.
  ///   - channelID: Channel of the user; nil: the pipeline's own, and the main channel of an engine.
  ///   - params: Requested format of the frames; nil: the pipeline's.
  ///   - preRoll: Sound given from before the beginning, up to 500 ms: the onset of a word is quiet.
  ///   - pause: Longest pause within speech, in whole frames of 10 ms.
  ///   - includesMuted: Whether the user is listened to while it is muted, too.
  ///   - capacity: Number of 10 ms frames that may wait for a slow reader, such as a recogniser that is awaited. Beyond
  ///     it the oldest are lost.
  /// - Throws: `.invalidArgument` with the fault, `.wrongState` after the pipeline's end.
  public func speech(
    of uid: UInt32, channel channelID: String? = nil, as params: AudioParams? = nil,
    preRoll: Duration = .milliseconds(300),
    longestPause pause: Duration = .milliseconds(500), includesMuted: Bool = false, capacity: Int = 3_000
  ) throws(EngineError) -> SpeechStream {
    guard preRoll >= .zero, preRoll <= .milliseconds(500) else {
      throw EngineError(.invalidArgument, "a pre-roll cannot be \(preRoll); use 0 to 500 ms")
    }
    let frames = try frames(
      of: uid, channel: channelID, as: params, includesMuted: includesMuted, capacity: capacity)
    return SpeechStream(frames, preRoll: preRoll, pause: pause)
  }
}
