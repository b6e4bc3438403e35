extension AudioTags {
  /// Names of the fields in Vorbis comments, in upper case; ffmpeg writes a comment as `DESCRIPTION`.
  private static let commentNames: [String: Field] = [
    "TITLE": .title, "ARTIST": .artist, "ALBUM": .album, "DATE": .date, "GENRE": .genre, "TRACKNUMBER": .track,
    "COMMENT": .comment, "DESCRIPTION": .comment, "COPYRIGHT": .copyright, "LICENSE": .license,
  ]

  /// Creates tags from the comments of an Ogg file, each of the form `NAME=text`. The first of a name counts.
  ///
  /// Source: Vorbis I, section 5.
  init(
    vorbisComments comments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    lengths: UnsafeMutablePointer<Int32>?, count: Int32
  ) {
    self.init()
    guard let comments, let lengths else { return }
    for index in 0..<Int(count) {
      guard let comment = comments[index] else { continue }
      let bytes = UnsafeRawBufferPointer(start: comment, count: Int(lengths[index]))
      guard let end = bytes.firstIndex(of: UInt8(ascii: "=")), end <= 16 else { continue }
      let name = String(decoding: bytes[..<end].map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }, as: UTF8.self)
      guard let field = Self.commentNames[name], self[field] == nil else { continue }
      self[field] = String(decoding: bytes[(end + 1)...], as: UTF8.self)
    }
  }
}
