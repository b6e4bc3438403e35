import AudioGraph
import Engine
import FileTestSupport
import FrameObservers
import Metering
import PitchDetection
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct VoicePitchReportTests {
  /// A voice of 200 Hz without formants: four partials.
  private static let voice = (0..<48_000).map { index -> Float in
    let turns = 200 * Double(index) / 48_000
    return [1.0, 2, 3, 4].map { sine(turns * $0) * 0.2 / Float($0) }.reduce(0, +)
  }

  private func enable(_ pipeline: AudioPipeline, interval: Int) throws {
    try pipeline.enableLocalVoicePitchCallback(interval: interval) { format in
      let node = try PitchMeterNode(format)
      return VoicePitchMeter(node) { node.estimate(atTick: $0)?.hertz }
    }
  }

  private func reports(_ script: SoundScript) -> [(tick: Int, hertz: Double)] {
    script.events.compactMap { event in
      if case .localVoicePitch(let hertz) = event.kind { (event.tickCount, hertz) } else { nil }
    }
  }

  @Test(
    "each interval has a report with the voice's pitch", .shows("P1"), arguments: [(50, 5), (3, 1), (25, 3), (200, 20)])
  func interval(milliseconds: Int, ticks: Int) throws {
    let script = try SoundScript(voice: [Self.voice])
    try enable(script.pipeline, interval: milliseconds)
    try script.run()
    let reports = reports(script)
    #expect(reports.map(\.tick) == Array(stride(from: ticks, through: script.pipeline.tickCount, by: ticks)))
    #expect(reports.filter { (20...95).contains($0.tick) }.allSatisfy { abs($0.hertz - 200) < 1 })
  }

  @Test(
    "pitch reports stop without capture or callback, not with a mute",
    .shows("P1"),
    arguments: [nil, 0, -1])
  func stops(interval: Int?) throws {
    let script = try SoundScript(voice: [Self.voice])
    try enable(script.pipeline, interval: 10)
    script.at(20) { try script.pipeline.muteLocalAudioStream(true) }
    script.at(40) { try script.pipeline.muteLocalAudioStream(false) }
    script.at(60) { try script.pipeline.enableLocalAudio(false) }
    script.at(70) { try script.pipeline.enableLocalAudio(true) }
    script.at(90) {
      if let interval {
        try enable(script.pipeline, interval: interval)
      } else {
        try script.pipeline.disableLocalVoicePitchCallback()
      }
    }
    try script.run()
    let reports = reports(script)
    let ticks = Set(reports.map(\.tick))
    // A plan is taken a tick after it was made.
    #expect(Set(1...60).isSubset(of: ticks) && Set(72...90).isSubset(of: ticks))
    #expect(ticks.isDisjoint(with: 62...70) && ticks.allSatisfy { $0 <= 91 })
    // A meter that begins anew needs a few frames.
    #expect(reports.filter { (26...40).contains($0.tick) }.allSatisfy { abs($0.hertz - 200) < 1 })
  }

  @Test("in silence it is 0 Hz, whatever music is mixed in", .shows("P1"))
  func unvoiced() throws {
    let script = try SoundScript(ticks: 100)
    let files = TestFiles()
    try script.pipeline.startAudioMixing(try files.write("tone.wav", [Self.voice]))
    try enable(script.pipeline, interval: 100)
    try script.run()
    #expect(reports(script).count == 10 && reports(script).allSatisfy { $0.hertz == 0 })
  }

  @Test("volume reports have the pitch of their tick", .shows("P1"))
  func inVolumeReports() throws {
    let script = try SoundScript(voice: [Self.voice])
    try enable(script.pipeline, interval: 1_000)
    try script.pipeline.enableAudioVolumeIndication(interval: 100, smooth: 10)
    try script.run()
    let pitches = script.events.compactMap { event -> Double? in
      guard case .volumes(let report) = event.kind, report.side == .local else { return nil }
      return report.speakers.first?.voicePitch
    }
    #expect(pitches.count == 10 && pitches[2..<9].allSatisfy { abs($0 - 200) < 1 })
  }
}
