import Foundation
import Metering

/// What somebody does, tick by tick: a volume while sending, nil while muted or away.
typealias Part = @Sendable (Int) -> Double?

/// Feeds an indicator with constant levels by script, and writes down what it says, a line each.
///
///     20 local 100 total 128 vad 1      20 remote 1:200 2:100 total 200      20 active 1
struct IndicatorScript {
  var interval = 200
  var smooth = 10
  var reportsVoice = false
  var startTick = 0
  /// The local voice; nil where there is no local user.
  var local: Part?
  /// Voice and music together; nil where they are the same.
  var sent: Part?
  var speaks: @Sendable (Int) -> Bool = { _ in false }
  /// Remote users in the order in which they come.
  var remotes: [(uid: UInt32, part: Part)] = []
  /// Largest number of remote users in a report.
  var speakerCount = 3
  /// Whether a user is in the channel.
  var isThere: @Sendable (UInt32, Int) -> Bool = { _, _ in true }

  func lines(ticks: Int) throws -> [String] {
    let settings = try VolumeIndicationSettings(
      intervalMilliseconds: interval, smooth: smooth, reportsVoiceActivity: reportsVoice,
      maximumSpeakerCount: speakerCount)
    var indicator = VolumeIndicator(settings, startTick: startTick)
    var lines: [String] = []
    for tick in startTick..<(startTick + ticks) {
      let voice = local?(tick).map { level($0, tick) }
      let total = sent?(tick).map { level($0, tick) } ?? voice
      var levels: VolumeIndicator.LocalLevels?
      if let voice, let total { levels = .init(voice: voice, sent: total) }
      let users = remotes.filter { isThere($0.uid, tick) }.map { remote in
        VolumeIndicator.RemoteLevel(id: SpeakerID(uid: remote.uid), level: remote.part(tick).map { level($0, tick) })
      }
      let events = indicator.advance(tick: tick, local: levels, hasLocalUser: local != nil, remotes: users)
      lines += events.map { "\(tick + 1) \(Self.text($0))" }
    }
    return lines
  }

  private func level(_ volume: Double, _ tick: Int) -> FrameLevel {
    let decibels = 60 * (volume / 255 - 1)
    return FrameLevel(
      tick: tick, squareSum: volume > 0 ? 480 * pow(10, decibels / 10) : 0, sampleCount: 480, isVoice: speaks(tick))
  }

  private static func text(_ event: VolumeEvent) -> String {
    switch event {
    case .activeSpeaker(let id): return "active \(id.uid)"
    case .volumes(let report):
      if report.side == .local {
        let speaker = report.speakers[0]
        return "local \(speaker.volume) total \(report.totalVolume)" + (speaker.vad == 1 ? " vad" : "")
      }
      let speakers = report.speakers.map { " \($0.uid):\($0.volume)" }.joined()
      return "remote\(speakers) total \(report.totalVolume)"
    }
  }
}
