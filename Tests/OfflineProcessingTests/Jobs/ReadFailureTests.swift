import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import Glibc
import OfflineProcessing
import TestSupport
import Testing

/// Inputs that fail on the way, as disks and connections do.
@Suite(.timeLimit(.minutes(10))) struct ReadFailureTests {
  private let files = TestFiles()

  /// A connection that gives `samples` and then breaks: its other end is closed without having read all that it got.
  private func brokenLine(_ samples: [Int16]) throws -> Int32 {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    try #require(write(ends[0], "x", 1) == 1)
    let written = samples.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    try #require(written == samples.count * 2)
    close(ends[1])
    return ends[0]
  }

  @Test("a read error keeps the valid output as .part and names it", .shows(".part"))
  func brokenOff() throws {
    let samples = seededNoise(count: 20_000, seed: 5).map { Int16($0 * 30_000) }
    let line = try brokenLine(samples)
    defer { close(line) }
    let path = files.path("out.wav")
    var job = FileProcessing()
    let format = try AudioFormat(sampleRate: 8_000, channelCount: 1)
    job.input = .descriptor(line, name: "line", raw: RawFormat(sampleFormat: .int16, format: format))
    job.output = .path(path, container: nil)
    let error = try #require(throws: AudioFileError.self) { try job.prepare().run() }
    #expect(error == AudioFileError(.read(ECONNRESET), path: "line", remains: .valid(path: path + ".part")))
    #expect(error.description.contains("stays as \(path).part"))
    #expect(access(path, F_OK) != 0)
    let left = try files.read(files.path("out.wav.part"))
    #expect(left == [samples.map { Float($0) / 32_768 }])
  }
}
