public import AudioGraph
import Glibc

/// Writes a WAV file that is valid at every moment, or a WAV stream.
///
/// Sound is gathered for at most half a second. Then it is written, then the header is updated, in one system call. A
/// program killed at any moment leaves a header that never promises more than is there, and loses at most that much.
/// Over 4 GiB the file becomes RF64 in place. A stream's header says that its length is unknown, and comes with the
/// first sound. An output that ends before its first sound leaves nothing.
///
/// Writes end at the ends of the file's pages, as near as whole samples allow: the kernel takes half as long for them.
///
/// Cost: 0.5 ns a sample of 16 bit, 0.9 ns with dither, and the kernel's time; no allocation per call.
public final class WAVWriter: AudioFileWriter {
  /// Bytes that are gathered at most before they are written.
  static let largestWrite = 256 * 1024

  public let format: AudioFormat
  public let sampleFormat: SampleFormat
  public private(set) var samplesPerChannel = 0
  public var clippedSamples: Int { encoder.clippedSamples }

  private let file: OutputFile
  private var encoder: SampleEncoder
  private var header: WAVHeaderImage
  private let blockAlign: Int
  private let buffer: UnsafeMutableRawPointer
  /// Unit of writes in bytes; writes end at multiples of it in the file.
  private let writeBytes: Int
  private var buffered = 0
  /// Bytes that are gathered before the next write.
  private var due = 0
  private var dataBytes = 0
  private var hasHeader = false
  private var failure: AudioFileError?
  private var isFinished = false

  /// Begins a file at `path`.
  ///
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - format: Sample rate and channels.
  ///   - options: Options of the output.
  ///   - isCancelled: Called while no reader takes the bytes of a pipe; true ends the wait after two seconds. Thread:
  ///     any.
  public convenience init(
    path: String, format: AudioFormat, options: OutputOptions, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) {
    try self.init(
      path: path, format: format, options: options, sizeLimit: 0xFFFF_FFFE, isCancelled: isCancelled)
  }

  /// Begins a file with a custom limit for the 32-bit sizes, and with faults for a test.
  package convenience init(
    path: String, format: AudioFormat, options: OutputOptions, sizeLimit: UInt64,
    faults: OutputFaults = OutputFaults(), isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) {
    let file = try OutputFile(
      path: path, placement: options.placement, overwrite: options.overwrite, faults: faults, isCancelled: isCancelled)
    try self.init(file, format: format, options: options, sizeLimit: sizeLimit)
  }

  /// Writes to a descriptor, such as the standard output, which the caller closes.
  ///
  /// - Parameters:
  ///   - descriptor: Descriptor of the output.
  ///   - name: Name of the output in messages.
  ///   - format: Sample rate and channels.
  ///   - options: Options of the output.
  ///   - isCancelled: Called while no reader takes the bytes of a pipe; true ends the wait after two seconds. Thread:
  ///     any.
  public convenience init(
    descriptor: Int32, name: String = "standard output", format: AudioFormat, options: OutputOptions,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) {
    let file = OutputFile(descriptor: descriptor, name: name, isCancelled: isCancelled)
    try self.init(file, format: format, options: options, sizeLimit: 0xFFFF_FFFE)
  }

  private init(
    _ file: OutputFile, format: AudioFormat, options: OutputOptions, sizeLimit: UInt64
  ) throws(AudioFileError) {
    self.file = file
    self.format = format
    sampleFormat = options.sampleFormat
    blockAlign = format.channelCount * sampleFormat.bytesPerSample
    encoder = SampleEncoder(
      layout: .init(sampleFormat), channelCount: format.channelCount, ditherSeed: options.ditherSeed,
      ditherStart: options.ditherStart)
    header = WAVHeaderImage(
      format: format, sampleFormat: sampleFormat, speakers: options.speakers,
      info: InfoChunk.bytes(of: options.tags), isStream: file.isStream, sizeLimit: sizeLimit)
    let second = max(2 * blockAlign, format.sampleRate * blockAlign)
    writeBytes = min(Self.largestWrite, 1 << (Int.bitWidth - 1 - second.leadingZeroBitCount))
    buffer = .allocate(byteCount: writeBytes + 2 * blockAlign + SampleEncoder.slack, alignment: 64)
    due = bytesToNextWrite()
    guard file.isRemovable else { return }
    do throws(AudioFileError) {
      try begin()
    } catch {
      file.remove()
      throw error
    }
  }

  deinit { buffer.deallocate() }

  public func setFirstSample(_ first: FirstSample) throws(AudioFileError) {
    precondition(samplesPerChannel == 0 && !isFinished, "samples are written already")
    guard !file.isStream, failure == nil else { return }
    header.insert(BroadcastChunk.bytes(first, format: format, sampleFormat: sampleFormat))
    due = bytesToNextWrite()
    if hasHeader { try mendHeader() }
  }

