import AudioFiles
import AudioGraph
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WAVWriterTests {
  private let folder = ScratchFolder()
  private let stereo = try! AudioFormat(sampleRate: 48_000, channelCount: 2)

  private func writer(_ name: String, _ options: OutputOptions) throws -> WAVWriter {
    try WAVWriter(path: folder.file(name), format: stereo, options: options)
  }

  @Test("the file grows as .part and is renamed when whole", .shows(".part"))
  func partThenRename() throws {
    let writer = try writer("a.wav", OutputOptions(sampleFormat: .int16))
    #expect(access(folder.file("a.wav.part"), F_OK) == 0 && access(folder.file("a.wav"), F_OK) != 0)
    try exactSamples(.int16, channels: 2, count: 100, seed: 1).write(to: writer)
    try writer.finish()
    #expect(access(folder.file("a.wav.part"), F_OK) != 0 && access(folder.file("a.wav"), F_OK) == 0)
    try writer.finish()
    writer.abandon()
    #expect(access(folder.file("a.wav"), F_OK) == 0)
  }

  @Test("an abandoned output leaves nothing", arguments: [OutputPlacement.partThenRename, .inPlace])
  func abandon(placement: OutputPlacement) throws {
    let writer = try writer("a.wav", OutputOptions(sampleFormat: .int16, placement: placement))
    try exactSamples(.int16, channels: 2, count: 100, seed: 1).write(to: writer)
    writer.abandon()
    #expect(access(folder.file("a.wav.part"), F_OK) != 0 && access(folder.file("a.wav"), F_OK) != 0)
  }

  @Test(
    "an existing file is kept unless it may be replaced",
    arguments: [OutputPlacement.partThenRename, .inPlace])
  func overwrite(placement: OutputPlacement) throws {
    _ = folder.write([1, 2, 3], to: "a.wav")
    var options = OutputOptions(sampleFormat: .int16, placement: placement)
    let error = fileError { _ = try self.writer("a.wav", options) }
    #expect(error?.reason == .exists && error?.category == .cannotCreate)
    #expect(fileBytes(folder.file("a.wav")) == [1, 2, 3])
    options.overwrite = true
    let writer = try writer("a.wav", options)
    try writer.finish()
    #expect(try AudioFileReader.open(path: folder.file("a.wav")).samplesPerChannel == 0)
  }

  @Test(
    "silence is zeros of the right length, stored sparsely if it is long",
    arguments: [SampleFormat.int16, .int24, .float32, .uint8], [0, 1, 7])
  func silence(sampleFormat: SampleFormat, lead: Int) throws {
    let mono = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    let writer = try WAVWriter(
      path: folder.file("s.wav"), format: mono, options: OutputOptions(sampleFormat: sampleFormat))
    let sound = [Float](repeating: 0.5, count: 11)
    try writer.write(sound, stride: 11, count: lead)
    try writer.writeSilence(count: 1_000_001)
    try writer.write(sound, stride: 11, count: 11)
    try writer.finish()
    let read = try Planes.read(path: folder.file("s.wav"))
    #expect(
      read.channels == [
        Array(repeating: 0.5, count: lead) + Array(repeating: 0, count: 1_000_001) + sound
      ])
    var status = stat()
    stat(folder.file("s.wav"), &status)
    if sampleFormat != .uint8 { #expect(Int(status.st_blocks) * 512 < 500_000) }
  }

  @Test("a file that appears while another is written is not replaced")
  func raceForTheName() throws {
    let writer = try writer("a.wav", OutputOptions(sampleFormat: .int16))
    _ = folder.write([1, 2, 3], to: "a.wav")
    #expect(fileError { try writer.finish() }?.reason == .exists)
    #expect(fileBytes(folder.file("a.wav")) == [1, 2, 3])
    #expect(try AudioFileReader.open(path: folder.file("a.wav.part")).samplesPerChannel == 0)
  }

  @Test("two writers of one file: the second is refused")
  func busy() throws {
    let first = try writer("a.wav", OutputOptions(sampleFormat: .int16))
    #expect(fileError { _ = try self.writer("a.wav", OutputOptions(sampleFormat: .int16)) }?.reason == .busy)
    try first.finish()
  }

  @Test("no directory, a directory and no permission cannot be created")
  func cannotCreate() throws {
    let options = OutputOptions(sampleFormat: .int16)
    #expect(fileError { _ = try self.writer("no/a.wav", options) }?.reason == .create(ENOENT))
    let directory = fileError {
      _ = try WAVWriter(path: self.folder.path, format: self.stereo, options: options)
    }
    #expect(directory?.category == .cannotCreate)
  }

  @Test("a symbolic link keeps pointing to the file that is replaced")
  func symbolicLink() throws {
    _ = folder.write([1], to: "real.wav")
    symlink(folder.file("real.wav"), folder.file("link.wav"))
    let writer = try writer("link.wav", OutputOptions(sampleFormat: .int16, overwrite: true))
    try writer.finish()
    var status = stat()
    #expect(lstat(folder.file("link.wav"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(fileBytes(folder.file("real.wav")).starts(with: Array("RIFF".utf8)))
  }

  @Test(
    "a full disk is an error, and the file is valid up to there", .shows("R2"),
    arguments: [50, 130_000, 300_001])
  func diskFull(capacity: Int) throws {
    let samples = exactSamples(.int16, channels: 2, count: 200_000, seed: 2)
    let path = folder.file("a.wav")
    let make = {
      try WAVWriter(
        path: path, format: self.stereo, options: OutputOptions(sampleFormat: .int16), sizeLimit: 0xFFFF_FFFE,
        faults: OutputFaults(capacity: capacity))
    }
    guard capacity > 100 else {
      let error = fileError { _ = try make() }
      #expect(error?.isDiskFull == true && access(path + ".part", F_OK) != 0)
      return
    }
    let writer = try make()
    let error = fileError { try samples.write(to: writer) }
    #expect(error?.isDiskFull == true && error?.category == .inputOutput)
    #expect(fileError { try samples.write(to: writer) } == error)
    #expect(fileError { try writer.finish() } == error)
    let reader = try AudioFileReader.open(path: path + ".part")
    let kept = try Planes.read(reader)
    #expect(
      kept.count > capacity / 4 - 100 && kept.count == writer.samplesPerChannel && reader.warnings.isEmpty)
    #expect(kept == Planes(samples.channels.map { Array($0.prefix(kept.count)) }))
    #expect(fileBytes(path + ".part").count <= capacity)
  }

  @Test("a disk that is full at closing is an error, and the file stays a .part", .shows(".part"))
  func fullAtTheEnd() throws {
    let path = folder.file("a.wav")
    let writer = try WAVWriter(
      path: path, format: stereo, options: OutputOptions(sampleFormat: .int16), sizeLimit: 0xFFFF_FFFE,
      faults: OutputFaults(closing: EDQUOT))
    try exactSamples(.int16, channels: 2, count: 20_000, seed: 2).write(to: writer)
    let error = fileError { try writer.finish() }
    #expect(error?.isDiskFull == true && error?.description.contains("\(path).part stays, but is not whole") == true)
    #expect(access(path + ".part", F_OK) == 0 && access(path, F_OK) != 0)
  }

  @Test("an output that is removed while it is written is an error", .shows(".part"))
  func takenAway() throws {
    let path = folder.file("a.wav")
    for overwrite in [false, true] {
      let writer = try WAVWriter(
        path: path, format: stereo, options: OutputOptions(sampleFormat: .int16, overwrite: overwrite))
      unlink(path + ".part")
      let error = fileError { try writer.finish() }
      #expect(error?.reason == .removed(path + ".part") && error?.category == .inputOutput)
    }
  }

  @Test("a replaced file keeps its permissions")
  func mode() throws {
    let path = folder.write([1], to: "a.wav")
    chmod(path, 0o600)
    let writer = try writer("a.wav", OutputOptions(sampleFormat: .int16, overwrite: true))
    try writer.finish()
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("a full device and a closed pipe are typed errors")
  func streams() throws {
    signal(SIGPIPE, SIG_IGN)
    let samples = exactSamples(.int16, channels: 2, count: 200_000, seed: 2)
    let options = OutputOptions(sampleFormat: .int16)
    let device = try WAVWriter(path: "/dev/full", format: stereo, options: options)
    let full = fileError { try device.finish() }
    #expect(full?.isDiskFull == true)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let writer = try WAVWriter(descriptor: ends[1], format: stereo, options: options)
    close(ends[0])
    let error = fileError { try samples.write(to: writer) }
    #expect(error?.isBrokenPipe == true)
    close(ends[1])
  }

  @Test(
    "delivery makes a stream readable at once and changes no byte", .shows("output: pipes"),
    arguments: [1, 480, 481])
  func delivers(count: Int) throws {
    let mono = try AudioFormat(sampleRate: 8_000, channelCount: 1)
    let samples = exactSamples(.int24, channels: 1, count: 5 * count, seed: 3)
    func stream(delivers: Bool) throws -> [UInt8] {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      defer { close(ends[0]) }
      let writer = try WAVWriter(descriptor: ends[1], format: mono, options: OutputOptions(sampleFormat: .int24))
      var header: Int?
      for piece in 0..<5 {
        try samples.channels[0][(piece * count)..<((piece + 1) * count)].withUnsafeBufferPointer {
          try writer.write($0.baseAddress!, stride: 0, count: count)
        }
        if delivers { try writer.deliver() }
        var waiting: Int32 = 0
        try #require(ioctl(ends[0], UInt(FIONREAD), &waiting) == 0)
        // All but the last of an odd count: what pads bytes to an even number belongs to the end.
        let due = delivers ? (piece + 1) * count / 2 * 2 * 3 : 0
        if due > 0 { header = header ?? Int(waiting) - due }
        #expect(Int(waiting) == (due > 0 ? header! + due : 0))
      }
      try writer.finish()
      close(ends[1])
      var bytes = [UInt8](repeating: 0, count: 65_536)
      return Array(bytes[..<read(ends[0], &bytes, bytes.count)])
    }
    #expect(try stream(delivers: true) == stream(delivers: false))
  }

  @Test("delivery makes a file valid at once and changes no byte", arguments: [1, 480, 481])
  func deliversToFile(count: Int) throws {
    let mono = try AudioFormat(sampleRate: 8_000, channelCount: 1)
    let samples = exactSamples(.int24, channels: 1, count: 5 * count, seed: 3)
    func file(_ name: String, delivers: Bool) throws -> [UInt8] {
      let path = folder.file(name)
      let writer = try WAVWriter(path: path, format: mono, options: OutputOptions(sampleFormat: .int24))
      for piece in 0..<5 {
        try samples.channels[0][(piece * count)..<((piece + 1) * count)].withUnsafeBufferPointer {
          try writer.write($0.baseAddress!, stride: 0, count: count)
        }
        guard delivers else { continue }
        try writer.deliver()
        let reader = try AudioFileReader.open(path: path + ".part")
        // All but the last of an odd count, as in a stream.
        #expect(reader.samplesPerChannel == (piece + 1) * count / 2 * 2 && reader.warnings.isEmpty)
      }
      try writer.finish()
      return fileBytes(path)
    }
    #expect(try file("often.wav", delivers: true) == file("once.wav", delivers: false))
  }

  @Test("a stream has a header of unknown length, a file descriptor a true one")
  func descriptors() throws {
    let samples = exactSamples(.float32, channels: 2, count: 999, seed: 2)
    for appends in [true, false] {
      let path = folder.file("\(appends).wav")
      let descriptor = open(path, O_RDWR | O_CREAT | (appends ? O_APPEND : 0), 0o644)
      let writer = try WAVWriter(
        descriptor: descriptor, format: stereo, options: OutputOptions(sampleFormat: .float32))
      try samples.write(to: writer)
      try writer.finish()
      #expect(lseek(descriptor, 0, SEEK_CUR) == lseek(descriptor, 0, SEEK_END))
      close(descriptor)
      let header = try WAVHeader.parse(fileBytes(path).span)
      #expect(header.declaredDataBytes ?? 0 == UInt64(appends ? 0 : 999 * 8))
      #expect(try Planes.read(path: path) == samples)
    }
  }

  @Test("the header is extensible from 24 bits or three channels on")
  func layout() throws {
    for (sampleFormat, channels) in [(SampleFormat.int16, 2), (.int16, 3), (.int24, 1), (.float32, 2)] {
      let path = folder.file("\(sampleFormat)\(channels).wav")
      let format = try AudioFormat(sampleRate: 48_000, channelCount: channels)
      let writer = try WAVWriter(
        path: path, format: format, options: OutputOptions(sampleFormat: sampleFormat))
      try exactSamples(sampleFormat, channels: channels, count: 77, seed: 1).write(to: writer)
      try writer.finish()
      let bytes = fileBytes(path)
      let tag = UInt16(bytes[56]) | UInt16(bytes[57]) << 8
      #expect(tag == (channels > 2 || sampleFormat == .int24 ? 0xFFFE : sampleFormat.isFloat ? 3 : 1))
      let hasFact = bytes.prefix(120).indices.dropLast(8).contains {
        Array(bytes[$0..<$0 + 4]) == Array("fact".utf8)
      }
      #expect(hasFact == sampleFormat.isFloat)
      #expect(bytes.count % 2 == 0)
    }
  }
}
