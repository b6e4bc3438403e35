/// The observer of raw audio frames as in commercial voice SDKs: one object, one method for each position.
///
/// Register it with a mask; a method is called for each frame of its position while the mask names it. Frames are
/// borrowed. In positions with read-write params, samples that the observer writes flow on. Every returned Bool is
/// reserved and ignored: to silence a frame, call its `mute()`.
///
/// Thread: the audio thread. A method must return within 10 ms, and should neither allocate nor lock.
///
/// ```swift
/// final class Counter: AudioDataFrameObserver {
///   func onMixedAudioFrame(_ frame: inout MutableAudioFrame) -> Bool {
///     print("\(frame.samplesPerChannel) samples at \(frame.samplePosition)")
///     return true
///   }
/// }
/// let pipeline = try AudioPipeline(mode: .offline)
/// try pipeline.register(Counter(), mask: .mixed)
/// ```
public protocol AudioDataFrameObserver: AnyObject, Sendable {
  /// Called with the local user's frame as it is about to be sent.
  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool
  /// Called with all remote users mixed, before local music.
  func onPlaybackAudioFrame(_ frame: inout MutableAudioFrame) -> Bool
  /// Called with the local user and all remote users mixed.
  func onMixedAudioFrame(_ frame: inout MutableAudioFrame) -> Bool
  /// Called with the frame played back to the local user's own ears.
  func onEarMonitoringAudioFrame(_ frame: inout MutableAudioFrame) -> Bool
  /// Called with one remote user's frame before mixing, while `isMultipleChannelFrameWanted` is false.
  func onPlaybackAudioFrameBeforeMixing(_ frame: inout MutableAudioFrame, uid: UInt32) -> Bool
  /// Called with one remote user's frame of one of several channels, while `isMultipleChannelFrameWanted` is true.
  func onPlaybackAudioFrameBeforeMixingEx(_ frame: inout MutableAudioFrame, channelID: String, uid: UInt32) -> Bool

  /// Whether `onPlaybackAudioFrameBeforeMixingEx` is called instead of `onPlaybackAudioFrameBeforeMixing`; read at
  /// every frame before mixing.
  var isMultipleChannelFrameWanted: Bool { get }

  /// Format of frames at record, read once after registration; nil for the position's own.
  var recordAudioParams: AudioParams? { get }
  /// Format of frames at playback, read once after registration; nil for the position's own.
  var playbackAudioParams: AudioParams? { get }
  /// Format of frames at mixed, read once after registration; nil for the position's own.
  var mixedAudioParams: AudioParams? { get }
  /// Format of frames at ear monitoring, read once after registration; nil for the position's own.
  var earMonitoringAudioParams: AudioParams? { get }
  /// Format of frames before mixing, read once after registration; nil for the position's own.
  var beforeMixingAudioParams: AudioParams? { get }
}

extension AudioDataFrameObserver {
  public func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { true }
  public func onPlaybackAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { true }
  public func onMixedAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { true }
  public func onEarMonitoringAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { true }
  public func onPlaybackAudioFrameBeforeMixing(_ frame: inout MutableAudioFrame, uid: UInt32) -> Bool { true }
  public func onPlaybackAudioFrameBeforeMixingEx(
    _ frame: inout MutableAudioFrame, channelID: String, uid: UInt32
  ) -> Bool { true }
  public var isMultipleChannelFrameWanted: Bool { false }
  public var recordAudioParams: AudioParams? { nil }
  public var playbackAudioParams: AudioParams? { nil }
  public var mixedAudioParams: AudioParams? { nil }
  public var earMonitoringAudioParams: AudioParams? { nil }
  public var beforeMixingAudioParams: AudioParams? { nil }
}
