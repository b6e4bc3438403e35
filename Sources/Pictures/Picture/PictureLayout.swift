/// Where the parts of a picture lie.
package struct PictureLayout: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package private(set) var waves: [Box] = []
  package let level: Box
  package let pitch: Box
  /// Nil where nothing happened.
  package let events: Box?

  private static let left = 64.0
  private static let right = 18.0
  /// Title and subtitle.
  private static let top = 60.0
  /// Names of panels, and legends that find room beside them.
  private static let header = 24.0
  private static let gap = 10.0
  /// Between two channels.
  private static let laneGap = 6.0
  /// Labels and name of the time axis.
  private static let bottom = 44.0

  /// Where every panel begins and ends.
  package static func columns(_ size: PictureSize) -> Box { Box(x: left, y: 0, width: panelWidth(size), height: 0) }

  private static func panelWidth(_ size: PictureSize) -> Double { Double(size.width) - left - right }

  /// - Parameters:
  ///   - eventRows: lines of names below the time axis.
  ///   - legendLines: those above the names of waveform, level and pitch.
  package init(size: PictureSize, channelCount: Int, eventRows: Int, legendLines: [Int]) {
    // Many channels share what four would have.
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
    // What is given beyond the fixed parts goes to the panels, what is missing is taken from them.
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
