import AudioGraph

/// The `bext` chunk of a WAV file, which places its first sample in time.
///
/// Source: EBU Tech 3285, version 1. Dates and times are UTC.
enum BroadcastChunk {
  /// Returns the whole chunk.
  ///
  /// - Parameters:
  ///   - first: First sample of the file.
  ///   - format: Sample rate and channels of the file.
  ///   - sampleFormat: Stored format of the samples.
  static func bytes(_ first: FirstSample, format: AudioFormat, sampleFormat: SampleFormat) -> [UInt8] {
    let rate = format.sampleRate
    let samples = first.time.secondOfDay * rate + (first.time.nanosecond * rate + 500_000_000) / 1_000_000_000
    let mode = format.channelCount == 1 ? "mono" : format.channelCount == 2 ? "stereo" : "multi"
    let history = "A=PCM,F=\(rate),W=\(sampleFormat.bitDepth),M=\(mode)\r\n"
    let content =
      text(first.sentence, 256) + text("audiopipe", 32) + text("", 32) + text(first.time.date, 10)
      + text(first.time.timeOfDay, 8) + UInt64(samples).littleEndianBytes + UInt16(1).littleEndianBytes
      + text("", 64 + 190) + Array(history.utf8) + (history.utf8.count % 2 == 1 ? [0] : [])
    return FourCC(stringLiteral: "bext").value.littleEndianBytes + UInt32(content.count).littleEndianBytes + content
  }

  /// Returns ASCII text that fills `count` bytes.
  private static func text(_ text: String, _ count: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(count))
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }
}
