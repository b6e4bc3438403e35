/// The colors of a picture.
public enum Theme: String, CaseIterable, Hashable, Sendable {
  /// Light or dark, as the reader's screen is.
  case auto
  /// Dark on light.
  case light
  /// Light on dark.
  case dark

  /// Style sheet of the theme.
  package var css: String {
    switch self {
    case .light: Self.shapes + Self.rules(Self.lightColors)
    case .dark: Self.shapes + Self.rules(Self.darkColors)
    case .auto:
      Self.shapes + Self.rules(Self.lightColors)
        + "@media (prefers-color-scheme: dark) {\n" + Self.rules(Self.darkColors) + "}\n"
    }
  }

  /// Rules that do not depend on the theme. The fonts are those that systems come with.
  private static let shapes = """
    text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; font-size: 12px }
    .title { font-size: 18px; font-weight: bold }
    .name { font-weight: bold }
    .line, .mark { fill: none; stroke-linecap: round; stroke-linejoin: round }
    .grid, .minor, .frame, .limit { fill: none; stroke-width: 1 }
    .limit { stroke-dasharray: 4 3 }
    .area { stroke-linejoin: round }

    """

  /// Classes by their meaning, and the colors of both themes: on white, and on a gray that is almost black.
  private static let roles: [(css: String, light: String, dark: String)] = [
    (".background { fill: % }", "#ffffff", "#14181d"),
    (".text { fill: % }", "#1b2129", "#e4e9ee"),
    (".muted { fill: % }", "#57606a", "#9aa4ae"),
    (".grid { stroke: % }", "#dfe3e8", "#2c333b"),
    (".minor { stroke: % }", "#eff1f4", "#1f252b"),
    (".frame { stroke: % }", "#b4bcc5", "#48515b"),
    (".limit { stroke: % }", "#cf222e", "#ff7b72"),
    (".wave { fill: %; stroke: %; stroke-width: 0.6 }", "#94bfe6", "#2f628f"),
    (".strength { fill: %; stroke: %; stroke-width: 0.6 }", "#1f66a8", "#86c0f5"),
    (".samples { stroke: %; stroke-width: 1.4 }", "#1f66a8", "#86c0f5"),
    (".clipped { stroke: %; stroke-width: 2 }", "#cf222e", "#ff7b72"),
    (".voice { fill: % }", "#e3f2de", "#21402a"),
    (".peak { stroke: %; stroke-width: 1 }", "#7da9d1", "#4c84b5"),
    (".rms { stroke: %; stroke-width: 1.8 }", "#1f66a8", "#86c0f5"),
    (".pitch { stroke: %; stroke-width: 2 }", "#b4460b", "#ffa454"),
    (".spread { fill: % }", "#f3cdb4", "#5c3a1c"),
    (".event { stroke: %; stroke-width: 1; stroke-dasharray: 2 3 }", "#7a3fb8", "#cfa6ff"),
    (".tick { fill: % }", "#7a3fb8", "#cfa6ff"),
  ]

  private static let lightColors = roles.map { ($0.css, $0.light) }
  private static let darkColors = roles.map { ($0.css, $0.dark) }

  private static func rules(_ colors: [(css: String, color: String)]) -> String {
    colors.map { rule in rule.css.split(separator: "%", omittingEmptySubsequences: false).joined(separator: rule.color)
    }
    .joined(separator: "\n") + "\n"
  }
}
