import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WAVWriterCrashTests {
  private let folder = ScratchFolder()

  /// Copies of the file as a killed program would have left it, after each system call and between writes.
  private final class Snapshots {
    var path = ""
    var writer: WAVWriter?
    var failures: [String] = []
    var count = 0
    var longest = 0
    var samples = Planes([[]])

    /// Checks what is on the disk now, if it is there, against what was taken so far.
    func check() {
      guard access(path, F_OK) == 0 else { return }
      count += 1
      do {
        let bytes = fileBytes(path)
        let header = try WAVHeader.parse(bytes.span)
        let declared = header.declaredDataBytes ?? .max
        if declared > UInt64(bytes.count - header.dataOffset) {
          failures.append("\(declared) bytes promised")
        }
        if let whole = header.declaredFileBytes, whole > UInt64(bytes.count) {
          failures.append("file size \(whole)")
        }
        let valid = Int(clamping: declared) / header.blockAlign
        longest = max(longest, (writer?.samplesPerChannel ?? 0) - valid)
      } catch {
        failures.append("\(error)")
      }
    }
  }

  @Test(
    "a killed writer leaves a right header and loses at most a second", .shows(".part", "R2"),
    arguments: [
      (SampleFormat.uint8, 1, 8_000), (.int24, 1, 11_025), (.int16, 2, 48_000), (.float32, 2, 44_100),
    ])
  func killed(sampleFormat: SampleFormat, channels: Int, rate: Int) throws {
    let path = folder.file("a.wav")
    let snapshots = Snapshots()
    snapshots.path = path
    let format = try AudioFormat(sampleRate: rate, channelCount: channels)
    let samples = exactSamples(sampleFormat, channels: channels, count: rate * 7 + 1, seed: 4)
    let writer = try WAVWriter(
      path: path, format: format, options: OutputOptions(sampleFormat: sampleFormat, placement: .inPlace),
      sizeLimit: 0xFFFF_FFFE, faults: OutputFaults(afterSystemCall: { snapshots.check() }))
    snapshots.writer = writer
    var generator = SeededGenerator(seed: UInt64(rate))
    let flat = samples.channels.flatMap { $0 }
    var done = 0
    while done < samples.count {
      let block = min(Int.random(in: 1...rate / 3, using: &generator), samples.count - done)
      try flat.withUnsafeBufferPointer {
        try writer.write($0.baseAddress! + done, stride: samples.count, count: block)
      }
      done += block
      snapshots.check()
    }
    #expect(snapshots.failures.isEmpty && snapshots.count > 40)
    // One write may itself be a third of a second.
    #expect(snapshots.longest <= rate)
    // A kill between any two calls leaves samples that are a beginning of what was written.
    let left = try Planes.read(path: path)
    #expect(left == Planes(samples.channels.map { Array($0.prefix(left.count)) }))
    #expect(left.count >= samples.count - rate)
    try writer.finish()
    #expect(snapshots.failures.isEmpty)
    #expect(try Planes.read(path: path) == samples)
    snapshots.writer = nil
  }

  @Test(
    "a file has a header from its first moment on, new or overwritten", .shows(".part"),
    arguments: OutputPlacement.allCases)
  func begins(placement: OutputPlacement) throws {
    let path = folder.file("a.wav")
    let snapshots = Snapshots()
    snapshots.path = placement == .inPlace ? path : path + ".part"
    let format = try AudioFormat(sampleRate: 8_000, channelCount: 1)
    for round in 0..<2 {
      // A longer file of other samples is what a killed run has left.
      if round == 1 {
        let left = try WAVWriter(
          path: snapshots.path, format: format,
          options: OutputOptions(sampleFormat: .float32, placement: .inPlace, overwrite: true))
        try exactSamples(.float32, channels: 1, count: 9_000, seed: 1).write(to: left)
        try left.finish()
      }
      snapshots.count = 0
      let writer = try WAVWriter(
        path: path, format: format,
        options: OutputOptions(sampleFormat: .int16, placement: placement, overwrite: round == 1),
        sizeLimit: 0xFFFF_FFFE, faults: OutputFaults(afterSystemCall: { snapshots.check() }))
      // Seen by then: the name given or the file opened, its header, its length.
      #expect(snapshots.count >= 2 && snapshots.failures.isEmpty, "\(snapshots.failures)")
      #expect(try WAVHeader.parse(fileBytes(snapshots.path).span).declaredDataBytes == 0)
      #expect(fileBytes(snapshots.path).count < 100)
      try writer.finish()
      #expect(try Planes.read(path: path).count == 0)
    }
  }

  @Test("a file that must be named at once has the same contents")
  func namedAtOnce() throws {
    let format = try AudioFormat(sampleRate: 8_000, channelCount: 1)
    let samples = exactSamples(.int16, channels: 1, count: 9_000, seed: 1)
    var contents: [[UInt8]] = []
    for refusesNames in [false, true] {
      let path = folder.file("\(refusesNames).wav")
      let writer = try WAVWriter(
        path: path, format: format, options: OutputOptions(sampleFormat: .int16), sizeLimit: 0xFFFF_FFFE,
        faults: OutputFaults(refusesNames: refusesNames))
      #expect(try WAVHeader.parse(fileBytes(path + ".part").span).declaredDataBytes == 0)
      // Locked, whichever way it got its name.
      #expect(throws: AudioFileError(.busy, path: path)) {
        try WAVWriter(path: path, format: format, options: OutputOptions(sampleFormat: .int16))
      }
      try samples.write(to: writer)
      try writer.finish()
      contents.append(fileBytes(path))
    }
    #expect(contents[0] == contents[1] && contents[0].count > 18_000)
  }

  @Test("a file past the 32-bit limit becomes RF64 in place and stays valid", .shows("R2"))
  func longFile() throws {
    let path = folder.file("a.wav")
    let snapshots = Snapshots()
    snapshots.path = path + ".part"
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    for sampleFormat in [SampleFormat.int16, .float32, .int24] {
      let samples = exactSamples(sampleFormat, channels: 2, count: 150_001, seed: 4)
      let writer = try WAVWriter(
        path: path, format: format, options: OutputOptions(sampleFormat: sampleFormat, overwrite: true),
        sizeLimit: 250_000, faults: OutputFaults(afterSystemCall: { snapshots.check() }))
      var names = Set<String>()
      for start in Swift.stride(from: 0, to: samples.count, by: 10_000) {
        let end = min(start + 10_000, samples.count)
        try Planes(samples.channels.map { Array($0[start..<end]) }).write(to: writer)
        names.insert(String(decoding: fileBytes(path + ".part").prefix(4), as: UTF8.self))
      }
      try writer.finish()
      #expect(names == ["RIFF", "RF64"])
      #expect(snapshots.failures.isEmpty)
      let reader = try AudioFileReader.open(path: path)
      #expect(reader.samplesPerChannel == 150_001 && reader.warnings.isEmpty)
      #expect(try Planes.read(reader) == samples)
      if let found = run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"]) {
        #expect(found.count == 150_001 * 8)
      }
    }
  }
}
