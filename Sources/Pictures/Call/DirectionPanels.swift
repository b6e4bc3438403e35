import AudioGraph

/// Panels of one direction of a call: delays above, concealment and loss below.
package struct DirectionPanels {
  package let name: String
  package let series: Envelope<DirectionBin>
  package let time: Scale
  /// Ends of the axes, the same for all directions, so that they can be compared.
  package let longestDelay: Double
  package let greatestShare: Double
  /// Whether the panels have a legend.
  package let hasLegend: Bool

  package static let legend = [
    Panel.LegendEntry(label: "delay, mouth to ear", style: "line rms", sample: .line),
    Panel.LegendEntry(label: "jitter buffer", style: "line peak", sample: .line),
    Panel.LegendEntry(label: "its target", style: "line pitch", sample: .line),
    Panel.LegendEntry(label: "concealed", style: "spread", sample: .area),
    Panel.LegendEntry(label: "lost", style: "line clipped", sample: .line),
  ]

  package func panels(delays: Box, shares: Box) -> [Panel] {
    let columns = series.columns(atMost: Int(delays.width))
    return [delayPanel(columns, delays), sharePanel(columns, shares)]
  }

  private func delayPanel(_ columns: [Envelope<DirectionBin>.Column], _ box: Box) -> Panel {
    let scale = Scale(0...longestDelay, up: box)
    var panel = Panel(box: box, scale: scale)
    panel.name = name
    panel.keepsLabelsInside = true
    panel.ticks = Ticks.linear(in: scale.domain, atMost: 3).map { Panel.Tick(value: $0, label: "\($0.plainText) ms") }
    if hasLegend { panel.legend = Self.legend }
    if columns.allSatisfy({ $0.cell.delay == nil }) { panel.message = "nothing came" }
    panel.layers = [
      Panel.Layer(path: line(columns, scale, \.target), style: "line pitch"),
      Panel.Layer(path: line(columns, scale, \.buffer), style: "line peak"),
      Panel.Layer(path: line(columns, scale, \.delay), style: "line rms"),
    ]
    return panel
  }

  private func sharePanel(_ columns: [Envelope<DirectionBin>.Column], _ box: Box) -> Panel {
    let scale = Scale(0...greatestShare, up: box)
    var panel = Panel(box: box, scale: scale)
    panel.keepsLabelsInside = true
    // If there is space for one label only, it is the one that gives the height of the panel.
    panel.ticks = [greatestShare, 0].map { Panel.Tick(value: $0, label: "\($0.plainText) %") }
    var bars = Path()
    for column in columns {
      guard let share = column.cell.concealed, share > 0 else { continue }
      let (left, right) = edges(column)
      let top = scale(share)
      bars.rectangle(Box(x: left, y: top, width: right - left, height: box.bottom - top))
    }
    panel.layers = [
      Panel.Layer(path: bars, style: "spread"), Panel.Layer(path: line(columns, scale, \.lost), style: "line clipped"),
    ]
    return panel
  }

  /// Returns a path with a step for each column, and a gap for each column without a value.
  private func line(
    _ columns: [Envelope<DirectionBin>.Column], _ scale: Scale, _ value: KeyPath<DirectionBin, Double?>
  ) -> Path {
    var path = Path()
    var isOpen = false
    for column in columns {
      guard let value = column.cell[keyPath: value] else {
        isOpen = false
        continue
      }
      let (left, right) = edges(column)
      if isOpen { path.line(left, scale(value)) } else { path.move(left, scale(value)) }
      path.line(right, scale(value))
      isOpen = true
    }
    return path
  }

  private func edges(_ column: Envelope<DirectionBin>.Column) -> (left: Double, right: Double) {
    (time(Double(column.units.lowerBound)), time(Double(column.units.upperBound)))
  }
}
