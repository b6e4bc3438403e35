import AudioGraph

/// The `bext` chunk of a WAV file, which places its first sample in time.
///
/// Source: EBU Tech 3285, version 1. Dates and times are UTC.
enum BroadcastChunk {
  private static let descriptionCount = 256
  private static let dateOffset = 256 + 32 + 32
  private static let dateCount = 10
  private static let timeCount = 8

  /// Bytes of a chunk's content that are read.
  static let readCount = dateOffset + dateCount + timeCount

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
      text(first.sentence, descriptionCount) + text("audiopipe", 32) + text("", 32) + text(first.time.date, dateCount)
      + text(first.time.timeOfDay, timeCount) + UInt64(samples).littleEndianBytes + UInt16(1).littleEndianBytes
      + text("", 64 + 190) + Array(history.utf8) + (history.utf8.count % 2 == 1 ? [0] : [])
    return FourCC(stringLiteral: "bext").value.littleEndianBytes + UInt32(content.count).littleEndianBytes + content
  }

  /// Reads description and date of a chunk's content into tags that have none.
  static func read(_ content: [UInt8], into tags: inout AudioTags) {
    guard content.count >= readCount else { return }
    func text(_ range: Range<Int>) -> String? {
      String(validating: content[range].prefix { $0 != 0 }, as: UTF8.self)
    }
    let date = text(dateOffset..<dateOffset + dateCount) ?? ""
    let time = text(dateOffset + dateCount..<dateOffset + dateCount + timeCount) ?? ""
    if tags[.date] == nil, !date.isEmpty { tags[.date] = time.isEmpty ? date : "\(date)T\(time)" }
    if tags[.comment] == nil { tags[.comment] = text(0..<descriptionCount) }
  }

  /// Returns ASCII text that fills `count` bytes.
  private static func text(_ text: String, _ count: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(count))
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }
}
