import Foundation
import Metering
import TestSupport
import Testing

@Suite("Volume indicator", .timeLimit(.minutes(10)))
struct VolumeIndicatorTests {
  /// The volume of different voices together: their powers add up.
  private func together(_ volumes: Double...) -> Int {
    let power = volumes.reduce(0) { $0 + ($1 > 0 ? pow(10, 6 * ($1 / 255 - 1)) : 0) }
    return Int((255 * (1 + log10(power) / 6)).rounded())
  }

  // V1

  @Test(
    "a report comes with the frame in which it falls due", .shows("V1"),
    arguments: [
      (10, [1, 2, 3, 4, 5]), (15, [2, 3, 5, 6, 8]), (200, [20, 40, 60, 80, 100]), (205, [21, 41, 62, 82, 103]),
    ])
  func due(interval: Int, ticks: [Int]) throws {
    let script = IndicatorScript(interval: interval, startTick: 7, local: { _ in 100 })
    let lines = try script.lines(ticks: 104).filter { $0.contains("local") }
    #expect(lines.prefix(5) == ticks.map { "\($0 + 7) local 100 total 100" }[...])
  }

  @Test(
    "settings out of range are refused with a sentence",
    arguments: [(9, 3), (-1, 3), (0, 3), (200, -1), (200, 11)])
  func refused(interval: Int, smooth: Int) {
    #expect(throws: VolumeIndicationError.self) {
      try VolumeIndicationSettings(intervalMilliseconds: interval, smooth: smooth)
    }
  }

  @Test("a volume step is followed by 1 - exp(-t / tau) at every smoothing", .shows("V1"), arguments: 0...10)
  func smoothing(smooth: Int) throws {
    let script = IndicatorScript(interval: 50, smooth: smooth, local: { $0 < 200 ? 40 : 220 })
    let lines = try script.lines(ticks: 400).filter { $0.contains("local") }
    let tau = Double(50 * (10 - smooth))
    for index in 0..<80 {
      let time = Double((index + 1) * 50 - 2_000)
      let rest = time <= 0 ? 1 : tau == 0 ? 0 : exp(-time / tau)
      let volume = Int((220 - 180 * rest).rounded())
      #expect(lines[index] == "\(5 * index + 5) local \(volume) total \(volume)")
    }
  }

  // V2, V3

  @Test("the three loudest remote users are reported, with their sum's level", .shows("V2"))
  func topThree() throws {
    // Each 20 ticks the volumes are others: the loudest by what was heard since the last report.
    let script = IndicatorScript(
      local: { _ in 90 },
      remotes: [
        (1, { $0 < 20 ? 100 : 10 }), (2, { $0 < 20 ? 100 : 200 }), (3, { $0 < 20 ? 50 : 199 }),
        (4, { $0 < 20 ? 120 : 0 }),
      ])
    #expect(together(100, 100) == 113 && together(200, 100) == 200)
    #expect(
      try script.lines(ticks: 40) == [
        "20 local 90 total 90", "20 remote 4:120 1:100 2:100 total \(together(120, 100, 100))", "20 active 4",
        "40 local 90 total 90", "40 remote 2:200 3:199 1:10 total \(together(200, 199, 10))", "40 active 2",
      ])
  }

  @Test("a report names as many remote users as it may", .shows("V2"), arguments: [1, 2, 5, 9, .max])
  func speakerCount(count: Int) throws {
    let volumes = [100.0, 90, 80, 70, 60, 50]
    let script = IndicatorScript(
      remotes: volumes.enumerated().map { index, volume in (UInt32(index), { _ in volume }) }, speakerCount: count)
    let listed = volumes.prefix(count)
    let names = listed.enumerated().map { " \($0.offset):\(Int($0.element))" }.joined()
    let lines = try script.lines(ticks: 20).filter { $0.contains("remote") }
    #expect(lines.first?.split(separator: " total").first == "20 remote\(names)")
    #expect(throws: VolumeIndicationError.speakerCount(0)) {
      try VolumeIndicationSettings(intervalMilliseconds: 200, maximumSpeakerCount: 0)
    }
  }

  @Test("the local volume is the voice's alone, the total includes the music")
  func music() throws {
    let script = IndicatorScript(local: { _ in 60 }, sent: { $0 < 20 ? 150 : 60 })
    #expect(
      try script.lines(ticks: 40) == [
        "20 local 60 total 150", "20 remote total 0", "40 local 60 total 60", "40 remote total 0",
      ])
  }

  @Test(
    "voice activity is reported on request, for over half of the frames",
    arguments: [(true, 9, true), (true, 10, false), (false, 0, false)])
  func voice(isAsked: Bool, firstTick: Int, isReported: Bool) throws {
    let script = IndicatorScript(
      reportsVoice: isAsked, local: { _ in 60 }, speaks: { $0 >= firstTick })
    #expect(try script.lines(ticks: 20)[0] == "20 local 60 total 60" + (isReported ? " vad" : ""))
  }

  // V4

  @Test("speakers are empty without remote users or published sound", .shows("V4"))
  func empty() throws {
    #expect(try IndicatorScript().lines(ticks: 40) == ["20 remote total 0", "40 remote total 0"])
    let muted = IndicatorScript(remotes: [(1, { _ in nil }), (2, { _ in nil })])
    #expect(try muted.lines(ticks: 40) == ["20 remote total 0", "40 remote total 0"])
  }

  // V5

  @Test("local reports stop at once on mute and continue at the next interval", .shows("V5"))
  func localMute() throws {
    let script = IndicatorScript(
      local: { 30..<70 ~= $0 ? nil : 80 }, remotes: [(1, { _ in 50 })], isThere: { _, _ in true })
    #expect(
      try script.lines(ticks: 100).filter { !$0.contains("active") } == [
        "20 local 80 total 80", "20 remote 1:50 total 50", "40 remote 1:50 total 50", "60 remote 1:50 total 50",
        "80 local 80 total 80", "80 remote 1:50 total 50", "100 local 80 total 80", "100 remote 1:50 total 50",
      ])
  }

  @Test(
    "a muted remote user of the three is gone after 20 s, not before", .shows("V5"),
    arguments: [100, 200, 500, 10_000])
  func remoteMute(interval: Int) throws {
    let step = interval / 10
    let script = IndicatorScript(interval: interval, remotes: [(1, { $0 < 105 ? 90 : nil }), (2, { _ in 50 })])
    let lines = try script.lines(ticks: 2_300).filter { $0.contains("remote") }
    let expected = stride(from: step, through: 2_300, by: step).map { tick in
      if tick <= 105 { return "\(tick) remote 1:90 2:50 total \(together(90, 50))" }
      // Where a report takes 10 s it has never been among the three.
      let isNamed = interval < 10_000 && tick < 105 + 2_000
      return "\(tick) remote 2:50\(isNamed ? " 1:0" : "") total 50"
    }
    #expect(lines == expected)
  }

  @Test("a muted user gives up its place among the three to an audible user")
  func displaced() throws {
    let script = IndicatorScript(
      remotes: [(1, { $0 < 20 ? 90 : nil }), (2, { _ in 80 }), (3, { _ in 70 }), (4, { _ in 60 })])
    let lines = try script.lines(ticks: 40).filter { $0.contains("remote") }
    #expect(lines.map { $0.split(separator: " total")[0] } == ["20 remote 1:90 2:80 3:70", "40 remote 2:80 3:70 4:60"])
  }

  @Test("remote reports stop 20 s after the last mute and return with a sender", .shows("V5"))
  func allMuted() throws {
    let script = IndicatorScript(
      interval: 1_000, local: { _ in 80 },
      remotes: [(1, { $0 < 150 ? 90 : nil }), (2, { 250..<5_000 ~= $0 ? nil : 60 })])
    let lines = try script.lines(ticks: 5_200).filter { $0.contains("remote") }
    var expected = ["100 remote 1:90 2:60 total \(together(90, 60))", "200 remote 2:60 1:0 total 60"]
    for tick in stride(from: 300, through: 2_200, by: 100) {
      // The first is gone 20 s after tick 150, the second and the reports after tick 250.
      expected.append(tick < 2_150 ? "\(tick) remote 1:0 2:0 total 0" : "\(tick) remote 2:0 total 0")
    }
    expected += ["5100 remote 2:60 total 60", "5200 remote 2:60 total 60"]
    #expect(lines == expected)
    #expect(try script.lines(ticks: 5_200).count { $0.contains("local") } == 52)
  }

  @Test("a user that leaves is gone at once, and empty reports follow the last")
  func leaving() throws {
    let script = IndicatorScript(remotes: [(1, { _ in 90 }), (2, { _ in 60 })], isThere: { $1 < ($0 == 1 ? 30 : 50) })
    #expect(
      try script.lines(ticks: 60).filter { $0.contains("remote") } == [
        "20 remote 1:90 2:60 total \(together(90, 60))", "40 remote 2:60 total 60", "60 remote total 0",
      ])
  }

  // V6

  /// Who is loudest in which ticks, and the events.
  struct Turns: CustomStringConvertible {
    let description: String
    var local: Part?
    let remotes: [(uid: UInt32, part: Part)]
    var isThere: @Sendable (UInt32, Int) -> Bool = { _, _ in true }
    let expected: [String]
  }

  static let turns = [
    Turns(
      description: "the one who is loudest in most frames, though another is louder on the whole",
      remotes: [(1, { $0 < 8 ? 250 : 20 }), (2, { _ in 100 })], expected: ["20 active 2"]),
    Turns(
      description: "not repeated while it is the same", remotes: [(1, { _ in 90 }), (2, { _ in 80 })],
      expected: ["20 active 1"]),
    Turns(
      description: "each change once", remotes: [(1, { $0 / 40 % 2 == 0 ? 90 : 10 }), (2, { _ in 80 })],
      expected: ["20 active 1", "60 active 2", "100 active 1"]),
    Turns(
      description: "not for the same after a pause of all",
      remotes: [(1, { 20..<80 ~= $0 ? 0 : 90 }), (2, { _ in 0 })],
      expected: ["20 active 1"]),
    Turns(
      description: "not for the same after a mute", remotes: [(1, { 20..<80 ~= $0 ? nil : 90 }), (2, { _ in 0 })],
      expected: ["20 active 1"]),
    Turns(
      description: "again for one who left and came back",
      remotes: [(1, { _ in 90 }), (2, { _ in 80 }), (3, { _ in 10 })],
      isThere: { $0 != 1 || !(40..<80 ~= $1) }, expected: ["20 active 1", "60 active 2", "100 active 1"]),
    Turns(description: "never for one alone", remotes: [(1, { _ in 90 })], expected: []),
    Turns(
      description: "for one remote user beside a local one", local: { _ in nil }, remotes: [(1, { _ in 90 })],
      expected: ["20 active 1"]),
    Turns(description: "never in silence", remotes: [(1, { _ in 0 }), (2, { _ in 0 })], expected: []),
    Turns(
      description: "among equals the one that is active",
      remotes: [(1, { $0 % 20 < 10 ? 90 : 10 }), (2, { $0 < 20 ? 95 : 50 })],
      expected: ["20 active 2"]),
  ]

  @Test("the active speaker is the remote user most often the loudest", .shows("V6"), arguments: turns)
  func active(turns: Turns) throws {
    let script = IndicatorScript(local: turns.local, remotes: turns.remotes, isThere: turns.isThere)
    #expect(try script.lines(ticks: 120).filter { $0.contains("active") } == turns.expected)
  }
}
