/// Name under which a file grows.
public enum OutputPlacement: Hashable, Sendable, CaseIterable {
  /// As `PATH.part`; `finish` gives it its own name.
  case partThenRename
  /// Under its own name from the beginning.
  case inPlace
}
