import CommandTestSupport
import Foundation
import FoundationXML
import OfflineProcessing
import TestSupport
import Testing

@testable import Pictures

@Suite("Pictures with little room", .timeLimit(.minutes(10)))
struct SmallPictureTests {
  private static let sizes = [(400, 400), (640, 400), (1_600, 400), (400, 1_600), (1_200, 700)]
    .map { PictureSize(width: $0.0, height: $0.1) }

  /// What is written in a picture, by what it covers: a legend's with the sample before it.
  private func covered(_ figure: Figure) throws -> [(text: String, box: Box)] {
    let svg = try SVGElements(figure.svg(.light))
    let entries = Set(figure.panels.flatMap(\.legend).map(\.label))
    return try svg.named("text").map { element in
      let style = element.attributes["class"] ?? ""
      let size = style.contains("title") ? 18.0 : 12
      let isBold = style.contains("title") || style.contains("name")
      var width = Figure.width(of: element.text, size: size) * (isBold ? 1.1 : 1)
      let (x, y) = try (
        #require(Double(element.attributes["x"] ?? "")), #require(Double(element.attributes["y"] ?? ""))
      )
      var left =
        switch element.attributes["text-anchor"] {
        case "end": x - width
        case "middle": x - width / 2
        default: x
        }
      if entries.contains(element.text) { (left, width) = (left - 22, width + 22) }
      // Above the base line, and what hangs below it.
      return (element.text, Box(x: left, y: y - 0.75 * size, width: width, height: 0.95 * size))
    }
  }

  private func expectRoom(_ figure: Figure, _ size: PictureSize, _ what: String) throws {
    let texts = try covered(figure)
    #expect(figure.width == size.width && figure.height == size.height)
    for (index, one) in texts.enumerated() {
      #expect(
        one.box.x >= 0 && one.box.right <= Double(size.width) + 0.1 && one.box.bottom <= Double(figure.height),
        "\(what) at \(size.width)x\(figure.height): '\(one.text)' leaves the picture")
      for other in texts[(index + 1)...] {
        let isApart =
          one.box.right <= other.box.x || other.box.right <= one.box.x || one.box.bottom <= other.box.y
          || other.box.bottom <= one.box.y
        #expect(isApart, "\(what) at \(size.width)x\(figure.height): '\(one.text)' and '\(other.text)'")
      }
      for box in figure.panels.map(\.box) where one.box.x >= box.x && !figure.panels.map(\.message).contains(one.text) {
        #expect(one.box.bottom <= box.y + 1 || one.box.y >= box.bottom, "'\(one.text)' lies in a panel")
      }
    }
  }

  private func sound(channelCount: Int) throws -> SoundSeries {
    var series = SoundSeries(sampleRate: 8_000, channelCount: channelCount)
    // Quiet, so that its limits are long words, but for a sample that is clipped.
    let plane = UnsafeMutablePointer<Float>.allocate(capacity: 80)
    defer { plane.deallocate() }
    for frame in 0..<300 {
      for index in 0..<80 { plane[index] = 0.002 * Float(sin(Double(index) * 0.7)) }
      if frame == 100, channelCount == 2 { plane[7] = 1 }
      series.append(
        [UnsafePointer<Float>](repeating: UnsafePointer(plane), count: channelCount), count: 80,
        isVoice: frame % 90 < 50)
    }
    return series
  }

  @Test(
    "texts in the picture of a sound neither overlap nor leave it",
    .shows("pictures: little room"), arguments: sizes)
  func sounds(size: PictureSize) throws {
    var pitch = PitchSeries()
    for row in 0..<20_000 {
      pitch.append(PitchRow(seconds: 0.01 * Double(row), hertz: 180, voicing: 0.5))
    }
    let events = [0.1, 0.2, 1.1, 2.9].map { Figure.Event(seconds: $0, label: "effectInterrupted 7") }
    for channelCount in [1, 2, 3] {
      for events in [[], events] {
        let picture = SoundPicture(
          title: String(repeating: "a-long-name-", count: 20) + ".wav", subtitle: "48 kHz · mono · 3 s",
          sound: try sound(channelCount: channelCount), pitch: pitch, events: events)
        let figure = picture.figure(size)
        try expectRoom(figure, size, "\(channelCount) channels, \(events.count) events")
        let legends = figure.panels.map(\.legend.count)
        #expect(legends.first == (channelCount == 2 ? 3 : 2) && legends.suffix(2) == [3, 2], "\(legends)")
      }
    }
  }

  @Test(
    "texts in the picture of a call neither overlap nor leave it",
    .shows("pictures: little room"), arguments: sizes)
  func calls(size: PictureSize) throws {
    for count in [2, 4] {
      let result = try CallPictureTests().result(count, loss: 0.2)
      let figure = CallPicture(seed: 1, result: result).figure(size)
      try expectRoom(figure, size, "\(count) users")
      let directions = figure.panels.count / 2
      #expect(directions >= 2 && figure.panels[0].legend.count == 5)
      let isPart = figure.subtitle.contains("the \(directions) of \(count * (count - 1)) directions")
      #expect(isPart == (directions < count * (count - 1)), "\(figure.subtitle)")
      for panel in figure.panels { #expect(panel.box.height >= 10) }
    }
  }
}
