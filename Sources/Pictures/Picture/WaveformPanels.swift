import AudioGraph
import FrameObservers
import Metering

/// Panels of the waveform, one for each channel: the least and greatest sample and the RMS of every column.
package struct WaveformPanels {
  package let waves: [Envelope<WaveBin>]
  package let sampleRate: Int
  package let time: Scale

  package func panels(_ boxes: [Box]) -> [Panel] {
    let peak = waves.flatMap(\.cells).reduce(0) { max($0, Double($1.peak)) }
    // A quiet sound fills its panel, too: the labels give its level.
    let limit = peak > 0 ? max(1e-4, Ticks.roundedUp(peak)) : 1
    let channels = zip(boxes, waves).map { box, wave in Channel(wave, in: box, limit, sampleRate, time) }
    return boxes.indices.map { index in
      let scale = Scale(-limit...limit, up: boxes[index])
      var panel = Panel(box: boxes[index], scale: scale)
      if index == 0 {
        panel.name = hasRoom(boxes[0]) ? "waveform" : "waveform, −\(limit.plainText) to \(limit.plainText)"
        panel.legend = legend(channels)
      }
      panel.keepsLabelsInside = boxes.count > 1
      panel.ticks = ticks(limit, channel: index, in: boxes[index])
      guard channels.indices.contains(index) else {
        panel.message = "no sound"
        return panel
      }
      panel.layers = channels[index].layers
      if limit > 1 {
        var ends = Path()
        for end in [-1.0, 1] { ends.segment(boxes[index].x, scale(end), boxes[index].right, scale(end)) }
        panel.layers.append(Panel.Layer(path: ends, style: "limit"))
      }
      return panel
    }
  }

  /// Returns labels of the ends, if they fit, and a middle label: 0, or the channel's name if there are several.
  private func ticks(_ limit: Double, channel: Int, in box: Box) -> [Panel.Tick] {
    let name =
      switch waves.count {
      case ...1: "0"
      case 2: channel == 0 ? "left" : "right"
      default: "ch \(channel + 1)"
      }
    let middle = Panel.Tick(value: 0, label: name)
    guard hasRoom(box) else { return [middle] }
    return [Panel.Tick(value: -limit, label: "−" + limit.plainText), middle]
      + [Panel.Tick(value: limit, label: limit.plainText)]
  }

  /// Returns whether three labels fit above one another.
  private func hasRoom(_ box: Box) -> Bool { box.height >= 50 }

  private func legend(_ channels: [Channel]) -> [Panel.LegendEntry] {
    var legend: [Panel.LegendEntry] = []
    if channels.contains(where: { !$0.extremes.isEmpty }) {
      legend.append(Panel.LegendEntry(label: "extremes", style: "wave", sample: .area))
    }
    if channels.contains(where: { !$0.samples.isEmpty }) {
      legend.append(Panel.LegendEntry(label: "samples", style: "line samples", sample: .line))
    }
    if channels.contains(where: { !$0.strength.isEmpty }) {
      legend.append(Panel.LegendEntry(label: "RMS", style: "strength", sample: .area))
    }
    if channels.contains(where: { !$0.clipped.isEmpty }) {
      legend.append(Panel.LegendEntry(label: "clipped", style: "mark clipped", sample: .mark))
    }
    return legend
  }

  private struct Channel {
    /// Shortest span in seconds with a meaningful RMS: the period of a low voice. If a px is shorter, the wave itself
    /// moves within the span, and limits the drawn area.
    private static let shortestRMS = 0.02

    var extremes = Path()
    var strength = Path()
    /// Path in place of extremes and strength, if each sample has a px or more.
    var samples = Path()
    var clipped = Path()

    var layers: [Panel.Layer] {
      [(extremes, "wave area"), (strength, "strength area"), (samples, "line samples"), (clipped, "mark clipped")]
        .map { Panel.Layer(path: $0, style: $1) }
    }

    init(_ wave: Envelope<WaveBin>, in box: Box, _ limit: Double, _ sampleRate: Int, _ time: Scale) {
      let scale = Scale(-limit...limit, up: box)
      let points = wave.columns(atMost: Int(box.width)).spreadOut(time, sampleRate: sampleRate)
      if wave.count <= Int(box.width) {
        samples.polyline(points.map { ($0.x, scale(Double($0.cell.maximum))) })
      } else {
        extremes.area(points.map { ($0.x, scale(Double($0.cell.maximum)), scale(Double($0.cell.minimum))) })
        let windowCount = Int(Double(wave.count) / Double(sampleRate) / Self.shortestRMS)
        let windows = wave.columns(atMost: min(Int(box.width), windowCount))
        strength.area(
          points.enumerated().map { index, point in
            let level = windows[index * windows.count / points.count].cell.rootMeanSquare
            let top = min(level, Double(point.cell.maximum))
            return (point.x, scale(top), scale(min(top, max(-level, Double(point.cell.minimum)))))
          })
      }
      for point in points where point.cell.peak >= LevelKernel.clippingMagnitude {
        if point.cell.maximum >= LevelKernel.clippingMagnitude { clipped.segment(point.x, box.y, point.x, box.y + 5) }
        if point.cell.minimum <= -LevelKernel.clippingMagnitude {
          clipped.segment(point.x, box.bottom - 5, point.x, box.bottom)
        }
      }
    }
  }
}
