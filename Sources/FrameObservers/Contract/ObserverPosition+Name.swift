extension ObserverPosition {
  private static let names = [
    (record, "record"), (mixed, "mixed"), (playback, "playback"), (beforeMixing, "beforeMixing"),
    (earMonitoring, "earMonitoring"),
  ]

  /// Names of the positions, those on the speech path first.
  public static let allNames = names.map(\.1)

  /// Creates the position with a name such as `beforeMixing`; nil if the name is unknown.
  public init?(name: String) {
    guard let position = Self.names.first(where: { $0.1 == name })?.0 else { return nil }
    self = position
  }

  /// Name of the position, such as `beforeMixing`; several are joined by commas.
  public var name: String { Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ",") }
}
