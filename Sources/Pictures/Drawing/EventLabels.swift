/// Positions of marks and names of events below a time axis: names in rows, from the left to the right, each beside its
/// mark.
///
/// Events of one name that follow each other closely share a mark, a bar over their span, and a name with their number.
/// If names do not fit, events further apart share a mark, and in the end neighbors share one, so
/// that every event has a mark.
package struct EventLabels: Hashable, Sendable {
  package struct Label: Hashable, Sendable {
    package let text: String
    package let x: Double
    package let row: Int

    package var end: Double { x + Figure.width(of: text) }
  }

  /// Span from the first to the last event of a mark, in px.
  package struct Mark: Hashable, Sendable {
    package let first: Double
    package let last: Double
  }

  package static let maximumRows = 3

  /// Marks in the order of their beginnings, at most one in a px.
  package let marks: [Mark]
  /// Labels in the order of their marks.
  package let labels: [Label]

  package var rowCount: Int { (labels.map(\.row).max() ?? -1) + 1 }

  /// Largest distances in px between events of one name that share a mark; the next one applies if names do not fit.
  private static let reaches = [12.0, 24, 48, 96]
  /// Px between a mark and its name, two names of a row, and a name and the figure's edge.
  private static let space = (mark: 7.0, name: 6.0, edge: 4.0)

  /// - Parameters:
  ///   - events: events to place.
  ///   - time: time axis.
  ///   - right: right end of the figure; its left end is 0.
  package init(_ events: [Figure.Event], time: Scale, right: Double) {
    var groups: [Group] = []
    var labels = Result<[Label], Missing>.success([])
    for reach in Self.reaches {
      groups = Self.groups(events, time, reach: reach)
      labels = Self.place(groups, right)
      if case .success = labels { break }
    }
    while case .failure(let missing) = labels {
      Self.merge(missing.index, in: &groups)
      labels = Self.place(groups, right)
    }
    self.labels = (try? labels.get()) ?? []
    marks = groups.reduce(into: []) { marks, group in
      if let last = marks.last, group.first - last.first < 1 {
        marks[marks.count - 1] = Mark(first: last.first, last: max(last.last, group.last))
      } else {
        marks.append(Mark(first: group.first, last: group.last))
      }
    }
  }

  /// Events that share a mark.
  private struct Group {
    var first: Double
    var last: Double
    /// Names in the order of their first events, each with its number of events.
    var parts: [(name: String, count: Int)]

    /// Returns the name of the group, at most `room` px wide; a number is never cut.
    func text(_ room: Double) -> String {
      let whole = parts.map { $0.name + Self.times($0.count) }.joined(separator: ", ")
      if parts.count <= 2, Figure.width(of: whole) <= room { return whole }
      guard parts.count == 1 else { return "\(parts.reduce(0) { $0 + $1.count }) events" }
      let ending = Self.times(parts[0].count)
      var (name, width) = (parts[0].name, room - Figure.width(of: ending))
      // Characters differ in width: a name cut by their mean may still be too wide.
      while Figure.width(of: name + ending) > room, width > 0 {
        name = Figure.fitted(parts[0].name, width, size: 12)
        width -= 12
      }
      return name + ending
    }

    private static func times(_ count: Int) -> String { count == 1 ? "" : " ×\(count)" }
  }

  /// A group with a name that did not fit.
  private struct Missing: Error { let index: Int }

  /// Returns runs of events of one name, in the order of their beginnings.
  private static func groups(_ events: [Figure.Event], _ time: Scale, reach: Double) -> [Group] {
    var groups: [Group] = []
    var newest: [String: Int] = [:]
    for event in events.sorted(by: { $0.seconds < $1.seconds }) {
      let x = time(event.seconds)
      if let index = newest[event.label], x - groups[index].last <= reach {
        groups[index].last = x
        groups[index].parts[0].count += 1
      } else {
        newest[event.label] = groups.count
        groups.append(Group(first: x, last: x, parts: [(event.label, 1)]))
      }
    }
    return groups
  }

  /// Gives each group's name the first row without an overlap.
  private static func place(_ groups: [Group], _ right: Double) -> Result<[Label], Missing> {
    var ends = [Double](repeating: -.infinity, count: maximumRows)
    var labels: [Label] = []
    for (index, group) in groups.enumerated() {
      let text = group.text(right - 2 * space.edge)
      let width = Figure.width(of: text)
      var start = group.first + space.mark
      if start + width > right - space.edge { start = max(space.edge, group.first - space.mark - width) }
      start = max(space.edge, min(start, right - space.edge - width))
      guard let row = ends.firstIndex(where: { $0 + space.name <= start }) else {
        return .failure(Missing(index: index))
      }
      let label = Label(text: text, x: start, row: row)
      ends[row] = label.end
      labels.append(label)
    }
    return .success(labels)
  }

  /// Joins a group with the nearer of its neighbors.
  private static func merge(_ index: Int, in groups: inout [Group]) {
    // The first group always fits.
    var earlier = index - 1
    if index + 1 < groups.count,
      groups[index + 1].first - groups[index].first < groups[index].first - groups[earlier].first
    {
      earlier = index
    }
    let later = groups.remove(at: earlier + 1)
    groups[earlier].last = max(groups[earlier].last, later.last)
    for part in later.parts {
      if let known = groups[earlier].parts.firstIndex(where: { $0.name == part.name }) {
        groups[earlier].parts[known].count += part.count
      } else {
        groups[earlier].parts.append(part)
      }
    }
  }
}
