import Foundation
import Testing

/// Speech, because what Opus does to alignment depends on what it hears: its linear-prediction part, which low bit rates
/// of speech use, is late or early by a few samples that its pre-skip says nothing of.
@Suite("process --codec: alignment")
struct CodecAlignmentTests {
  private static let voices = ["Front_Left", "Front_Right", "Rear_Left"]

  private func samples(_ folder: Workspace, _ name: String) throws -> [Double] {
    let wave = try #require(Wave(try folder.read(name)))
    return wave.data.withUnsafeBytes { $0.bindMemory(to: Int16.self).map(Double.init) }
  }

  /// By how many samples `late` lags behind `early`, where both are most alike.
  private func lag(_ late: [Double], behind early: [Double]) -> Int {
    let margin = 12
    func likeness(_ shift: Int) -> Double {
      (margin..<(early.count - margin)).reduce(0) { $0 + early[$1] * late[$1 + shift] }
    }
    return (-margin...margin).max { likeness($0) < likeness($1) }!
  }

  @Test("From 64 kbit/s on speech stays within a sample of where it was", arguments: voices, [64_000, 128_000])
  func high(voice: String, bitrate: Int) throws {
    let folder = try Workspace()
    let path = "/usr/share/sounds/alsa/\(voice).wav"
    let ending = try Tool.run("process \(path) -o out.wav --no-dither --codec opus:bitrate=\(bitrate)", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    _ = try Tool.shell("cp \(path) in.wav", in: folder)
    #expect(abs(lag(try samples(folder, "out.wav"), behind: try samples(folder, "in.wav"))) <= 1)
  }

  @Test("At 32 kbit/s it lies within a sample of where libopus puts it in another program", arguments: voices)
  func low(voice: String) throws {
    let folder = try Workspace()
    let path = "/usr/share/sounds/alsa/\(voice).wav"
    let ending = try Tool.run("process \(path) -o out.wav --no-dither --codec opus:bitrate=32000:frame=20", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let other = try Tool.shell(
      "ffmpeg -v error -i \(path) -c:a libopus -application audio -b:a 32k -frame_duration 20 x.opus"
        + " && ffmpeg -v error -c:a libopus -i x.opus -c:a pcm_s16le other.wav && cp \(path) in.wav", in: folder)
    try #require(other.status == 0, "\(other.errors)")
    let (input, ours, theirs) = (
      try samples(folder, "in.wav"), try samples(folder, "out.wav"), try samples(folder, "other.wav")
    )
    #expect(ours.count == input.count)
    #expect(abs(lag(ours, behind: input) - lag(Array(theirs.prefix(input.count)), behind: input)) <= 1)
  }
}
