/// Sound that ends with a channel.
public struct LeaveOptions: Hashable, Sendable {
  /// Whether music ends.
  public var stopsMusic: Bool
  /// Whether all effects end.
  public var stopsEffects: Bool
  /// Whether the recordings of `startAudioRecording` end.
  public var stopsRecordings: Bool
  /// Whether the device of the local source is closed if no other channel is joined. The next join opens it again. The
  /// only option that a further channel (`joinEx`) honours.
  public var stopsMicrophone: Bool

  /// Creates options from their parts.
  public init(
    stopsMusic: Bool = true, stopsEffects: Bool = true, stopsRecordings: Bool = true, stopsMicrophone: Bool = true
  ) {
    self.stopsMusic = stopsMusic
    self.stopsEffects = stopsEffects
    self.stopsRecordings = stopsRecordings
    self.stopsMicrophone = stopsMicrophone
  }
}
