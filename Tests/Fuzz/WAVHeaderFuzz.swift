import AudioFiles
import Glibc

/// Feeds any bytes to the WAV header check: it may refuse them, and must neither crash nor read beyond them, nor
/// promise samples that are not there. Then they are read as a file and through a pipe, which must come to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWAVHeader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Span(_unsafeStart: start ?? UnsafePointer(bitPattern: 1)!, count: count)
  let header = try? WAVHeader.parse(bytes)
  if let header { check(header, count: count) }
  guard let start, count >= 4, ["RIFF", "RF64", "BW64"].contains(bytes.fourCC(at: 0)) else { return 0 }
  let whole = UnsafeRawBufferPointer(start: start, count: count)
  let (file, pipe) = (outcome(of: fileDescriptor(whole)), outcome(of: pipeDescriptor(whole)))
  if file == pipe { return 0 }
  // A pipe sees but the beginning of what follows an empty data chunk, and may take for sound what are chunks, or the
  // reverse.
  precondition(header?.declaredDataBytes == 0, "a file is \(file), through a pipe it is \(pipe)")
  precondition(file.samples?.isEmpty == true || pipe.samples?.isEmpty == true, "two sounds: \(file) and \(pipe)")
  precondition(file.form == pipe.form, "two formats")
  return 0
}

private func check(_ header: WAVHeader, count: Int) {
  precondition(header.dataOffset <= count, "the sound begins behind the end")
  precondition((1...8).contains(header.channelCount) && (8_000...192_000).contains(header.sampleRate))
  let bytesPerSample = header.companding == nil ? header.sampleFormat.bytesPerSample : 1
  precondition(header.blockAlign == header.blocks?.bytes ?? header.channelCount * bytesPerSample)
  precondition(header.validBits >= 1 && header.validBits <= header.sampleFormat.bitDepth)
  let available = count - header.dataOffset
  for isFollowedByChunks in [false, true] {
    if let extent = try? header.extent(available: available, isFollowedByChunks: isFollowedByChunks) {
      let capacity = available / header.blockAlign * (header.blocks?.samples ?? 1)
      precondition(extent.samplesPerChannel! <= capacity, "more samples than bytes")
      _ = extent.doubt?.description
    }
  }
  if let samples = try? header.extent(available: nil).samplesPerChannel { precondition(samples >= 0) }
}

/// What reading has come to: a format and samples, or what is wrong.
private struct Outcome: Equatable {
  var form: String?
  var samples: [Float]?
  var error: AudioFileError.Reason?
}

/// Reads all that a descriptor gives, and closes it.
private func outcome(of descriptor: Int32) -> Outcome {
  defer { close(descriptor) }
  var outcome = Outcome()
  do throws(AudioFileError) {
    let reader = try AudioFileReader.open(descriptor: descriptor)
    outcome.form = "\(reader.format) \(reader.sampleFormat)"
    let capacity = 512
    var memory = [Float](repeating: 0, count: capacity * reader.format.channelCount)
    var samples: [Float] = []
    while true {
      let got = try memory.withUnsafeMutableBufferPointer { buffer throws(AudioFileError) in
        try reader.read(into: buffer.baseAddress!, stride: capacity, maximumCount: capacity)
      }
      if got == 0 { break }
      for index in 0..<got {
        for channel in 0..<reader.format.channelCount { samples.append(memory[channel * capacity + index]) }
      }
    }
    for warning in reader.warnings { _ = warning.description }
    outcome.samples = samples
  } catch {
    // A pipe is found to be empty when it is read.
    (outcome.form, outcome.error) = (nil, error.reason)
  }
  return outcome
}

/// A file without a name, for all that are read.
private let scratch: Int32 = {
  var name = Array("/tmp/audiopipe-fuzz-XXXXXX".utf8CString)
  let descriptor = mkstemp(&name)
  precondition(descriptor >= 0 && unlink(name) == 0)
  return descriptor
}()

private func fileDescriptor(_ bytes: UnsafeRawBufferPointer) -> Int32 {
  precondition(ftruncate(scratch, 0) == 0 && pwrite(scratch, bytes.baseAddress, bytes.count, 0) == bytes.count)
  precondition(lseek(scratch, 0, SEEK_SET) == 0)
  return dup(scratch)
}

/// All of it fits a pipe's room.
private func pipeDescriptor(_ bytes: UnsafeRawBufferPointer) -> Int32 {
  var ends: [Int32] = [-1, -1]
  precondition(pipe(&ends) == 0 && write(ends[1], bytes.baseAddress, bytes.count) == bytes.count)
  close(ends[1])
  return ends[0]
}
