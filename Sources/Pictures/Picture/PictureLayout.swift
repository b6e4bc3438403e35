/// Positions of the parts of a picture.
package struct PictureLayout: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package private(set) var waves: [Box] = []
  package let level: Box
  package let pitch: Box
  /// Box for the names of events; nil if there are none.
  package let events: Box?

  private static let left = 64.0
  private static let right = 18.0
  /// Height of the title and subtitle, in px.
  private static let top = 60.0
  /// Height of a panel's name, with a legend that fits beside it, in px.
  private static let header = 24.0
  private static let gap = 10.0
  /// Gap between two channels, in px.
  private static let laneGap = 6.0
  /// Height of the labels and the name of the time axis, in px.
  private static let bottom = 44.0

  /// Returns the horizontal extent of every panel.
  package static func columns(_ size: PictureSize) -> Box { Box(x: left, y: 0, width: panelWidth(size), height: 0) }

  private static func panelWidth(_ size: PictureSize) -> Double { Double(size.width) - left - right }

  /// - Parameters:
  ///   - size: size of the picture.
  ///   - channelCount: number of channels.
  ///   - eventRows: lines of names below the time axis.
  ///   - legendLines: lines of legends above the names of waveform, level and pitch.
  package init(size: PictureSize, channelCount: Int, eventRows: Int, legendLines: [Int]) {
    // More than four channels share the height of four.
    let waveHeights = [Double](
      repeating: channelCount == 1 ? 120 : max(44, min(80, 320 / Double(channelCount))), count: channelCount)
    let heights = waveHeights + [130, 150]
    let eventHeight = eventRows > 0 ? Double(eventRows) * Figure.lineHeight + 8 : 0
    let headers = legendLines.map { Self.header + Double($0) * Figure.lineHeight }
    let fixed =
      Self.top + headers.reduce(0, +) + 2 * Self.gap + Double(channelCount - 1) * Self.laneGap + Self.bottom
      + eventHeight
    let natural = fixed + heights.reduce(0, +)
    width = size.width
    height = size.height ?? Int(natural.rounded(.up))
    // Height beyond the fixed parts goes to the panels, missing height is taken from them.
    let stretch = max(0.1, (Double(height) - fixed) / (natural - fixed))
    let panelWidth = Self.panelWidth(size)
    var y = Self.top + headers[0]
    func box(_ height: Double) -> Box {
      defer { y += height * stretch }
      return Box(x: Self.left, y: y, width: panelWidth, height: height * stretch)
    }
    for height in waveHeights {
      waves.append(box(height))
      y += Self.laneGap
    }
    y += Self.gap + headers[1] - Self.laneGap
    level = box(130)
    y += Self.gap + headers[2]
    pitch = box(150)
    events =
      eventRows > 0 ? Box(x: Self.left, y: pitch.bottom + 8, width: panelWidth, height: eventHeight - 8) : nil
  }
}
