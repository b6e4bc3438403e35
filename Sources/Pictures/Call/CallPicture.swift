package import CallSimulation
import Channels
import Signalling

/// A picture of a simulated call: delay, target, concealment and loss of each direction over time, and events.
package struct CallPicture: Picture {
  package let seed: UInt64
  package let result: CallResult

  package init(seed: UInt64, result: CallResult) {
    self.seed = seed
    self.result = result
  }

  /// Largest number of directions in a picture.
  package static let limit = 12

  private static let left = 64.0
  private static let right = 18.0
  private static let top = 60.0
  private static let header = 26.0
  private static let gap = 4.0
  private static let bottom = 44.0
  private static let delayHeight = 72.0
  private static let shareHeight = 30.0
  /// Smallest readable share of these heights.
  private static let leastStretch = 0.4

  private typealias Direction = (listener: UInt32, heard: HeardUser)

  /// Computes the layout of the picture.
  package func figure(_ size: PictureSize) -> Figure {
    let all = result.listeners.flatMap { listener in listener.heard.map { (listener.uid, $0) as Direction } }
    let width = Double(size.width) - Self.left - Self.right
    let seconds = max(1, result.durationSeconds.rounded(.up))
    let time = Scale(0...seconds, across: Box(x: Self.left, y: 0, width: width, height: 0))
    let labels = EventLabels(events, time: time, right: Double(size.width))
    let eventHeight = labels.rowCount > 0 ? Double(labels.rowCount) * Figure.lineHeight + 8 : 0
    // The first direction has the legend, whichever direction that is.
    let legendHeight = all.map { Double(Self.legendLines($0, width: width)) * Figure.lineHeight }.max() ?? 0
    let around = Self.top + legendHeight + Self.bottom + eventHeight
    let least = Self.header + Self.gap + Self.leastStretch * (Self.delayHeight + Self.shareHeight)
    let room = size.height.map { max(1, Int((Double($0) - around) / least)) } ?? Self.limit
    let shown = Self.shown(all, atMost: min(Self.limit, room))
    let count = Double(shown.count)
    let fixed = around + count * (Self.header + Self.gap)
    let natural = fixed + count * (Self.delayHeight + Self.shareHeight)
    let height = size.height ?? Int(natural.rounded(.up))
    // Height beyond the fixed parts goes to the panels, missing height is taken from them.
    let stretch = max(0.1, (Double(height) - fixed) / (natural - fixed))
    let courses = shown.map { series($0.heard, seconds: Int(seconds)) }
    var y = Self.top + legendHeight
    var panels: [Panel] = []
    for (index, direction) in shown.enumerated() {
      let delays = Box(x: Self.left, y: y + Self.header, width: width, height: Self.delayHeight * stretch)
      let shares = Box(x: Self.left, y: delays.bottom + Self.gap, width: width, height: Self.shareHeight * stretch)
      panels += DirectionPanels(
        name: Self.name(direction), series: courses[index], time: time,
        longestDelay: Self.end(courses) { max($0.delay ?? 0, $0.target ?? 0, $0.buffer ?? 0) },
        greatestShare: min(100, Self.end(courses) { max($0.concealed ?? 0, $0.lost ?? 0) }), hasLegend: index == 0
      ).panels(delays: delays, shares: shares)
      y = shares.bottom
    }
    let eventBox = Box(x: Self.left, y: y + 8, width: width, height: eventHeight - 8)
    return Figure(
      width: size.width, height: height, title: "simulated call", subtitle: subtitle(shown.count, of: all.count),
      panels: panels, time: time, timeTicks: TimeTicks(seconds: seconds, atMost: Int(width / 90)),
      eventBox: eventHeight > 0 ? eventBox : nil, events: labels)
  }

  private func subtitle(_ shown: Int, of all: Int) -> String {
    let whole = "\(result.listeners.count { $0.uid != 0 }) users · seed \(seed) · \(result.durationSeconds.plainText) s"
    let part = shown < all ? " · the \(shown) of \(all) directions with the lowest MOS" : ""
    return whole + part + (result.isCancelled ? " · stopped before its end" : "")
  }

  /// Returns the number of lines that the legend would take above a direction's name.
  private static func legendLines(_ direction: Direction, width: Double) -> Int {
    let box = Box(x: left, y: 0, width: width, height: 0)
    var panel = Panel(box: box, scale: Scale(0...1, up: box))
    panel.name = name(direction)
    panel.legend = DirectionPanels.legend
    return panel.legendLines
  }

  /// Returns the directions to draw, in the order of listeners.
  private static func shown(_ all: [Direction], atMost limit: Int) -> [Direction] {
    guard all.count > limit else { return all }
    // A direction without speech has no score, and counts as the best.
    let scores = all.map { $0.heard.mos ?? .infinity }
    let worst = all.indices.sorted { (scores[$0], $0) < (scores[$1], $1) }.prefix(limit)
    return worst.sorted().map { all[$0] }
  }

  private static func name(_ direction: Direction) -> String {
    let listener = direction.listener == 0 ? "the silent listener" : "user \(direction.listener)"
    return "user \(direction.heard.uid) → \(listener)\(place(direction.heard.channel))"
  }

  /// The end of a text about a channel; nothing for the call.
  private static func place(_ channel: ChannelName?) -> String {
    channel.flatMap { $0 == CallScript.channel ? nil : " in \($0)" } ?? ""
  }

  /// Returns a round end of an axis that can show all directions.
  private static func end(_ courses: [Envelope<DirectionBin>], _ value: (DirectionBin) -> Double) -> Double {
    let greatest = courses.flatMap { $0.cells.map(value) }.max() ?? 0
    guard greatest > 0 else { return 1 }
    let step = Ticks.roundedUp(greatest / 3)
    return step * (greatest / step).rounded(.up)
  }

  private func series(_ heard: HeardUser, seconds: Int) -> Envelope<DirectionBin> {
    var series = Envelope<DirectionBin>(capacity: SoundSeries.capacity)
    let rows = Dictionary(uniqueKeysWithValues: heard.seconds.map { ($0.timeSeconds, $0) })
    for second in 0..<seconds { series.append(DirectionBin(rows[second])) }
    return series
  }

  private var events: [Figure.Event] {
    result.events.compactMap { event in
      switch event.kind {
      case .script(_, let action, nil):
        Figure.Event(seconds: event.seconds, label: label(action))
      // The reason for an event that did not happen is not an event.
      case .script: nil
      // Once a second while a network is bad: the curves show it better.
      case .sending: nil
      case .channel(let change, let user, let channel):
        Self.label(change, user).map { Figure.Event(seconds: event.seconds, label: $0 + Self.place(channel)) }
      case .calls(.connected, let user): Figure.Event(seconds: event.seconds, label: "\(user) connected")
      case .calls(.disconnected, let user): Figure.Event(seconds: event.seconds, label: "\(user) disconnected")
      // The others are steps on the way to these two.
      case .calls: nil
      case .pipeline(let kind, _): kind.label.map { Figure.Event(seconds: event.seconds, label: $0) }
      }
    }
  }

  /// Text for a change of a user's connection to the relay; nil for other events.
  private static func label(_ event: ChannelEvent, _ user: UInt32) -> String? {
    switch event {
    case .stateChanged(.reconnecting, _): "\(user) interrupted"
    case .rejoined: "\(user) rejoined"
    case .failed: "\(user) failed"
    default: nil
    }
  }

  private func label(_ action: ScriptAction) -> String {
    let name = action.name.rawValue
    if case .network(_, let from, let to) = action, from != nil || to != nil {
      func text(_ user: UInt32?) -> String { user.map(String.init) ?? "all" }
      return "\(name) \(text(from)) → \(text(to))"
    }
    if case .role(let role, _, let user, let channel) = action { return "\(user) \(role.name)" + Self.place(channel) }
    return (action.user.map { "\(name) \($0)" } ?? name) + Self.place(action.channel)
  }
}
