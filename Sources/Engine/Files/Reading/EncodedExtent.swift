/// Whether a file is whole, where the library that decodes it reads what there is without a word, or refuses it
/// altogether.
///
/// Source: AIFF 1.3, the AU header of NeXT and Sun, Sony Wave64, RFC 3533 (Ogg), Apple Core Audio Format 1.0, ID3 2.3.
enum EncodedExtent {
  /// Programs that cannot go back write such sizes, and larger ones, for want of knowing.
  private static let leastPlaceholder: UInt64 = 0x7F00_0000

  /// True where the file ends before it says it does. FLAC and MP3 show that by themselves, at their end; CAF see
  /// `shortSound`.
  static func isCutShort(_ input: InputDescriptor, _ container: AudioContainer) -> Bool {
    guard let fileSize = input.fileSize else { return false }
    func number(_ range: Range<Int>) -> UInt64 { bytes(of: input, range).reduce(0) { $0 << 8 | UInt64($1) } }
    switch container {
    case .aiff: return promises(number(4..<8), 8, than: fileSize)
    case .au: return promises(number(8..<12), number(4..<8), than: fileSize)
    case .w64:
      let size = bytes(of: input, 16..<24).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return size < 1 << 62 && size > UInt64(fileSize) + 7
    case .ogg, .opus: return OggPage.lacksLast(bytes(of: input, max(0, fileSize - 2 * OggPage.longest)..<fileSize))
    case .wav, .flac, .mp3, .caf, .raw: return false
    }
  }

  /// True for a file of Ogg in which another stream begins behind the first, as where files were joined. The library
  /// reads the first.
  static func isChained(_ input: InputDescriptor, _ container: AudioContainer) -> Bool {
    guard container == .ogg || container == .opus, let fileSize = input.fileSize else { return false }
    var (place, isBehindBeginnings) = (0, false)
    while place < fileSize, let page = OggPage(bytes(of: input, place..<place + OggPage.longestHeader)) {
      if page.begins, isBehindBeginnings { return true }
      isBehindBeginnings = isBehindBeginnings || !page.begins
      place += page.byteCount
    }
    return false
  }

  /// False for an MP3 file that does not say how much sound it has: its first frame has none of the headers that do,
  /// and the library takes the whole to be coded as densely as its beginning.
  static func isKnown(_ input: InputDescriptor, _ container: AudioContainer) -> Bool {
    guard container == .mp3 else { return true }
    let tag = bytes(of: input, 0..<10)
    // The size of what describes the music, before the sound, has seven bits a byte.
    let isTagged = tag.count == 10 && tag.starts(with: "ID3".utf8)
    let first = isTagged ? 10 + tag[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) } : 0
    let head = bytes(of: input, first..<first + 4_096)
    return ["Xing", "Info", "VBRI"].contains { mark in
      head.indices.dropLast(4).contains { head[$0..<$0 + 4].elementsEqual(mark.utf8) }
    }
  }

  /// What has to stand in a CAF file whose sound is shorter than it says for its size: the library would read none of
  /// it.
  static func shortSound(_ input: InputDescriptor) -> SndFile.Patch? {
    guard let fileSize = input.fileSize else { return nil }
    // Behind the file header stand chunks, each with a name of 4 and a size of 8 bytes.
    var offset = 8
    for _ in 0..<64 {
      let header = bytes(of: input, offset..<offset + 12)
      guard header.count == 12 else { return nil }
      let size = header[4...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      let body = offset + 12
      // -1: to the end of the file.
      guard size >= 0 else { return nil }
      let (end, isBeyond) = body.addingReportingOverflow(Int(size))
      if header[..<4].elementsEqual("data".utf8) {
        guard isBeyond || end > fileSize else { return nil }
        let present = UInt64(fileSize - body)
        let size = (0..<8).map { UInt8(truncatingIfNeeded: present >> (56 - 8 * UInt64($0))) }
        return SndFile.Patch(offset: offset + 4, bytes: size)
      }
      guard !isBeyond, end <= fileSize else { return nil }
      offset = end
    }
    return nil
  }

  /// Whether a header promises more bytes than there are. The padding of the last chunk is often left away.
  private static func promises(_ size: UInt64, _ offset: UInt64, than fileSize: Int) -> Bool {
    size < leastPlaceholder && size + offset > UInt64(fileSize) + 1
  }

  private static func bytes(of input: InputDescriptor, _ range: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    // What cannot be read is told when the sound is.
    let got = (try? input.peek(&bytes, count: range.count, at: range.lowerBound)) ?? 0
    return Array(bytes[..<got])
  }
}
