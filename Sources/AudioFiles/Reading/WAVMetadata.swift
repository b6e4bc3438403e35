/// Chunks of a WAV file beside its sound: tags, and those that no output keeps.
struct WAVMetadata {
  private(set) var tags = AudioTags()
  /// Names of chunks that describe the sound and are not kept, each once.
  private(set) var dropped: [String] = []

  private static let longestList = 1 << 20
  private static let notKept = ["bext", "cue ", "smpl", "iXML", "cart", "axml", "chna"]

  /// Searches the chunks of a regular file; those of a pipe stay unknown.
  init(_ input: InputDescriptor, isBigEndian: Bool) {
    guard let fileSize = input.fileSize else { return }
    var offset = input.start + 12
    for _ in 0..<WAVHeaderParser.maximumChunks where offset + 8 <= fileSize {
      let header = input.bytes(offset..<offset + 8)
      guard header.count == 8 else { return }
      let size = Int(header.span.uint32(at: 4, isBigEndian: isBigEndian))
      // Behind sound of unknown length or of more than 4 GiB no chunk is searched for.
      guard size <= fileSize - offset - 8 else { return }
      let name = String(decoding: header[..<4], as: UTF8.self)
      if name == "LIST", size <= Self.longestList {
        InfoChunk.read(input.bytes(offset + 8..<offset + 8 + size), isBigEndian: isBigEndian, into: &tags)
      }
      if Self.notKept.contains(name) {
        let shown = name.filter { $0 != " " }
        if !dropped.contains(shown) { dropped.append(shown) }
      }
      offset += 8 + size + size % 2
    }
  }
}
