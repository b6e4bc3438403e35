import AudioGraph
import Effects
import FileTestSupport
import Glibc
import TestSupport
import Testing

@testable import AudioFiles
@testable import Playback

@Suite(.timeLimit(.minutes(10))) struct SoundPlayerTests {
  private static let fade = 240

  private func sound(_ files: TestFiles, _ planes: [[Float]], sampleRate: Int = 48_000, isPreloaded: Bool = false)
    throws
    -> RepeatingReader.Sound
  {
    let path = try files.write("sound.wav", planes, sampleRate: sampleRate)
    return isPreloaded ? .memory(try SoundMemory(path: path)) : .file(try AudioFileReader.open(path: path))
  }

  @Test(
    "a repeated sound is the file joined to itself, sample by sample", .shows("E1"),
    arguments: [1, 7, 479, 480, 1_000, 5_003], [false, true])
  func repeats(count: Int, isPreloaded: Bool) throws {
    let files = TestFiles()
    let planes = [seededNoise(count: count, seed: 1), seededNoise(count: count, seed: 2)]
    let rig = try PlayerRig(try sound(files, planes, isPreloaded: isPreloaded))
    rig.player.start(try rig.player.load(plays: 3))
    rig.tick((3 * count + 959) / 480 + 1)
    for channel in 0..<2 {
      let played = rig.output[channel]
      let joined = planes[channel] + planes[channel] + planes[channel]
      #expect(Array(played.prefix(joined.count)) == joined)
      #expect(played.dropFirst(joined.count).allSatisfy { $0 == 0 })
    }
    // Of several repetitions in one tick the first is told.
    let repetitions = ["passEnded \(count)"] + (2 * count > 480 ? ["passEnded \(2 * count)"] : [])
    #expect(rig.history == ["started 0"] + repetitions + ["finished \(3 * count)"])
    #expect(rig.unreadyTicks == 0 && rig.player.underrunCount == 0 && rig.player.isExhausted)
  }

  @Test("only a tick with an event notifies the control thread")
  func news() throws {
    let files = TestFiles()
    let rig = try PlayerRig(try sound(files, [seededNoise(count: 1_200, seed: 3)]))
    rig.tick(3)
    rig.player.start(try rig.player.load(plays: 2))
    rig.tick(3)
    rig.player.pause()
    rig.tick(4)
    rig.player.resume()
    rig.tick(8)
    #expect(rig.history.count == 5 && rig.mistakenNews == 0, "\(rig.history)")
  }

  @Test(
    "a repeated sound at another rate is the conversion of the joined file", .shows("M5"),
    arguments: [44_100, 16_000])
  func repeatsConverted(rate: Int) throws {
    let files = TestFiles()
    let once = (0..<(rate / 10)).map { sine(437 * Double($0) / Double(rate)) * 0.4 }
    let rig = try PlayerRig(try sound(files, [once], sampleRate: rate))
    rig.player.start(try rig.player.load(plays: 3))
    rig.tick(40)
    let joined = try files.write("joined.wav", [once + once + once], sampleRate: rate)
    let whole = try PlayerRig(.file(try AudioFileReader.open(path: joined)))
    whole.player.start(try whole.player.load(plays: 1))
    whole.tick(40)
    #expect(rig.output == whole.output)
    let count = once.count * 3 * 48_000 / rate
    #expect(rig.events.last?.position == count && whole.events.last?.position == count)
    #expect(rig.output[0][100..<count].contains { $0 != 0 } && rig.output[0][count...].allSatisfy { $0 == 0 })
  }

  @Test("a sound starts at any sample of the graph, from any position in it")
  func startPosition() throws {
    let files = TestFiles()
    let plane = seededNoise(count: 4_000, seed: 3)
    let rig = try PlayerRig(try sound(files, [plane]))
    try rig.player.start(rig.player.load(plays: 1, from: 1_000), at: 1_234)
    rig.tick(12)
    #expect(rig.output[0][..<1_234].allSatisfy { $0 == 0 })
    // Begun in the middle it fades in over 5 ms.
    for index in 0..<Self.fade {
      let expected = plane[1_000 + index] * Float(index + 1) / 240
      #expect(abs(rig.output[0][1_234 + index] - expected) < 1e-6)
    }
    #expect(Array(rig.output[0][(1_234 + Self.fade)..<4_234]) == Array(plane[(1_000 + Self.fade)...]))
    #expect(rig.history == ["started 1234", "finished 4234"])
  }

  @Test("a pause fades out over 5 ms, and playing continues at the next sample")
  func pause() throws {
    let files = TestFiles()
    let plane = seededNoise(count: 9_600, seed: 4)
    let rig = try PlayerRig(try sound(files, [plane]))
    rig.player.start(try rig.player.load(plays: 1))
    rig.tick(4)
    rig.player.pause()
    rig.tick(5)
    #expect(rig.player.position == 1_920 + Self.fade)
    rig.player.resume()
    rig.tick(20)
    let output = rig.output[0]
    #expect(Array(output[..<1_920]) == Array(plane[..<1_920]))
    for index in 0..<Self.fade {
      let gain = Float(index + 1) / 240
      #expect(abs(output[1_920 + index] - plane[1_920 + index] * (1 - gain)) < 1e-6)
      #expect(abs(output[4_320 + index] - plane[2_160 + index] * gain) < 1e-6)
    }
    #expect(output[2_160..<4_320].allSatisfy { $0 == 0 })
    #expect(Array(output[4_560..<(9_600 + 2_160)]) == Array(plane[2_400...]))
    #expect(rig.history == ["started 0", "paused 2160", "resumed 4320", "finished 11760"])
  }

  @Test("a pause that is taken back at once is reported before its end")
  func shortPause() throws {
    let files = TestFiles()
    let rig = try PlayerRig(try sound(files, [seededNoise(count: 9_600, seed: 4)]))
    rig.player.start(try rig.player.load(plays: 1))
    rig.tick(4)
    rig.player.pause()
    rig.player.resume()
    rig.tick(20)
    #expect(rig.history == ["started 0", "paused 1920", "resumed 1920", "finished 9600"])
  }

  @Test("a pause during an underrun is reported at once and stays silent", .shows("M2"))
  func starvedPause() throws {
    let files = TestFiles()
    let rig = try PlayerRig(try sound(files, [seededNoise(count: 96_000, seed: 4)]))
    rig.player.start(try rig.player.load(plays: 1))
    for _ in 0..<40 { rig.runner.tick(timeNanoseconds: 0) }
    #expect(rig.player.underrunCount > 480)
    rig.player.pause()
    rig.runner.tick(timeNanoseconds: 0)
    rig.tick(4)
    #expect(rig.history == ["started 0", "paused 19200"])
    #expect(rig.output[0].count == 45 * 480 && rig.output[0][19_200...].allSatisfy { $0 == 0 })
  }

  @Test("a seek fades out and in, and the position follows", .shows("M2"))
  func seek() throws {
    let files = TestFiles()
    let plane = seededNoise(count: 48_000, seed: 5)
    let rig = try PlayerRig(try sound(files, [plane]))
    rig.player.start(try rig.player.load(plays: 1))
    rig.tick(2)
    try rig.player.seek(to: 30_000)
    rig.tick(1)
    #expect(rig.player.position == 30_240)
    rig.tick(60)
    let output = rig.output[0]
    for index in 0..<Self.fade {
      let gain = Float(index + 1) / 240
      #expect(abs(output[960 + index] - plane[960 + index] * (1 - gain)) < 1e-6)
      #expect(abs(output[1_200 + index] - plane[30_000 + index] * gain) < 1e-6)
    }
    #expect(Array(output[1_440..<19_200]) == Array(plane[30_240...]))
    #expect(rig.history == ["started 0", "finished 19200"])
  }

  @Test("a stop fades over 5 ms and ends; the sound can be started again")
  func stop() throws {
    let files = TestFiles()
    let plane = seededNoise(count: 48_000, seed: 6)
    let rig = try PlayerRig(try sound(files, [plane]))
    rig.player.start(try rig.player.load(plays: nil))
    #expect(rig.player.isExhausted)
    rig.tick(3)
    rig.player.stop()
    rig.tick(2)
    rig.player.start(try rig.player.load(plays: 1))
    rig.tick(1)
    let output = rig.output[0]
    for index in 0..<Self.fade {
      let gain = 1 - Float(index + 1) / 240
      #expect(abs(output[1_440 + index] - plane[1_440 + index] * gain) < 1e-6)
    }
    #expect(output[1_680..<2_400].allSatisfy { $0 == 0 })
    #expect(Array(output[2_400..<2_880]) == Array(plane[..<480]))
    #expect(rig.history == ["started 0", "stopped 1680", "started 2400"])
  }

  @Test("a stop fades however late the blocks come", arguments: 1...40)
  func starvedStop(tick: Int) throws {
    let tone = (0..<48_000).map { 0.5 * sine(333 * Double($0) / 48_000) }
    let files = TestFiles()
    let rig = try PlayerRig(.file(try AudioFileReader.open(path: try files.write("tone.wav", [tone]))))
    rig.player.start(try rig.player.load(plays: 1))
    rig.tick(tick, isStarved: true)
    rig.player.stop()
    rig.tick(2, isStarved: true)
    #expect(rig.unreadyTicks == 0 && rig.player.underrunCount == 0)
    let output = rig.output[0]
    // The tone's own steepest step, and that of the fade.
    let steepest: Float = zip(output, output.dropFirst()).map { abs($0 - $1) }.max()!
    let limit: Float = 0.5 * 2 * Float.pi * 333 / 48_000 + 0.5 / 240
    #expect(steepest < limit && output.last == 0)
  }

  @Test("no command causes a larger step than the sound and its fades explain", arguments: 1...20)
  func noClick(seed: Int) throws {
    let files = TestFiles()
    let count = 96_000
    let tone = (0..<count).map { sine(200 * Double($0) / 48_000) * 0.5 }
    let rig = try PlayerRig(try sound(files, [tone]))
    var generator = SeededGenerator(seed: UInt64(seed))
    rig.player.start(try rig.player.load(plays: nil))
    for _ in 0..<300 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: rig.player.pause()
      case 1: rig.player.resume()
      // Where the tone begins a turn, so that a start without a fade is no step.
      case 2: try rig.player.seek(to: Int.random(in: 0..<400, using: &generator) * 240)
      case 3: rig.player.stop()
      case 4: rig.player.start(try rig.player.load(plays: nil, from: Int.random(in: 0..<2, using: &generator) * 48_000))
      default: break
      }
      rig.tick(Int.random(in: 0...2, using: &generator))
    }
    let output = rig.output[0]
    let ownStep = 0.5 * 2 * Float.pi * 200 / 48_000
    let largest = zip(output, output.dropFirst()).map { abs($1 - $0) }.max()!
    // The file is rounded to 16 bits.
    #expect(largest <= ownStep + 0.5 / 240 + 3 / 32_768, "seed \(seed)")
    #expect(rig.events.count > 20, "seed \(seed)")
    #expect(rig.player.underrunCount == 0 && rig.unreadyTicks == 0, "seed \(seed)")
  }

  @Test("a file that shrinks while it plays ends there, and says so", .shows("M4"))
  func shrinks() throws {
    let files = TestFiles()
    let path = try files.write("sound.wav", [seededNoise(count: 480_000, seed: 7)])
    let rig = try PlayerRig(.file(try AudioFileReader.open(path: path)))
    rig.player.start(try rig.player.load(plays: nil))
    let headerBytes = files.bytes(path).count - 960_000
    truncate(path, headerBytes + 400_000)
    rig.tick(600)
    #expect(rig.events.last?.kind == .finished)
    #expect(rig.events.last?.position == 200_000)
    #expect(rig.player.failure?.reason == .shrunk)
  }
}
