extension ObserverPosition {
  private static let names = [
    (record, "record"), (mixed, "mixed"), (playback, "playback"), (beforeMixing, "beforeMixing"),
    (earMonitoring, "earMonitoring"),
  ]

  /// The names of the positions, those of speech's way first.
  public static let allNames = names.map(\.1)

  /// The position of a name such as `beforeMixing`; nil where none has it.
  public init?(name: String) {
    guard let position = Self.names.first(where: { $0.1 == name })?.0 else { return nil }
    self = position
  }

  /// The name, such as `beforeMixing`; several are joined by commas.
  public var name: String { Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ",") }
}
