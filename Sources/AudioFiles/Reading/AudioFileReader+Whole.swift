import AudioGraph

extension AudioFileReader {
  /// Default limit of `readAll`, in samples of all channels: 1 GiB of memory.
  public static let defaultSampleLimit = 1 << 28

  /// Reads the samples from `position` to the end into memory.
  ///
  /// - Parameter limit: Largest number of samples of all channels, of 4 bytes each.
  /// - Returns: The samples, with the reader's format and loudspeakers; no samples at the end of the file.
  /// - Throws: `tooLong` if the sound has more samples than the limit, known before the first is read if the length of
  ///   the file is known; the errors of `read`. The samples read until then are lost.
  public func readAll(limit: Int = AudioFileReader.defaultSampleLimit) throws(AudioFileError) -> AudioSamples {
    let channelCount = format.channelCount
    // The length that a pipe's header states is not reliable.
    let expected = isSeekable ? samplesPerChannel.map { max(0, $0 - position) } : nil
    guard expected ?? 0 <= limit / channelCount else { throw AudioFileError(.tooLong(limit: limit), path: path) }
    var planes = [[Float]](repeating: [], count: channelCount)
    for channel in planes.indices { planes[channel].reserveCapacity(expected ?? 0) }
    let block = 16_384
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: block * channelCount)
    defer { samples.deallocate() }
    while true {
      let count = try read(into: samples, stride: block, maximumCount: block)
      if count == 0 { break }
      guard planes[0].count + count <= limit / channelCount else {
        throw AudioFileError(.tooLong(limit: limit), path: path)
      }
      for channel in planes.indices {
        planes[channel].append(contentsOf: UnsafeBufferPointer(start: samples + channel * block, count: count))
      }
    }
    return AudioSamples(format: format, planes: planes, speakers: speakers)
  }
}
