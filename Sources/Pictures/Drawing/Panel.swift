/// A part of a figure: a name, a value axis, and what is drawn against it and the figure's time axis.
package struct Panel: Sendable {
  /// A label on the value axis.
  package struct Tick: Hashable, Sendable {
    package let value: Double
    package let label: String
  }

  /// One thing that the picture shows, and how it is drawn.
  package struct LegendEntry: Hashable, Sendable {
    package enum Sample: Hashable, Sendable { case area, line, mark }

    package let label: String
    package let style: String
    package let sample: Sample
  }

  /// Paths of a style, later ones above earlier ones.
  package struct Layer: Sendable {
    package let path: Path
    package let style: String
  }

  package let box: Box
  package let scale: Scale
  /// Stands above it; empty where the panel above has said it.
  package var name = ""
  /// Stands in its middle, where there is nothing to draw.
  package var message = ""
  package var ticks: [Tick] = []
  /// Whether labels at its ends stay within its height, because neighbours have some there too.
  package var keepsLabelsInside = false
  /// Values with a faint line and no label.
  package var minorTicks: [Double] = []
  package var legend: [LegendEntry] = []
  /// Behind the grid.
  package var backdrop: [Layer] = []
  package var layers: [Layer] = []
}

extension Panel {
  /// Where an entry of the legend stands: it ends at `right`, so many lines of labels above the line of the panel's
  /// name.
  package struct LegendPlace: Hashable, Sendable {
    package let entry: LegendEntry
    package let right: Double
    package let line: Int

    /// Px of what is drawn, and from it to its label.
    package static let sample = (width: 16.0, gap: 6.0)

    package var left: Double { right - Self.width(of: entry) }

    package static func width(of entry: LegendEntry) -> Double {
      Figure.width(of: entry.label) + sample.width + sample.gap
    }
  }

  /// Px between two entries, or an entry and the panel's name.
  private static let space = 18.0

  /// The legend at the right end, beside the name where there is room and above it where there is none.
  package var legendPlaces: [LegendPlace] {
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
  package var legendLines: Int { legendPlaces.map(\.line).max() ?? 0 }

  /// Where the lines above the panel stand.
  package func baseline(ofLine line: Int) -> Double { box.y - 7 - Double(line) * Figure.lineHeight }

  /// Bold.
  package var nameWidth: Double { 1.1 * Figure.width(of: name) }

  /// The labels of the value axis and where they stand, without those that would lie on one before.
  package var labels: [(text: String, baseline: Double)] {
    var labels: [(text: String, baseline: Double)] = []
    for tick in ticks {
      var baseline = scale(tick.value) + 4
      if keepsLabelsInside { baseline = min(box.bottom, max(box.y + 9, baseline)) }
      if labels.allSatisfy({ abs($0.baseline - baseline) >= 12 }) { labels.append((tick.label, baseline)) }
    }
    return labels
  }
}
