/// Lines and areas, as the attribute `d` of SVG's element `path`: in px, to a tenth.
package struct Path: Hashable, Sendable {
  package private(set) var data = ""

  package var isEmpty: Bool { data.isEmpty }

  /// Begins a line.
  package mutating func move(_ x: Double, _ y: Double) { add("M", x, y) }

  package mutating func line(_ x: Double, _ y: Double) { add("L", x, y) }

  /// Closes an area.
  package mutating func close() { data += "Z" }

  /// Adds a separate line.
  package mutating func segment(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    move(x1, y1)
    line(x2, y2)
  }

  package mutating func rectangle(_ box: Box) {
    move(box.x, box.y)
    data += "H" + Self.number(box.right) + "V" + Self.number(box.bottom) + "H" + Self.number(box.x) + "Z"
  }

  /// Adds the area between two lines with the same x coordinates, from the left to the right.
  package mutating func area(_ points: [(x: Double, top: Double, bottom: Double)]) {
    guard !points.isEmpty else { return }
    polyline(points.map { ($0.x, $0.top) })
    for point in points.reversed() { line(point.x, point.bottom) }
    close()
  }

  package mutating func polyline(_ points: [(x: Double, y: Double)]) {
    for (index, point) in points.enumerated() {
      if index == 0 { move(point.x, point.y) } else { line(point.x, point.y) }
    }
  }

  /// Returns the text of a coordinate; a tenth of a px is less than a viewer can see.
  package static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let whole = (tenths < 0 ? "-" : "") + String(abs(tenths) / 10)
    return tenths % 10 == 0 ? whole : whole + ".\(abs(tenths) % 10)"
  }

  private mutating func add(_ command: String, _ x: Double, _ y: Double) {
    data += command + Self.number(x) + "," + Self.number(y)
  }
}
