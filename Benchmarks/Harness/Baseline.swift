/// The ratios of an earlier run: a line for each, the ratio, a tab, the figure's name.
struct Baseline {
  private let ratios: [String: Double]
  let text: String

  init(_ figures: [Figure]) {
    let known = figures.compactMap { figure in figure.ratio.map { (figure.name, $0) } }
    ratios = Dictionary(uniqueKeysWithValues: known)
    text = known.map { "\(FigureTable.decimals($1, 3))\t\($0)\n" }.joined()
  }

  init(parsing text: String) throws(WrongResult) {
    var ratios: [String: Double] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, let ratio = Double(String(parts[0])) else {
        throw WrongResult("'\(line)' is not a line of a baseline: ratio, tab, name")
      }
      ratios[String(parts[1])] = ratio
    }
    self.ratios = ratios
    self.text = text
  }

  /// A sentence for each figure whose ratio is worse than it was.
  func complaints(about figures: [Figure], tolerance: Double) -> [String] {
    figures.compactMap { figure in
      guard let ratio = figure.ratio, let before = ratios[figure.name], ratio > before * (1 + tolerance) else {
        return nil
      }
      return "\(figure.name): \(FigureTable.decimals(ratio, 2)) x \(figure.twinName ?? "its twin"), "
        + "was \(FigureTable.decimals(before, 2))"
    }
  }
}
