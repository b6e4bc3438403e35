import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Speech, because where Opus puts sound depends on what it hears: each of its layers has a delay of its own, and which
/// of them is used depends on the bit rate, on redundancy and on the voice.
@Suite("process --codec: alignment", .timeLimit(.minutes(10)))
struct CodecAlignmentTests {
  private static let voices = [
    "Front_Center", "Front_Left", "Front_Right", "Rear_Center", "Rear_Left", "Rear_Right", "Side_Left", "Side_Right",
  ]
  private static let codecs = [
    "opus", "opus:fec", "opus:bitrate=16000:frame=20:fec", "opus:bitrate=18000:fec",
    "opus:bitrate=20000:fec", "opus:bitrate=20000:frame=20:fec", "opus:bitrate=22000:fec", "opus:bitrate=24000",
    "opus:bitrate=48000",
    "opus:bitrate=64000", "opus:bitrate=96000:fec", "opus:bitrate=128000",
  ]

  private func samples(_ folder: Workspace, _ name: String) throws -> [Float] {
    let wave = try #require(Wave(try folder.read(name)))
    return wave.data.withUnsafeBytes { $0.bindMemory(to: Int16.self).map(Float.init) }
  }

  /// By how many samples `late` lags behind `early`, where both are most alike.
  private func lag(_ late: [Float], behind early: [Float]) -> Int {
    let margin = 12
    func likeness(_ shift: Int) -> Double {
      var sum = 0.0
      for index in margin..<(early.count - margin) { sum += Double(early[index] * late[index + shift]) }
      return sum
    }
    return (-margin...margin).max { likeness($0) < likeness($1) }!
  }

  @Test(
    "decoded speech is aligned with its input within a sample", .shows("process: codec"),
    arguments: codecs)
  func aligned(codec: String) throws {
    let folder = try Workspace()
    for voice in Self.voices {
      _ = try Tool.shell("cp /usr/share/sounds/alsa/\(voice).wav in.wav", in: folder)
      let ending = try Tool.call("process in.wav -o out.wav --overwrite --no-dither --codec \(codec)", in: folder)
      #expect(ending.status == 0, "\(ending.errors)")
      let (input, output) = (try samples(folder, "in.wav"), try samples(folder, "out.wav"))
      #expect(output.count == input.count)
      #expect(abs(lag(output, behind: input)) <= 1, "\(voice)")
    }
  }
}
