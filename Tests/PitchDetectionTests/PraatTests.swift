import Foundation
import PitchDetection
import TestSupport
import Testing
import VoiceCorpus

/// Real and spoken-by-rule speech, where nobody knows the pitch: Praat's opinion of it.
@Suite(
  .enabled("needs Praat from PyPI, which .ci/python could not install") { Praat.python != nil },
  .timeLimit(.minutes(10)))
struct PraatTests {
  private static let recordings = [
    "Front_Center", "Front_Left", "Rear_Center", "Rear_Right", "Side_Left", "Side_Right",
  ].map {
    "/usr/share/sounds/alsa/\($0).wav"
  }

  @Test("recorded speech has the pitch that Praat finds", .shows("P3"))
  func recorded() throws {
    var (offline, live) = (PitchScore(), PitchScore())
    for path in Self.recordings {
      try #require(FileManager.default.isReadableFile(atPath: path), "install alsa-utils: make deps")
      try compare(try decoded(path), &offline, &live)
    }
    expectAgreement(offline, live)
  }

  @Test(
    "espeak-ng's voices have the pitch that Praat finds", .shows("P3"), arguments: ["en-us", "en-gb+f3", "de", "es+f2"])
  func spoken(voice: String) throws {
    let path = NSTemporaryDirectory() + "audiopipe-\(UUID().uuidString).wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = "The north wind and the sun were disputing which was the stronger, when a traveller came along."
    _ = try output("/usr/bin/espeak-ng", ["-v", voice, "-s", "150", "-w", path, text])
    var (offline, live) = (PitchScore(), PitchScore())
    try compare(try decoded(path), &offline, &live)
    expectAgreement(offline, live)
  }

  @Test("Praat is not nearer to the truth, clean or in noise", .shows("P3"))
  func truth() throws {
    for condition in [SpokenCorpus.Condition.clean, .noise(.white, decibels: 0)] {
      let corpus = SpokenCorpus(seconds: 2.5, sampleRate: 16_000, in: condition)
      let ours = Tracks.offlineScore(corpus)
      let theirs = corpus.score { utterance in
        Praat.track(utterance.samples, sampleRate: utterance.sampleRate, from: 60, to: 600)?.rows ?? []
      }
      #expect(theirs.rows > 1_500)
      #expect(ours.withinHalfSemitone >= theirs.withinHalfSemitone, "\(condition.name)")
      #expect(ours.wronglyVoiced <= theirs.wronglyVoiced, "\(condition.name)")
    }
  }

  /// The two differ in what they call voiced at the beginning and end of voice, hardly ever in the pitch.
  private func expectAgreement(_ offline: PitchScore, _ live: PitchScore) {
    for score in [offline, live] {
      #expect(score.voiced > 60)
      #expect(score.grossErrors <= 1.5)
      #expect(score.agreement >= 96)
      #expect(score.withinHalfSemitone >= 86)
      #expect(score.wronglyVoiced <= 8)
    }
  }

  private func compare(_ samples: [Float], _ offline: inout PitchScore, _ live: inout PitchScore) throws {
    let track = try #require(Praat.track(samples, sampleRate: 16_000, from: 60, to: 600, stepSeconds: 0.002))
    let first = try #require(track.rows.first)
    func praat(at seconds: Double) -> Float {
      let index = Int(((seconds - first.seconds) * 500).rounded())
      return track.rows.indices.contains(index) ? track.rows[index].hertz : 0
    }
    for point in try Tracks.offline(samples, sampleRate: 16_000) {
      offline.compare(point.estimate.hertz, with: praat(at: point.seconds))
    }
    for row in try Tracks.live(samples, sampleRate: 16_000) {
      live.compare(row.hertz, with: praat(at: row.seconds))
    }
  }

  /// One channel at 16 kHz, as ffmpeg decodes it.
  private func decoded(_ path: String) throws -> [Float] {
    let data = try output(
      "/usr/bin/ffmpeg",
      ["-nostdin", "-loglevel", "error", "-i", path, "-f", "f32le", "-ac", "1", "-ar", "16000", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private func output(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitForEnd()
    try #require(process.terminationStatus == 0, "\(program) failed")
    return data
  }
}
