/// A part of a figure: a name, a value axis, and what is drawn against it and the figure's time axis.
struct Panel: Sendable {
  /// A label on the value axis.
  struct Tick: Hashable, Sendable {
    let value: Double
    let label: String
  }

  /// One thing that the picture shows, and how it is drawn.
  struct LegendEntry: Hashable, Sendable {
    enum Sample: Hashable, Sendable { case area, line, mark }

    let label: String
    let style: String
    let sample: Sample
  }

  /// Paths of a style, later ones above earlier ones.
  struct Layer: Sendable {
    let path: Path
    let style: String
  }

  let box: Box
  let scale: Scale
  /// Stands above it; empty where the panel above has said it.
  var name = ""
  /// Stands in its middle, where there is nothing to draw.
  var message = ""
  var ticks: [Tick] = []
  /// Whether labels at its ends stay within its height, because neighbours have some there too.
  var keepsLabelsInside = false
  /// Values with a faint line and no label.
  var minorTicks: [Double] = []
  var legend: [LegendEntry] = []
  /// Behind the grid.
  var backdrop: [Layer] = []
  var layers: [Layer] = []
}

extension Panel {
  /// Where an entry of the legend stands: it ends at `right`, so many lines of labels above the line of the panel's
  /// name.
  struct LegendPlace: Hashable, Sendable {
    let entry: LegendEntry
    let right: Double
    let line: Int

    /// Px of what is drawn, and from it to its label.
    static let sample = (width: 16.0, gap: 6.0)

    var left: Double { right - Self.width(of: entry) }

    static func width(of entry: LegendEntry) -> Double { Figure.width(of: entry.label) + sample.width + sample.gap }
  }

  /// Px between two entries, or an entry and the panel's name.
  private static let space = 18.0

  /// The legend at the right end, beside the name where there is room and above it where there is none.
  var legendPlaces: [LegendPlace] {
    var (right, line) = (box.right, 0)
    var left = name.isEmpty ? box.x : box.x + nameWidth + Self.space
    let places = legend.reversed().map { entry in
      if right - LegendPlace.width(of: entry) < left {
        (right, line, left) = (box.right, line + 1, box.x)
      }
      let place = LegendPlace(entry: entry, right: right, line: line)
      right = place.left - Self.space
      return place
    }
    return places.reversed()
  }

  /// Lines above that of the name which the legend takes.
  var legendLines: Int { legendPlaces.map(\.line).max() ?? 0 }

  /// Where the lines above the panel stand.
  func baseline(ofLine line: Int) -> Double { box.y - 7 - Double(line) * Figure.lineHeight }

  /// Bold.
  var nameWidth: Double { 1.1 * Figure.width(of: name) }

  /// The labels of the value axis and where they stand, without those that would lie on one before.
  var labels: [(text: String, baseline: Double)] {
    var labels: [(text: String, baseline: Double)] = []
    for tick in ticks {
      var baseline = scale(tick.value) + 4
      if keepsLabelsInside { baseline = min(box.bottom, max(box.y + 9, baseline)) }
      if labels.allSatisfy({ abs($0.baseline - baseline) >= 12 }) { labels.append((tick.label, baseline)) }
    }
    return labels
  }
}
