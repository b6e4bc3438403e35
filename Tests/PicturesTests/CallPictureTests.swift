import CommandTestSupport
import Engine
import Foundation
import TestSupport
import Testing

@testable import CallSimulation
@testable import MediaStreams
@testable import NetworkSimulation
@testable import OpusCodec
@testable import Pictures

@Suite("A picture of a simulated call", .timeLimit(.minutes(10)))
struct CallPictureTests {
  private static let size = PictureSize(width: 1_000, height: nil)

  /// A call without sound; the files of users need to be there only.
  func result(_ count: Int, loss: Double, script: CallScript = CallScript()) throws -> CallResult {
    let folder = try Workspace()
    let path = try folder.write("a.wav", Signals.wave("s16", rate: 48_000, channels: 1, [0, 0, 0]).file())
    return try SimulatedCall(
      users: (1...UInt32(count)).map { CallUser(uid: $0, path: path) },
      conditions: try NetworkConditions(
        loss: .bernoulli(probability: loss), delay: .milliseconds(50), jitter: .uniform(plusMinus: .milliseconds(30))),
      codec: .null(.milliseconds20), durationSeconds: 5, script: script
    ).run()
  }

  private func elements(_ result: CallResult) throws -> (Figure, SVGElements) {
    let figure = CallPicture(seed: 1, result: result).figure(Self.size)
    return (figure, try SVGElements(figure.svg(.light)))
  }

  @Test("delay and loss of each second are drawn at the heights of the result", .shows("simulate: pictures"))
  func rows() throws {
    let result = try result(2, loss: 0.2)
    let (figure, elements) = try elements(result)
    #expect(figure.panels.count == 4)
    let delays = elements.paths("rms").filter { $0.lines[0].count > 2 }
    let losses = elements.paths("clipped").filter { $0.lines[0].count > 2 }
    #expect(delays.count == 2 && losses.count == 2)
    let px = (1_000.0 - 64 - 18) / 5
    for (index, listener) in result.listeners.enumerated() {
      let heard = listener.heard[0]
      let (delayBox, lossBox) = (figure.panels[2 * index].box, figure.panels[2 * index + 1].box)
      let (delayEnd, lossEnd) = (
        figure.panels[2 * index].scale.domain.upperBound, figure.panels[2 * index + 1].scale.domain.upperBound
      )
      for second in heard.seconds.prefix(5) {
        let delay = delayBox.bottom - delayBox.height * (second.delayMilliseconds ?? 0) / delayEnd
        let share = 100 * Double(second.lost) / Double(second.sent)
        let loss = lossBox.bottom - lossBox.height * share / lossEnd
        let (left, right) = (64 + px * Double(second.timeSeconds), 64 + px * Double(second.timeSeconds + 1))
        for (line, y) in [(delays[index].lines[0], delay), (losses[index].lines[0], loss)] {
          for x in [left, right] { #expect(line.contains { abs($0.x - x) < 0.1 && abs($0.y - y) < 0.1 }, "\(second)") }
        }
      }
    }
  }

  @Test(
    "the 12 directions with the lowest MOS are drawn, named in the subtitle",
    .shows("simulate: pictures"))
  func many() throws {
    let result = try result(5, loss: 0.1)
    let all = result.listeners.flatMap { listener in
      listener.heard.map { (name: "user \($0.uid) → user \(listener.uid)", mos: $0.mos ?? 5) }
    }
    let worst = Set(all.sorted { $0.mos < $1.mos }.prefix(12).map(\.name))
    let (figure, _) = try elements(result)
    #expect(figure.panels.count == 24)
    #expect(Set(figure.panels.map(\.name).filter { !$0.isEmpty }) == worst)
    #expect(figure.subtitle.contains("the 12 of 20 directions with the lowest MOS"))
    #expect(try elements(self.result(2, loss: 0)).0.subtitle == "2 users · seed 1 · 5 s")
  }

  @Test("A change of a network is an event that names its direction")
  func directions() throws {
    func change(_ seconds: Double, from: UInt32? = nil, to: UInt32? = nil) -> ScriptEvent {
      ScriptEvent(seconds: seconds, action: .network([.duplication(0.1)], from: from, to: to))
    }
    let script = CallScript([change(1, from: 1, to: 2), change(2, to: 1), change(3, from: 2), change(4)])
    let (figure, _) = try elements(result(2, loss: 0, script: script))
    let labels = figure.events.labels.map(\.text)
    #expect(labels == ["network 1 → 2", "network all → 1", "network 2 → all", "network"])
  }

  @Test("seconds before a user joins are a gap, and the join is an event", .shows("simulate: pictures"))
  func gap() throws {
    let script = CallScript([ScriptEvent(seconds: 3, action: .join(user: 2))])
    let (figure, elements) = try elements(result(2, loss: 0, script: script))
    #expect(figure.events.labels.map(\.text) == ["join 2"])
    let px = (1_000.0 - 64 - 18) / 5
    for path in elements.paths("rms").filter({ $0.lines[0].count > 2 }) {
      #expect(abs(path.lines[0][0].x - (64 + 3 * px)) < 0.1)
    }
  }
}
