/// Whether a file is whole, where the library that decodes it reads what there is without a word, or refuses it
/// altogether.
///
/// Source: AIFF 1.3, the AU header of NeXT and Sun, Sony Wave64, RFC 3533 (Ogg), Apple Core Audio Format 1.0, ID3 2.3.
enum EncodedExtent {
  /// The longest page of Ogg: a header, 255 lacing values and as many segments of 255 bytes.
  private static let longestPage = 27 + 255 + 255 * 255
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
    case .ogg, .opus: return lacksLastPage(bytes(of: input, max(0, fileSize - 2 * longestPage)..<fileSize))
    case .wav, .flac, .mp3, .caf, .raw: return false
    }
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

  /// Whether the last page that begins here ends beyond what there is, or does not say that it is its stream's last.
  private static func lacksLastPage(_ tail: [UInt8]) -> Bool {
    let mark = Array("OggS".utf8)
    guard tail.count >= 4, let page = (0...tail.count - 4).last(where: { tail[$0..<$0 + 4].elementsEqual(mark) }) else {
      return false
    }
    let table = page + 27
    guard table <= tail.count else { return true }
    let body = table + Int(tail[page + 26])
    guard body <= tail.count else { return true }
    let isLast = tail[page + 5] & 0x04 != 0
    return !isLast || body + tail[table..<body].reduce(0) { $0 + Int($1) } > tail.count
  }

  private static func bytes(of input: InputDescriptor, _ range: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    // What cannot be read is told when the sound is.
    let got = (try? input.peek(&bytes, count: range.count, at: range.lowerBound)) ?? 0
    return Array(bytes[..<got])
  }
}
