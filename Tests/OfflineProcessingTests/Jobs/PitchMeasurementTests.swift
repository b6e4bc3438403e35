import FileTestSupport
import OfflineProcessing
import Platform
import TestSupport
import Testing

@Suite("Pitch of a file", .timeLimit(.minutes(10)))
struct PitchMeasurementTests {
  /// Frames of 10 ms with pitches of 100.00, 100.01, ... Hz in a random order, and one frame in five without.
  private static let pitches: [Float] = {
    var pitches = (0..<400).map { 100 + Float($0) / 100 } + [Float](repeating: 0, count: 100)
    var generator = SeededGenerator(seed: 7)
    pitches.shuffle(using: &generator)
    return pitches
  }()

  private func analysis(_ files: TestFiles) throws -> FileAnalysis {
    // The last frame is not full, and the pitch of the silence behind the end does not count.
    let samples = seededNoise(count: Self.pitches.count * 480 - 100, seed: 3)
    var analysis = FileAnalysis(.path(try files.write("in.wav", [samples])))
    analysis.pitchTracker = { _ in ScriptedTracker(Self.pitches + [400, 400, 400]) }
    return analysis
  }

  @Test("median, range and voiced share are those of the sorted rows", .shows("analyze: summary"))
  func summary() throws {
    let files = TestFiles()
    let result = try analysis(files).run()
    let pitch = try #require(result.pitch)
    #expect(pitch.rows.map(\.hertz) == Self.pitches && pitch.voicedShare == 0.8)
    let sorted = Self.pitches.filter { $0 > 0 }.sorted().map(Double.init)
    let range = try #require(pitch.rangeHertz)
    #expect(abs(try #require(pitch.medianHertz) - sorted[200]) < 0.005)
    #expect(abs(range.lowerBound - sorted[20]) < 0.005 && abs(range.upperBound - sorted[380]) < 0.005)
  }

  @Test("a summary without rows is the same, and rows are reported one by one")
  func withoutRows() throws {
    let files = TestFiles()
    var analysis = try analysis(files)
    analysis.keepsPitch = false
    let reported = Guarded<[Float]>([])
    analysis.onPitch = { row in reported.withLock { $0.append(row.hertz) } }
    let pitch = try #require(try analysis.run().pitch)
    let whole = try #require(try self.analysis(files).run().pitch)
    #expect(pitch.rows.isEmpty && reported.withLock { $0 } == Self.pitches)
    #expect(pitch.medianHertz == whole.medianHertz && pitch.rangeHertz == whole.rangeHertz)
    #expect(pitch.voicedShare == whole.voicedShare)
  }

  @Test("a sound without a voice has neither median nor range")
  func unvoiced() throws {
    let files = TestFiles()
    var analysis = try analysis(files)
    analysis.pitchTracker = { _ in ScriptedTracker([]) }
    let pitch = try #require(try analysis.run().pitch)
    #expect(pitch.voicedShare == 0 && pitch.medianHertz == nil && pitch.rangeHertz == nil && pitch.rows.count == 500)
  }

  @Test("the error of a tracker ends the analysis")
  func refused() throws {
    let files = TestFiles()
    struct NoTracker: Error {}
    var analysis = try analysis(files)
    analysis.pitchTracker = { _ in throw NoTracker() }
    #expect(throws: NoTracker.self) { try analysis.run() }
  }
}
