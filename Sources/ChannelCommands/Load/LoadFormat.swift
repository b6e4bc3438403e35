/// Form of a load's result.
enum LoadFormat {
  /// A table.
  case text
  /// One object.
  case json
  /// An object a second, and one with the result.
  case jsonLines
}
