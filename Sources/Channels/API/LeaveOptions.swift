/// Sound of the pipeline that ends with a channel.
public struct LeaveOptions: Hashable, Sendable {
  /// Whether music ends.
  public var stopsMusic: Bool
  /// Whether all effects end.
  public var stopsEffects: Bool

  /// Creates options from their parts.
  public init(stopsMusic: Bool = true, stopsEffects: Bool = true) {
    self.stopsMusic = stopsMusic
    self.stopsEffects = stopsEffects
  }
}
