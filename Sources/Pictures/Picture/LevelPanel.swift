import AudioGraph

/// Panel of the level of all channels, RMS and peak, in front of areas for voice.
package struct LevelPanel {
  package let levels: Envelope<LevelBin>?
  package let sampleRate: Int
  package let time: Scale

  package func panel(_ box: Box) -> Panel {
    let peak = levels?.cells.reduce(-Double.infinity) { max($0, $1.peakDBFS) } ?? -.infinity
    let scale = Scale(Self.floor(peak)...(peak > 0 ? 10 : 0), up: box)
    var panel = Panel(box: box, scale: scale)
    panel.name = "level, dBFS"
    panel.ticks = Ticks.linear(in: scale.domain, atMost: max(2, Int(box.height / 24))).map {
      Panel.Tick(value: $0, label: ($0 < 0 ? "−" : "") + abs($0).plainText)
    }
    panel.legend = [
      Panel.LegendEntry(label: "peak", style: "line peak", sample: .line),
      Panel.LegendEntry(label: "RMS", style: "line rms", sample: .line),
      Panel.LegendEntry(label: "voice", style: "voice", sample: .area),
    ]
    guard let columns = levels?.columns(atMost: Int(box.width)), !columns.isEmpty else {
      panel.message = "no sound"
      return panel
    }
    panel.backdrop = [Panel.Layer(path: voice(columns, box), style: "voice")]
    let points = columns.spreadOut(time, sampleRate: sampleRate)
    var (peaks, means) = (Path(), Path())
    peaks.polyline(points.map { ($0.x, scale($0.cell.peakDBFS)) })
    means.polyline(points.map { ($0.x, scale($0.cell.rmsDBFS)) })
    panel.layers = [Panel.Layer(path: peaks, style: "line peak"), Panel.Layer(path: means, style: "line rms")]
    return panel
  }

  /// Speech and its pauses are above -60 dBFS; a sound that is all below gets a separate axis.
  private static func floor(_ peak: Double) -> Double { peak > -50 || peak == -.infinity ? -60 : -120 }

  /// Returns a path with a rectangle for each run of columns with voice.
  private func voice(_ columns: [Envelope<LevelBin>.Column], _ box: Box) -> Path {
    var path = Path()
    var start: Int?
    for (index, column) in columns.enumerated() {
      if column.cell.isVoice, start == nil { start = column.units.lowerBound }
      let isLast = index == columns.count - 1 || !columns[index + 1].cell.isVoice
      guard let first = start, isLast else { continue }
      let x = time(Double(first) / Double(sampleRate))
      let right = time(Double(column.units.upperBound) / Double(sampleRate))
      path.rectangle(Box(x: x, y: box.y, width: right - x, height: box.height))
      start = nil
    }
    return path
  }
}
