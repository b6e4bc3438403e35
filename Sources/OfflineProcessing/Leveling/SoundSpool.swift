import AudioFiles
import AudioGraph
import Glibc
import Platform

/// A sound that is kept for further passes, in a file without a name.
///
/// The file is in `TMPDIR`, or else in /tmp, and has 4 bytes a sample. A sound of one block stays in memory.
///
/// Thread: one at a time.
final class SoundSpool {
  private static let framesPerBlock = 128

  /// Sample rate and channels.
  let format: AudioFormat
  /// Samples per channel in the spool.
  private(set) var samplesPerChannel = 0
  /// Samples per channel of a frame of 10 ms, rounded up.
  let frameLength: Int

  /// Offset of each channel that `read` subtracts.
  private var offsets: [Float]
  /// Sum of each channel's samples.
  private var sums: [Double]
  private let folder: String
  private let blockLength: Int
  /// The planes of one block.
  private let block: UnsafeMutablePointer<Float>
  private var blockIndex = 0
  private var descriptor: Int32 = -1

  /// Creates an empty spool.
  ///
  /// - Parameters:
  ///   - format: sample rate and channels.
  ///   - folder: folder of the file; nil for `TMPDIR`, or else /tmp.
  init(_ format: AudioFormat, folder: String? = nil) {
    self.format = format
    self.folder = folder ?? UnnamedFile.folder
    frameLength = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel
    blockLength = frameLength * Self.framesPerBlock
    offsets = [Float](repeating: 0, count: format.channelCount)
    sums = [Double](repeating: 0, count: format.channelCount)
    block = .allocate(capacity: blockLength * format.channelCount)
    block.initialize(repeating: 0, count: blockLength * format.channelCount)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    block.deallocate()
  }

  /// Appends `count` samples of each channel from planes that begin `stride` samples apart at `base`.
  ///
  /// - Throws: `spool` if the file cannot be made, or its disk is full.
  func append(_ base: UnsafePointer<Float>, stride: Int, count: Int) throws(AudioFileError) {
    var done = 0
    while done < count {
      let offset = samplesPerChannel - blockIndex * blockLength
      if offset == blockLength {
        try store()
        blockIndex += 1
        continue
      }
      let part = min(count - done, blockLength - offset)
      for channel in 0..<format.channelCount {
        copySamples(
          from: base + (channel * stride + done), to: block + (channel * blockLength + offset), count: part)
        var sum: Float = 0
        for index in done..<done + part { sum += base[channel * stride + index] }
        sums[channel] += Double(sum)
      }
      samplesPerChannel += part
      done += part
    }
  }

  /// Ends the sound; from here on it can be read.
  ///
  /// - Throws: as `append`.
  func seal() throws(AudioFileError) {
    if blockIndex > 0 { try store() }
  }

  /// Copies the frame at `position`, a multiple of `frameLength`; silence is behind the end.
  ///
  /// - Throws: `read` if the disk fails.
  func read(at position: Int, into frame: Frame) throws(AudioFileError) {
    let count = max(0, min(frameLength, samplesPerChannel - position))
    if count > 0 { try load(position / blockLength) }
    for channel in 0..<format.channelCount {
      let plane = frame.channel(channel)
      copySamples(from: block + (channel * blockLength + position % blockLength), to: plane, count: count)
      if offsets[channel] != 0 {
        for index in 0..<count { plane[index] -= offsets[channel] }
      }
      (plane + count).update(repeating: 0, count: frameLength - count)
    }
  }

  /// Subtracts the mean of each channel from here on, or nothing.
  ///
  /// - Returns: Largest of the means.
  @discardableResult
  func removeOffsets(_ isRemoved: Bool) -> Float {
    offsets = sums.map { isRemoved ? Float($0 / Double(max(1, samplesPerChannel))) : 0 }
    return offsets.reduce(0) { max($0, abs($1)) }
  }

  private var blockBytes: Int { blockLength * format.channelCount * MemoryLayout<Float>.stride }

  private func load(_ index: Int) throws(AudioFileError) {
    guard index != blockIndex else { return }
    try transfer(index) {
      pread(descriptor, $0, $1, $2)
    } failure: {
      .read($0 == 0 ? EIO : $0)
    }
    blockIndex = index
  }

  private func store() throws(AudioFileError) {
    if descriptor < 0 {
      descriptor = UnnamedFile.make(in: folder)
      guard descriptor >= 0 else { throw AudioFileError(.spool(errno, folder: folder), path: folder) }
    }
    try transfer(blockIndex) {
      pwrite(descriptor, $0, $1, $2)
    } failure: {
      .spool($0, folder: folder)
    }
  }

  private func transfer(
    _ index: Int, _ call: (UnsafeMutableRawPointer, Int, off_t) -> Int, failure: (Int32) -> AudioFileError.Reason
  ) throws(AudioFileError) {
    let bytes = UnsafeMutableRawPointer(block)
    var done = 0
    while done < blockBytes {
      errno = 0
      let count = call(bytes + done, blockBytes - done, off_t(index * blockBytes + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw AudioFileError(failure(errno), path: folder) }
      done += count
    }
  }
}
