/// Feeds any bytes to the WAV header check: it may refuse them, and must neither crash nor read beyond them, nor
/// promise samples that are not there.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWAVHeader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Span(_unsafeStart: start ?? UnsafePointer(bitPattern: 1)!, count: count)
  guard let header = try? WAVHeader.parse(bytes) else { return 0 }
  precondition(header.dataOffset <= count, "the sound begins behind the end")
  precondition((1...8).contains(header.channelCount) && (8_000...192_000).contains(header.sampleRate))
  precondition(header.blockAlign == header.channelCount * header.sampleFormat.bytesPerSample)
  precondition(header.validBits >= 1 && header.validBits <= header.sampleFormat.bitDepth)
  let available = count - header.dataOffset
  for isFollowedByChunks in [false, true] {
    if let extent = try? header.extent(available: available, isFollowedByChunks: isFollowedByChunks) {
      precondition(extent.samplesPerChannel! * header.blockAlign <= available, "more samples than bytes")
      _ = extent.doubt?.description
    }
  }
  if let samples = try? header.extent(available: nil).samplesPerChannel { precondition(samples >= 0) }
  return 0
}
