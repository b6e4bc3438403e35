import TestSupport
import Testing

@testable import Pictures

@Suite("Names of events below a time axis", .timeLimit(.minutes(10)))
struct EventLabelsTests {
  private func labels(_ events: [(Double, String)], seconds: Double = 10, width: Int = 1_200) -> EventLabels {
    let box = PictureLayout.columns(PictureSize(width: width, height: nil))
    return EventLabels(
      events.map { Figure.Event(seconds: $0.0, label: $0.1) }, time: Scale(0...seconds, across: box),
      right: Double(width))
  }

  /// How many events a name stands for.
  private func count(_ text: String) -> Int {
    if text.hasSuffix(" events") { return Int(text.prefix { $0.isNumber }) ?? 0 }
    return text.split(separator: ", ").reduce(0) { sum, part in
      sum + (part.split(separator: "×").dropFirst().last.flatMap { Int($0) } ?? 1)
    }
  }

  /// Nothing overlaps or leaves the figure, and every event is in a name.
  private func check(_ labels: EventLabels, _ eventCount: Int, width: Int, _ comment: Comment) {
    #expect(labels.labels.reduce(0) { $0 + count($1.text) } == eventCount, comment)
    for label in labels.labels {
      #expect(label.x >= 0 && label.end <= Double(width) && label.row < EventLabels.maximumRows, comment)
    }
    for row in 0..<labels.rowCount {
      let inRow = labels.labels.filter { $0.row == row }.sorted { $0.x < $1.x }
      for (one, next) in zip(inRow, inRow.dropFirst()) { #expect(one.end < next.x, comment) }
    }
    for (one, next) in zip(labels.marks, labels.marks.dropFirst()) { #expect(next.first - one.first >= 1, comment) }
    #expect(labels.marks.allSatisfy { $0.first <= $0.last }, comment)
  }

  @Test("a loop of some ms is one mark with its number of passes", .shows("process: picture"))
  func loops() throws {
    let loops = (0..<500).map { (0.5 + Double($0) * 0.015, "music loops") }
    let labels = labels(loops + [(9, "music ends"), (9.99, "effect 7 ends")])
    #expect(labels.labels.map(\.text) == ["music loops ×500", "music ends", "effect 7 ends"])
    try #require(labels.marks.count == 3)
    let time = Scale(0...10, across: PictureLayout.columns(PictureSize(width: 1_200, height: nil)))
    #expect(labels.marks[0].first == time(0.5) && labels.marks[0].last == time(loops.last!.0))
    #expect(labels.marks[2].first == labels.marks[2].last)
    check(labels, 502, width: 1_200, "loops")
  }

  @Test("Two loops at once, in turns, are two marks")
  func interleaved() {
    let events = (0..<400).map { (Double($0) * 0.02, $0 % 2 == 0 ? "one loops" : "two loops") }
    let labels = labels(events)
    #expect(labels.labels.map(\.text) == ["one loops ×200", "two loops ×200"] && labels.rowCount == 2)
  }

  @Test("Events that are apart keep their own marks and names")
  func apart() {
    let events = (0..<10).map { (Double($0) + 0.2, "effect \($0) ends") }
    let labels = labels(events)
    #expect(labels.labels.map(\.text) == events.map(\.1))
    #expect(labels.marks.count == 10 && labels.rowCount == 1)
  }

  @Test(
    "labels of random events do not overlap and name every event",
    .shows("process: picture"),
    arguments: 1...60)
  func random(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let width = Int.random(in: 320...1_600, using: &random)
    let nameCount = Int.random(in: 1...30, using: &random)
    let names = (0..<nameCount).map { index in
      "effect \(index)" + String(repeating: "W", count: Int.random(in: 0...40, using: &random))
    }
    let count = Int.random(in: 1...600, using: &random)
    // Some at one moment, some at the very end.
    let events = (0..<count).map { _ -> (Double, String) in
      let moment = Int.random(in: 0..<4, using: &random)
      let seconds =
        moment == 0
        ? 3 : moment == 1 ? Double.random(in: 9.9...10, using: &random) : .random(in: 0...10, using: &random)
      return (seconds, names.randomElement(using: &random)!)
    }
    check(labels(events, width: width), count, width: width, "seed \(seed)")
  }
}
