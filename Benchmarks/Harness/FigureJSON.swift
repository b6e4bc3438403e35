/// The figures for programs: an array of objects; what a figure does not have is left out.
enum FigureJSON {
  static func text(_ figures: [Figure]) -> String {
    "[\n" + figures.map(object).joined(separator: ",\n") + "\n]\n"
  }

  private static func object(_ figure: Figure) -> String {
    var fields = ["\"name\": \(quoted(figure.name))", "\"unit\": \(quoted(figure.unit))", "\"p50\": \(figure.median)"]
    if let value = figure.p99 { fields.append("\"p99\": \(value)") }
    if let value = figure.maximum { fields.append("\"max\": \(value)") }
    if let value = figure.load { fields.append("\"load\": \(value)") }
    if let value = figure.allocations { fields.append("\"allocations\": \(value)") }
    if let value = figure.twin { fields.append("\"beside\": \(value)") }
    if let value = figure.twinName { fields.append("\"besideWhat\": \(quoted(value))") }
    if let value = figure.ratio { fields.append("\"ratio\": \(value)") }
    if let value = figure.target { fields.append("\"target\": \(value), \"keepsTarget\": \(figure.keepsTarget)") }
    return "  {" + fields.joined(separator: ", ") + "}"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}
