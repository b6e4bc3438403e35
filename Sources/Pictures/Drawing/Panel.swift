/// A part of a figure: a name, a value axis, and layers drawn against it and the figure's time axis.
package struct Panel: Sendable {
  /// A label on the value axis.
  package struct Tick: Hashable, Sendable {
    package let value: Double
    package let label: String
  }

  /// An entry of the legend, with the style of its sample.
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
  /// Name above the panel; empty if the panel above has it.
  package var name = ""
  /// Message in the middle of a panel without contents.
  package var message = ""
  package var ticks: [Tick] = []
  /// Whether labels at its ends stay within its height, because neighboring panels have labels there, too.
  package var keepsLabelsInside = false
  /// Values with a faint line and no label.
  package var minorTicks: [Double] = []
  package var legend: [LegendEntry] = []
  /// Layers behind the grid.
  package var backdrop: [Layer] = []
  package var layers: [Layer] = []
}

extension Panel {
  /// Position of an entry of the legend: it ends at `right`, `line` lines of labels above the line of the panel's name.
  package struct LegendPlace: Hashable, Sendable {
    package let entry: LegendEntry
    package let right: Double
    package let line: Int

    /// Width of the drawn sample, and the gap from it to its label, in px.
    package static let sample = (width: 16.0, gap: 6.0)

    package var left: Double { right - Self.width(of: entry) }

    package static func width(of entry: LegendEntry) -> Double {
      Figure.width(of: entry.label) + sample.width + sample.gap
    }
  }

  /// Px between two entries, or an entry and the panel's name.
  private static let space = 18.0

  /// Positions of the legend's entries, at the right end: beside the name if they fit there, and otherwise above it.
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

  /// Number of lines that the legend takes above the line of the name.
  package var legendLines: Int { legendPlaces.map(\.line).max() ?? 0 }

  /// Returns the baseline of a line above the panel.
  package func baseline(ofLine line: Int) -> Double { box.y - 7 - Double(line) * Figure.lineHeight }

  /// Width of the name in bold, in px.
  package var nameWidth: Double { 1.1 * Figure.width(of: name) }

  /// Labels of the value axis with their baselines, without labels that would overlap an earlier one.
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
