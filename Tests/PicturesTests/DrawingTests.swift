import CommandTestSupport
import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import Pictures

@Suite("Axes, paths and documents", .timeLimit(.minutes(10)))
struct DrawingTests {
  private let box = Box(x: 100, y: 50, width: 400, height: 200)

  @Test("a linear axis is a straight line, upwards and to the right")
  func linear() {
    let up = Scale(-60...0, up: box)
    #expect(up(-60) == 250 && up(0) == 50 && abs(up(-15) - 100) < 1e-9)
    let across = Scale(0...8, across: box)
    #expect(across(0) == 100 && across(8) == 500 && abs(across(2) - 200) < 1e-9)
  }

  @Test("A logarithmic axis gives every octave the same height")
  func logarithmic() {
    let scale = Scale(50...800, .logarithmic, up: box)
    for (octave, hertz) in [50.0, 100, 200, 400, 800].enumerated() {
      #expect(abs(scale(hertz) - (250 - 50 * Double(octave))) < 1e-9)
    }
  }

  @Test("values outside an axis and NaN are drawn at its end")
  func outside() {
    let scale = Scale(-60...0, up: box)
    for value: Double in [-61, -.infinity, .nan] { #expect(scale(value) == 250) }
    for value: Double in [0.1, .infinity] { #expect(scale(value) == 50) }
  }

  @Test("ticks are multiples of 1, 2 or 5 times a power of ten")
  func ticks() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let low = Double.random(in: -1_000...1_000, using: &generator)
      let domain = low...low + pow(10, Double.random(in: -4...5, using: &generator))
      let maximum = Int.random(in: 2...15, using: &generator)
      let ticks = Ticks.linear(in: domain, atMost: maximum)
      #expect(ticks.count <= maximum + 1, "\(domain) \(ticks)")
      guard ticks.count > 1 else { continue }
      let power = pow(10, floor(log10(ticks[1] - ticks[0]) + 1e-6))
      let mantissa = ((ticks[1] - ticks[0]) / power).rounded()
      #expect([1, 2, 5].contains(mantissa), "\(ticks)")
      for tick in ticks {
        let multiple = tick / (mantissa * power)
        #expect(abs(multiple - multiple.rounded()) < 1e-6 * max(1, abs(multiple)), "\(ticks)")
        #expect(tick >= domain.lowerBound - power * 1e-6 && tick <= domain.upperBound + power * 1e-6)
      }
    }
    #expect(Ticks.logarithmic(in: 60...500) == [100, 200, 500])
    #expect(Ticks.logarithmicBetween(in: 60...500) == [60, 70, 80, 90, 300, 400])
    #expect(Ticks.roundedUp(0.3) == 0.5 && Ticks.roundedUp(0.5) == 0.5 && Ticks.roundedUp(0.51) == 1)
  }

  @Test(
    "Times are read as seconds, minutes or hours",
    arguments: [
      (0.004, 8, "seconds", ["0", "0.0005", "0.001"]), (1.4, 10, "seconds", ["0", "0.2", "0.4"]),
      (10.04, 12, "seconds", ["0", "1", "2"]), (59, 6, "seconds", ["0", "10", "20"]),
      (60, 12, "minutes:seconds", ["0:00", "0:05", "0:10"]), (600, 12, "minutes:seconds", ["0:00", "1:00", "2:00"]),
      (5_400, 12, "hours:minutes:seconds", ["0:00:00", "0:10:00", "0:20:00"]),
      (36_000, 12, "hours:minutes:seconds", ["0:00:00", "1:00:00", "2:00:00"]),
    ])
  func times(seconds: Double, maximum: Int, unit: String, labels: [String]) {
    let ticks = TimeTicks(seconds: seconds, atMost: maximum)
    #expect(ticks.unit == unit && ticks.values.count <= maximum + 1)
    #expect(ticks.values.prefix(3).map(ticks.label) == labels)
  }

  @Test("coordinates are rounded to a tenth of a px without trailing zeros")
  func coordinates() {
    let wanted = [(0, "0"), (-0.04, "0"), (-0.06, "-0.1"), (12.34, "12.3"), (1_199.96, "1200"), (-3.5, "-3.5")]
    for (value, text) in wanted { #expect(Path.number(value) == text) }
    var path = Path()
    path.area([(0, 1, 2), (10, 1.5, 2.5)])
    #expect(path.data == "M0,1L10,1.5L10,2.5L0,2Z")
  }

  @Test("escaped text survives an XML parser, except for forbidden characters")
  func escaping() throws {
    let nasty = "a<b>&\"c' ü→\u{1F600} \u{1}\u{85}\u{FFFE}"
    var svg = SVGWriter()
    svg.element("svg", ["id": nasty]) { $0.element("title", text: nasty) }
    let elements = try SVGElements(svg.text)
    let wanted = "a<b>&\"c' ü→\u{1F600} \u{FFFD}\u{FFFD}\u{FFFD}"
    #expect(elements.named("svg").first?.attributes["id"] == wanted)
    #expect(elements.named("title").first?.text == wanted)
  }

  @Test("A title that is too long loses its middle")
  func fitted() {
    let name = String(repeating: "a", count: 500) + ".wav"
    let fitted = Figure.fitted(name, 300, size: 12)
    #expect(fitted.count < 50 && fitted.hasSuffix(".wav") && fitted.contains("…"))
    #expect(Figure.fitted("in.wav", 300, size: 12) == "in.wav")
  }
}
