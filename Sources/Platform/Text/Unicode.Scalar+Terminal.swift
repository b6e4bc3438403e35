extension Unicode.Scalar {
  /// Whether the character commands a terminal or turns the direction of writing: a control, a line or paragraph
  /// separator, or a mark of direction. Texts of others are shown without it.
  package var commandsTerminal: Bool {
    switch value {
    case 0x2028...0x202E, 0x2066...0x2069: true
    default: properties.generalCategory == .control
    }
  }
}
