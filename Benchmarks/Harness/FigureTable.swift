import Glibc

/// The table that people read.
enum FigureTable {
  private static let widths = [46, 13, 10, 10, 8, 7, 13, 9, 12]

  static func printHead() {
    line(["", "p50", "p99", "max", "load", "allocs", "beside", "ratio", "target"])
  }

  static func print(_ figure: Figure) {
    let decision = figure.target.map { short($0) + (figure.keepsTarget ? "" : " MISSED") } ?? ""
    line([
      figure.name, "\(short(figure.median)) \(figure.unit)", figure.p99.map(short) ?? "",
      figure.maximum.map(short) ?? "", figure.load.map { "\(decimals($0 * 100, 2)) %" } ?? "",
      figure.allocations.map(String.init) ?? "", figure.twin.map { "\(short($0)) \(figure.unit)" } ?? "",
      figure.ratio.map { decimals($0, 2) } ?? "", decision, figure.twinName ?? "",
    ])
  }

  /// A number with at least three digits that count.
  static func short(_ value: Double) -> String {
    decimals(value, value < 1 ? 3 : value < 10 ? 2 : value < 1_000 ? 1 : 0)
  }

  static func decimals(_ value: Double, _ places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let rounded = Int((abs(value) * Double(scale)).rounded())
    let whole = (value < 0 && rounded > 0 ? "-" : "") + "\(rounded / scale)"
    guard places > 0 else { return whole }
    let digits = "\(rounded % scale)"
    return whole + "." + String(repeating: "0", count: places - digits.count) + digits
  }

  private static func line(_ cells: [String]) {
    var text = ""
    for (index, cell) in cells.enumerated() {
      let padding = index < widths.count ? max(0, widths[index] - cell.count) : 0
      let blanks = String(repeating: " ", count: padding)
      text += index == 0 ? cell + blanks : index < widths.count ? blanks + cell : "  " + cell
    }
    while text.last == " " { text.removeLast() }
    Swift.print(text)
    fflush(nil)
  }
}
