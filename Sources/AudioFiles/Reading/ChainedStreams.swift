/// Search for a second stream behind the one that was read, as in joined files. The libraries read the first.
///
/// Source: RFC 3533 (Ogg), RFC 9639 (FLAC), ISO 11172-3 with the headers of Xing and LAME.
enum ChainedStreams {
  /// Bytes that the decoder of FLAC may have read beyond its last frame, and more.
  private static let searched = 64 * 1024

  /// Returns whether a stream follows the first one of a file. Call once its library has come to its end.
  static func follow(in input: InputDescriptor, _ container: AudioContainer) -> Bool {
    switch container {
    case .mp3: MP3Length(of: input)?.end.map { isMPEG(input.bytes($0..<$0 + 10)) } ?? false
    case .ogg, .opus: secondOggStream(in: input) != nil
    case .flac: secondOggStream(in: input) != nil || isFLAC(behind: input)
    case .wav, .aiff, .au, .caf, .w64, .raw: false
    }
  }

  /// Returns the place of the first page that begins a stream behind a page that does not; nil if there is none.
  static func secondOggStream(in input: InputDescriptor) -> Int? {
    var (place, isBehindBeginnings) = (0, false)
    while let page = OggPage(input.bytes(place..<place + OggPage.longestHeader)) {
      if page.begins, isBehindBeginnings { return place }
      isBehindBeginnings = isBehindBeginnings || !page.begins
      place += page.byteCount
    }
    return nil
  }

  /// Returns whether a FLAC marker stands near the library's last position, with the block that is always first, which
  /// has 34 bytes.
  private static func isFLAC(behind input: InputDescriptor) -> Bool {
    let bytes = input.bytes(max(4, input.position - searched)..<input.position + searched)
    return bytes.indices.dropLast(7).contains { place in
      bytes[place..<place + 4].elementsEqual("fLaC".utf8) && bytes[place + 4] & 0x7F == 0
        && bytes[place + 5..<place + 8].elementsEqual([0, 0, 34])
    }
  }

  private static func isMPEG(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 10 else { return false }
    return bytes.starts(with: "ID3".utf8) || bytes[0] == 0xFF && bytes[1] & 0xE6 == 0xE2
  }
}
