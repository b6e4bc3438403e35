/// Where the names of events find room below a time axis: in rows, from the left to the right, each beside its tick.
struct EventLabels: Hashable, Sendable {
  struct Label: Hashable, Sendable {
    let text: String
    let x: Double
    let row: Int
  }

  static let maximumRows = 3

  /// Where the ticks are, at most one in a px.
  private(set) var ticks: [Double] = []
  /// Those that find room.
  private(set) var labels: [Label] = []

  var rowCount: Int { (labels.map(\.row).max() ?? -1) + 1 }

  /// - Parameter right: where the figure ends.
  init(_ events: [Figure.Event], time: Scale, right: Double) {
    var ends = [Double](repeating: -.infinity, count: Self.maximumRows)
    for event in events.sorted(by: { $0.seconds < $1.seconds }) {
      let x = time(event.seconds)
      if x - (ticks.last ?? -.infinity) >= 1 { ticks.append(x) }
      let width = Figure.width(of: event.label)
      let start = x + 7 + width > right ? x - 7 - width : x + 7
      guard let row = ends.firstIndex(where: { $0 <= start - 6 }) else { continue }
      ends[row] = start + width
      labels.append(Label(text: event.label, x: start, row: row))
    }
  }
}
