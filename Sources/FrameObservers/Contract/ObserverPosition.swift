/// Positions in the pipeline at which a program can observe frames, as a bit mask.
public struct ObserverPosition: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  @_noLocks
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// All remote users mixed, before local music.
  public static let playback = ObserverPosition(rawValue: 1 << 0)
  /// The local user's frame as it is about to be sent.
  public static let record = ObserverPosition(rawValue: 1 << 1)
  /// The local user and all remote users mixed, every sound exactly once.
  public static let mixed = ObserverPosition(rawValue: 1 << 2)
  /// One remote user's frame before mixing.
  public static let beforeMixing = ObserverPosition(rawValue: 1 << 3)
  /// The frame played back to the local user's own ears.
  public static let earMonitoring = ObserverPosition(rawValue: 1 << 4)

  /// Default positions of an observer: playback and record.
  public static let standard: ObserverPosition = [.playback, .record]

  /// Every position by itself.
  public static let each: [ObserverPosition] = [.playback, .record, .mixed, .beforeMixing, .earMonitoring]
}
