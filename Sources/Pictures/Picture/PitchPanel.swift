import AudioGraph

/// Panel of the voice's pitch on a logarithmic axis, only in rows with a voice.
///
/// Up to 100 ms a px it is a line, with a gap for each row without a voice. If a px holds more, it contains several
/// syllables, and a line through them would be a solid block. Then the panel is cut into pieces, each with its mean and
/// standard deviation.
package struct PitchPanel {
  package let series: PitchSeries
  package let time: Scale

  /// Largest number of rows of a px for a line.
  private static let finestRows = 10
  /// Width in px of a piece with a mean.
  private static let pieceWidth = 6.0

  package func panel(_ box: Box) -> Panel {
    let scale = Scale(domain, .logarithmic, up: box)
    var panel = Panel(box: box, scale: scale)
    panel.name = "f0, Hz"
    panel.ticks = Ticks.logarithmic(in: scale.domain).map { Panel.Tick(value: $0, label: $0.plainText) }
    panel.minorTicks = Ticks.logarithmicBetween(in: scale.domain)
    guard series.range != nil else {
      panel.message = "no voice"
      return panel
    }
    let columns = series.envelope.columns(atMost: Int(box.width))
    if columns.allSatisfy({ $0.units.count <= Self.finestRows }) {
      panel.layers = [Panel.Layer(path: contour(columns, scale), style: "line pitch")]
      panel.legend = [Panel.LegendEntry(label: "voiced", style: "line pitch", sample: .line)]
    } else {
      let pieces = series.envelope.columns(atMost: Int(box.width / Self.pieceWidth))
      let (means, spreads) = distribution(pieces, scale)
      panel.layers = [Panel.Layer(path: spreads, style: "spread"), Panel.Layer(path: means, style: "line pitch")]
      panel.legend = [
        Panel.LegendEntry(label: "mean", style: "line pitch", sample: .line),
        Panel.LegendEntry(label: "standard deviation", style: "spread", sample: .area),
      ]
    }
    return panel
  }

  /// Range of voices, extended to the pitches found beyond it.
  private var domain: ClosedRange<Double> {
    guard let range = series.range else { return 60...500 }
    return min(60, Double(range.lowerBound) * 0.95)...max(500, Double(range.upperBound) * 1.05)
  }

  /// Draws a column with several rows as a line through them would look: from the first over the extremes to the last.
  ///
  /// Source: Jugel, Jerzak, Hackenbroich and Markl, "M4: A visualization-oriented time series data aggregation", 2014.
  private func contour(_ columns: [Envelope<PitchBin>.Column], _ scale: Scale) -> Path {
    var path = Path()
    var isOpen = false
    for column in columns {
      let cell = column.cell
      guard cell.voicedCount > 0 else {
        isOpen = false
        continue
      }
      // A row is at its time, not between two.
      let x = time(series.seconds(ofRow: Double(column.units.lowerBound + column.units.upperBound - 1) / 2))
      if isOpen, cell.beginsVoiced {
        path.line(x, scale(Double(cell.first)))
      } else {
        path.move(x, scale(Double(cell.first)))
      }
      // At least one line, so that a single row is a dot.
      if cell.lowest < cell.highest {
        for hertz in [cell.lowest, cell.highest] { path.line(x, scale(Double(hertz))) }
      }
      path.line(x, scale(Double(cell.last)))
      isOpen = cell.endsVoiced
    }
    return path
  }

  private func distribution(_ columns: [Envelope<PitchBin>.Column], _ scale: Scale) -> (means: Path, spreads: Path) {
    var (means, spreads) = (Path(), Path())
    for column in columns {
      guard let (center, spread) = column.cell.center else { continue }
      let left = time(series.seconds(ofRow: Double(column.units.lowerBound) - 0.5))
      let right = time(series.seconds(ofRow: Double(column.units.upperBound) - 0.5))
      means.segment(left, scale(center), right, scale(center))
      let (top, bottom) = (scale(center * spread), scale(center / spread))
      spreads.rectangle(Box(x: left, y: top, width: right - left, height: bottom - top))
    }
    return (means, spreads)
  }
}
