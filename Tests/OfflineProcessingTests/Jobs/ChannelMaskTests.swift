import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import OfflineProcessing
import Playback
import TestSupport
import Testing

/// WAV files that say for which loudspeakers their channels are.
@Suite(.timeLimit(.minutes(10))) struct ChannelMaskTests {
  private let files = TestFiles()

  /// Behind RIFF, JUNK, the name and size of `fmt `, and its first 20 bytes.
  private static let maskOffset = 12 + 36 + 8 + 20

  /// A constant in each channel, and the mask written over the usual one.
  private func file(_ name: String, _ levels: [Float], mask: UInt32) throws -> String {
    let path = try files.write(name, levels.map { [Float](repeating: $0, count: 9_600) }, as: .float32)
    var bytes = files.bytes(path)
    bytes.replaceSubrange(Self.maskOffset..<(Self.maskOffset + 4), with: (0..<4).map { UInt8(mask >> (8 * $0) & 255) })
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    return path
  }

  private static func levels(_ mask: UInt32) -> [Float] {
    (0..<mask.nonzeroBitCount).map { 0.1 + 0.07 * Float($0) }
  }

  /// ITU-R BS.775: what is in the middle or behind goes 3 dB down to both sides or its own, and both for what is in the
  /// middle behind.
  private static let weights: [(left: Double, right: Double)] = {
    let low = 0.5.squareRoot()
    return [
      (1, 0), (0, 1), (low, low), (0, 0), (low, 0), (0, low), (1, 0), (0, 1), (0.5, 0.5), (low, 0), (0, low),
    ]
  }()

  private func expected(_ levels: [Float], mask: UInt32) -> [Double] {
    let bits = (0..<11).filter { mask >> $0 & 1 == 1 }
    let (left, right) = (bits.map { Self.weights[$0].left }, bits.map { Self.weights[$0].right })
    let whole = max(left.reduce(0, +), right.reduce(0, +))
    return [left, right].map { side in zip(side, levels).reduce(0) { $0 + $1.0 * Double($1.1) } / whole }
  }

  /// 4.0, 2.1, 4.1, quad at the sides, 6.0, 5.1 at the sides, 7.1 wide, one behind on the left alone.
  private static let masks: [UInt32] = [0x107, 0xB, 0x3B, 0x603, 0x707, 0x60F, 0xFF, 0x13]

  @Test(
    "channels are mixed down by the file's channel mask",
    .shows("process: loudspeakers"),
    arguments: masks, ["input", "music", "effect"])
  func downmix(mask: UInt32, kind: String) throws {
    let levels = Self.levels(mask)
    let many = try file("many.wav", levels, mask: mask)
    let sides = expected(levels, mask: mask)
    for channels in [2, 1] {
      var job = FileProcessing()
      let silence = [[Float]](repeating: [Float](repeating: 0, count: 9_600), count: channels)
      job.input = .path(kind == "input" ? many : try files.write("voice.wav", silence, as: .float32))
      job.output = .path(files.path("out.wav"), container: nil)
      (job.overwrite, job.channelCount) = (true, channels)
      // Arms the limiter, which holds the last samples when the file has ended.
      job.gain = Decibels(0.5)
      if kind == "music" { job.music = .init(path: many) }
      if kind == "effect" { job.effects = [.init(soundID: 1, sound: SoundEffect(path: many))] }
      let result = try job.prepare().run()
      #expect(result.events.isEmpty || kind != "input", "\(result.events)")
      let output = try files.read(files.path("out.wav"))
      let gain = pow(10, 0.5 / 20)
      for (plane, side) in zip(output, channels == 2 ? sides : [(sides[0] + sides[1]) / 2]) {
        #expect(plane.count == 9_600)
        // An effect and music begin and end within a tick of the voice.
        for index in kind == "input" ? 0..<9_600 : 960..<9_500 {
          #expect(abs(Double(plane[index]) - side * gain) < 1e-5, "\(plane[index]), not \(side * gain), at \(index)")
          if abs(Double(plane[index]) - side * gain) >= 1e-5 { return }
        }
      }
    }
  }

  @Test("an observer of two channels gets the same downmix", .shows("process: loudspeakers"), arguments: masks)
  func observer(mask: UInt32) throws {
    let levels = Self.levels(mask)
    let heard = Guarded<[Int16]>([])
    var job = FileProcessing()
    job.input = .path(try file("many.wav", levels, mask: mask))
    let params = try AudioParams(sampleRate: 48_000, channelCount: 2, samplesPerCall: 960)
    job.observers = [
      .readOnly(at: .record, params: [.record: params]) { frame, _ in
        let last = [frame.samples[frame.samples.count - 2], frame.samples[frame.samples.count - 1]]
        heard.withLock { $0 = last.contains { $0 != 0 } ? last : $0 }
      }
    ]
    _ = try job.prepare().run()
    let sides = expected(levels, mask: mask).map { Int16(($0 * 32_768).rounded()) }
    #expect(zip(heard.withLock { $0 }, sides).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(heard.withLock { $0 })")
  }

  @Test(
    "the downmix is the same as that of ffmpeg", .shows("process: loudspeakers"),
    .enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0, "there is no ffmpeg"),
    arguments: masks.dropLast())
  func ffmpeg(mask: UInt32) throws {
    let levels = Self.levels(mask)
    let path = try file("many.wav", levels, mask: mask)
    let output = files.path("other.wav")
    let line = "/usr/bin/ffmpeg -v error -y -i '\(path)' -ac 2 -c:a pcm_s16le '\(output)' </dev/null"
    #expect(system(line) == 0)
    let planes = try files.read(output)
    for (plane, side) in zip(planes, expected(levels, mask: mask)) {
      #expect(abs(Double(plane[4_800]) - side) < 1e-3, "\(plane[4_800]), not \(side)")
    }
  }

  @Test(
    "an unsupported channel mask becomes the usual layout with a warning",
    .shows("process: loudspeakers"),
    arguments: [(0x3, true), (0x10F, true), (0x5003, true), (0, false)] as [(UInt32, Bool)])
  func unknown(mask: UInt32, isTold: Bool) throws {
    let levels: [Float] = [0.1, 0.2, 0.3, 0.4]
    var job = FileProcessing()
    job.input = .path(try file("many.wav", levels, mask: mask))
    job.output = .path(files.path("out.wav"), container: nil)
    job.channelCount = 2
    let result = try job.prepare().run()
    let codes = result.events.compactMap { event in
      if case .warning(let warning) = event.kind { warning.code } else { nil }
    }
    #expect(codes == (isTold ? [.speakers] : []))
    let output = try files.read(files.path("out.wav"))
    for (plane, side) in zip(output, expected(levels, mask: 0x33)) {
      #expect(abs(Double(plane[4_800]) - side) < 1e-5)
    }
  }

  @Test(
    "an output of the input's channels names its loudspeakers", .shows("process: loudspeakers"),
    arguments: [0x107, 0x603, 0x33] as [UInt32])
  func output(mask: UInt32) throws {
    var job = FileProcessing()
    job.input = .path(try file("many.wav", Self.levels(mask), mask: mask))
    job.output = .path(files.path("out.wav"), container: nil)
    _ = try job.prepare().run()
    #expect(files.bytes(files.path("out.wav")) == files.bytes(files.path("many.wav")))
  }
}
