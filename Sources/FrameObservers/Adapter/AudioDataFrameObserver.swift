/// The observer of raw audio frames as users of commercial voice SDKs know it: one object, one method a position.
///
/// Register it with a mask; a method is called for each frame of its position while the mask names it. Frames are
/// borrowed; in positions whose params say read-write, what is written flows on. Every Bool returned is reserved
/// and ignored: to silence a frame, call its `mute()`.
///
/// Thread: the audio thread. A method must return within 10 ms, and should neither allocate nor lock.
public protocol AudioDataFrameObserver: AnyObject, Sendable {
  /// The local user's frame as it is about to be sent.
  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool
  /// All remote users mixed, before local music.
  func onPlaybackAudioFrame(_ frame: inout MutableAudioFrame) -> Bool
  /// The local user and all remote users mixed.
  func onMixedAudioFrame(_ frame: inout MutableAudioFrame) -> Bool
  /// The frame played back to the local user's own ears.
  func onEarMonitoringAudioFrame(_ frame: inout MutableAudioFrame) -> Bool
  /// One remote user's frame before mixing, while `isMultipleChannelFrameWanted` is false.
  func onPlaybackAudioFrameBeforeMixing(_ frame: inout MutableAudioFrame, uid: UInt32) -> Bool
  /// One remote user's frame of one of several channels, while `isMultipleChannelFrameWanted` is true.
  func onPlaybackAudioFrameBeforeMixingEx(_ frame: inout MutableAudioFrame, channelID: String, uid: UInt32) -> Bool

  /// Asked at every frame before mixing: which of the two methods is called.
  var isMultipleChannelFrameWanted: Bool { get }

  /// Asked once after registration: the format of each position; nil for the position's own.
  var recordAudioParams: AudioParams? { get }
  /// See `recordAudioParams`.
  var playbackAudioParams: AudioParams? { get }
  /// See `recordAudioParams`.
  var mixedAudioParams: AudioParams? { get }
  /// See `recordAudioParams`.
  var earMonitoringAudioParams: AudioParams? { get }
  /// See `recordAudioParams`.
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
