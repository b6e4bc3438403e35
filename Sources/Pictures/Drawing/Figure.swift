/// Panels above one another on one time axis.
package struct Figure: Sendable {
  /// An event with its time.
  package struct Event: Hashable, Sendable {
    package let seconds: Double
    package let label: String

    package init(seconds: Double, label: String) {
      self.seconds = seconds
      self.label = label
    }
  }

  /// Height of a line of labels, in px.
  package static let lineHeight = 16.0

  package let width: Int
  package let height: Int
  package let title: String
  package let subtitle: String
  package let panels: [Panel]
  package let time: Scale
  package let timeTicks: TimeTicks
  /// Box for the names of events; nil if there are none.
  package let eventBox: Box?
  package let events: EventLabels

  /// Returns the SVG document.
  package func svg(_ theme: Theme) -> String {
    var svg = SVGWriter()
    svg.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": "\(width)", "height": "\(height)",
        "viewBox": "0 0 \(width) \(height)", "role": "img",
      ]
    ) { svg in
      svg.element("title", text: "\(title): \(subtitle)")
      svg.element("style", text: "\n" + theme.css)
      svg.element("rect", ["class": "background", "width": "100%", "height": "100%"])
      svg.label(Self.fitted(title, (Double(width) - 36) / 1.1, size: 18), 18, 30, class: "text title")
      svg.label(Self.fitted(subtitle, Double(width) - 36, size: 12), 18, 50, class: "muted")
      for panel in panels { draw(panel, &svg) }
      drawEvents(&svg)
      drawTimeAxis(&svg)
    }
    return svg.text
  }

  private func draw(_ panel: Panel, _ svg: inout SVGWriter) {
    let box = panel.box
    for layer in panel.backdrop { svg.path(layer.path, class: layer.style) }
    for (values, style) in [(panel.minorTicks, "minor"), (panel.ticks.map(\.value), "grid")] {
      var grid = Path()
      for value in values { grid.segment(box.x, panel.scale(value), box.right, panel.scale(value)) }
      if style == "grid" {
        for value in timeTicks.values { grid.segment(time(value), box.y, time(value), box.bottom) }
      }
      svg.path(grid, class: style)
    }
    for layer in panel.layers { svg.path(layer.path, class: layer.style) }
    var frame = Path()
    frame.rectangle(box)
    svg.path(frame, class: "frame")
    for label in panel.labels { svg.label(label.text, box.x - 8, label.baseline, class: "muted", anchor: "end") }
    if !panel.name.isEmpty { svg.label(panel.name, box.x, panel.baseline(ofLine: 0), class: "text name") }
    if !panel.message.isEmpty {
      svg.label(panel.message, box.x + box.width / 2, box.centerY + 4, class: "muted", anchor: "middle")
    }
    drawLegend(panel, &svg)
  }

  private func drawLegend(_ panel: Panel, _ svg: inout SVGWriter) {
    for place in panel.legendPlaces {
      let (x, baseline) = (place.left, panel.baseline(ofLine: place.line))
      svg.label(place.entry.label, place.right, baseline, class: "muted", anchor: "end")
      var sample = Path()
      switch place.entry.sample {
      case .area: sample.rectangle(Box(x: x, y: baseline - 9, width: 16, height: 10))
      case .line: sample.segment(x, baseline - 4, x + 16, baseline - 4)
      case .mark: sample.segment(x + 12, baseline - 8, x + 12, baseline)
      }
      svg.path(sample, class: place.entry.style)
    }
  }

  private func drawTimeAxis(_ svg: inout SVGWriter) {
    guard let last = panels.last?.box else { return }
    let bottom = eventBox?.bottom ?? last.bottom
    for value in timeTicks.values {
      let x = time(value)
      let label = timeTicks.label(value)
      // The last label would exceed the picture.
      let isCut = x + Self.width(of: label) / 2 > Double(width) - 4
      svg.label(label, isCut ? Double(width) - 4 : x, bottom + 16, class: "muted", anchor: isCut ? "end" : "middle")
    }
    svg.label("time, \(timeTicks.unit)", last.x + last.width / 2, bottom + 33, class: "muted", anchor: "middle")
  }

  /// Draws a line through each panel for each mark, a tick on the time axis with a bar to its last event, and the
  /// names.
  private func drawEvents(_ svg: inout SVGWriter) {
    guard let eventBox, let last = panels.last?.box else { return }
    svg.label("events", eventBox.x - 8, eventBox.y + 12, class: "muted", anchor: "end")
    var (lines, marks) = (Path(), Path())
    for mark in events.marks {
      let x = mark.first
      for panel in panels { lines.segment(x, panel.box.y, x, panel.box.bottom) }
      marks.move(x, last.bottom)
      marks.line(x + 4, last.bottom + 6)
      marks.line(x - 4, last.bottom + 6)
      marks.close()
      if mark.last > x { marks.rectangle(Box(x: x, y: last.bottom + 2, width: mark.last - x, height: 3)) }
    }
    svg.path(lines, class: "line event")
    svg.path(marks, class: "tick")
    for label in events.labels {
      svg.label(label.text, label.x, eventBox.y + 12 + Double(label.row) * Self.lineHeight, class: "tick")
    }
  }

  /// Returns a text, cut in its middle if it is wider than `width` px.
  package static func fitted(_ text: String, _ width: Double, size: Double) -> String {
    let average = self.width(of: text, size: size) / Double(max(1, text.count))
    let maximum = max(8, Int(width / max(1, average)))
    guard text.count > maximum else { return text }
    return text.prefix((maximum - 1) / 2) + "…" + text.suffix(maximum / 2)
  }

  /// Returns the approximate width of a text in px, as in the widest of the fonts.
  package static func width(of text: String, size: Double = 12) -> Double {
    text.unicodeScalars.reduce(0) { width, scalar in
      let em =
        switch scalar {
        case "i", "j", "l", "t", "f", " ", ".", ",", ":", "'", "/": 0.36
        case "m", "w", "M", "W": 0.9
        case "A"..."Z": 0.72
        case "\u{0}"..."\u{2FF}": 0.63
        default: 1.0
        }
      return width + em * size
    }
  }
}