  public func write(_ base: UnsafePointer<Float>, stride: Int, count: Int) throws(AudioFileError) {
    precondition(!isFinished, "the file is finished")
    if let failure { throw failure }
    var done = 0
    while done < count {
      let block = min(count - done, (due - buffered) / blockAlign)
      encoder.encode(base + done, stride: stride, count: block, into: buffer + buffered)
      buffered += block * blockAlign
      done += block
      samplesPerChannel += block
      if buffered == due { try flush() }
    }
  }

  public func writeSilence(count: Int) throws(AudioFileError) {
    // A hole reads as zero bytes, which are not silence with 8 bits. It begins and ends at pairs of blocks, since
    // padding belongs to the end of the data.
    let lead = samplesPerChannel % 2
    let hole = (count - lead) / 2 * 2
    guard !file.isStream, sampleFormat != .uint8, hole * blockAlign > writeBytes else {
      return try writeZeros(count)
    }
    try writeZeros(lead)
    try begin()
    try flush()
    let code = file.truncate(to: header.count + dataBytes + hole * blockAlign)
    guard code == 0 else {
      let error = makeError(code)
      failure = error
      throw error
    }
    dataBytes += hole * blockAlign
    samplesPerChannel += hole
    due = bytesToNextWrite()
    try mendHeader()
    try writeZeros(count - lead - hole)
  }

  public func deliver() throws(AudioFileError) {
    if let failure { throw failure }
    // Of an odd count of blocks the last one waits: padding belongs to the end of the data.
    try flush(buffered - buffered % (2 * blockAlign))
  }

  public func finish() throws(AudioFileError) {
    guard !isFinished else { return }
    try complete()
    try file.commit(length: header.count + dataBytes + dataBytes % 2)
  }

  public func breakOff() throws(AudioFileError) -> AudioFileError.Remains? {
    if !isFinished { try complete() }
    return file.leave()
  }

  /// Writes the remaining samples.
  ///
  /// - Throws: The error, after the file is closed.
  private func complete() throws(AudioFileError) {
    if failure == nil { try? begin() }
    if failure == nil { try? flush() }
    isFinished = true
    guard let failure else { return }
    file.close()
    throw failure
  }

  public func abandon() {
    guard !isFinished else { return }
    isFinished = true
    file.remove()
  }

  /// Writes the first header.
  private func begin() throws(AudioFileError) {
    guard !hasHeader else { return }
    do throws(AudioFileError) {
      try header.withBytes { bytes in Result { () throws(AudioFileError) in try file.begin(with: bytes) } }.get()
    } catch {
      failure = error
      throw error
    }
    hasHeader = true
  }

  private func makeError(_ code: Int32) -> AudioFileError {
    AudioFileError(
      .write(code), path: file.path, remains: hasHeader ? file.remainingPath.map { .valid(path: $0) } : nil)
  }

  /// Writes the gathered bytes, or `limit` of them, then updates the header.
  private func flush(_ limit: Int? = nil) throws(AudioFileError) {
    let count = limit ?? buffered
    guard count > 0 else { return }
    try begin()
    let padding = count % 2
    if padding == 1 { buffer.storeBytes(of: 0, toByteOffset: count, as: UInt8.self) }
    let offset = header.count + dataBytes
    let (written, code) = file.write(buffer, count: count + padding, at: offset)
    if code == 0 {
      dataBytes += count
      buffered -= count
      if buffered > 0 { memmove(buffer, buffer + count, buffered) }
      due = bytesToNextWrite()
      try mendHeader()
      return
    }
    // Whole pairs of blocks: an even number of bytes, and no half sample.
    let kept = written / (2 * blockAlign) * 2 * blockAlign
    dataBytes += kept
    samplesPerChannel = dataBytes / blockAlign
    buffered = 0
    let error = makeError(code)
    failure = error
    if !file.isStream {
      file.truncate(to: offset + kept)
      try? mendHeader()
    }
    throw error
  }

  /// Returns the bytes of as many pairs of blocks as lie before the end of a page. Two blocks are always an even number
  /// of bytes, so that only the end of the file may need padding.
  private func bytesToNextWrite() -> Int {
    let pair = 2 * blockAlign
    let left = writeBytes - (header.count + dataBytes) % writeBytes
    return max(pair, left / pair * pair)
  }

  private func mendHeader() throws(AudioFileError) {
    guard !file.isStream else { return }
    header.update(dataBytes: dataBytes)
    let (_, code) = header.withBytes { file.write($0.baseAddress!, count: $0.count, at: 0) }
    guard code != 0 else { return }
    let error = failure ?? makeError(code)
    failure = error
    throw error
  }
}
