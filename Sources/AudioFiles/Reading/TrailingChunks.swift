/// Chunks behind the sound of a WAV file. They show the meaning of a data chunk of size 0: an empty one with other
/// chunks behind it, or one from a writer that did not know its length.
enum TrailingChunks {
  /// Names of the chunks that can follow the sound in WAV files.
  ///
  /// Source: Multimedia Programming Interface 1.0 (RIFF), EBU Tech 3285 (bext, and its supplements), AES46 (cart),
  /// ITU-R BS.2088.
  private static let names: [FourCC] = [
    "LIST", "id3 ", "ID3 ", "cue ", "plst", "smpl", "inst", "fact", "PEAK", "bext", "iXML", "_PMX", "cart", "chna",
    "axml", "bxml", "umid", "levl", "link", "qlty", "mext", "acid", "strc", "DISP", "JUNK", "junk", "PAD ", "FLLR",
    "afsp",
  ]

  /// Returns whether chunks follow the header that was just read.
  ///
  /// A pipe gives its next eight bytes only if RIFF's size says that there are some, so the call waits for nothing
  /// else.
  static func follow(_ header: WAVHeader, in input: InputDescriptor) throws(AudioFileError) -> Bool {
    guard !input.isSeekable else { return fillFile(input, header) }
    let offset = UInt64(header.dataOffset)
    guard let end = header.declaredFileBytes, end >= offset + 8 else { return false }
    return try begin(input, left: end - offset, isBigEndian: header.isBigEndian)
  }

  /// Returns whether the next eight bytes of a pipe begin a chunk that fits into the `left` bytes of the file. The
  /// bytes stay to be read.
  private static func begin(_ input: InputDescriptor, left: UInt64, isBigEndian: Bool) throws(AudioFileError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 8)
    let got = try input.readAll(&bytes, count: 8)
    input.putBack(bytes[..<got])
    guard got == 8, names.contains(bytes.span.fourCC(at: 0)) else { return false }
    let size = UInt64(bytes.span.uint32(at: 4, isBigEndian: isBigEndian))
    let whole = 8 + size + size % 2
    // The padding of the last chunk is often missing, and the bytes left over have a header of their own.
    return whole == left || whole == left + 1 && size % 2 == 1 || whole + 8 <= left
  }

  /// Returns whether whole chunks, and nothing else, stand between a header and the end of a file.
  private static func fillFile(_ input: InputDescriptor, _ header: WAVHeader) -> Bool {
    guard let fileSize = input.fileSize else { return false }
    let end = walk(input, from: input.start + header.dataOffset, isBigEndian: header.isBigEndian) { _, _ in }
    // The padding of the last chunk is often missing.
    return end == fileSize || end == fileSize + 1
  }

  /// Returns a sentence about possible sound behind the chunk that `header` ends with, which is left out. Nil if there
  /// is none, or if that is uncertain, as behind an empty chunk that others do not `follow`.
  static func leftOut(behind header: WAVHeader, in input: InputDescriptor, isFollowed: Bool) -> String? {
    guard let declared = header.declaredDataBytes, declared > 0 || isFollowed, let fileSize = input.fileSize else {
      return nil
    }
    let begin = input.start + header.dataOffset
    guard declared <= UInt64(max(0, fileSize - begin)) else { return nil }
    var found: Int?
    // The padding of a chunk is missing at times.
    let end = (declared...declared + declared % 2).map { size in
      walk(input, from: begin + Int(size), isBigEndian: header.isBigEndian) { name, size in
        if found == nil, name == "data", size > 0 { found = size }
      }
    }.max()!
    if let found {
      return "a second data chunk, of \(found) bytes, is left out: "
        + "a WAV file has one; if its sound is wanted, take it out by hand"
    }
    // Bytes beyond the size of RIFF do not belong to the WAV: a tag of MP3's, or the filling of a disk.
    guard let whole = header.declaredFileBytes else { return nil }
    let rest = min(fileSize, input.start + Int(clamping: whole)) - end
    return rest < 8
      ? nil
      : "\(rest) bytes behind the sound are not chunks and left out: the data chunk's size may be too small; if they are "
        + "sound, mend that size, or read all with --raw"
  }

  /// Calls `body` with name and size of the chunks from `offset` on.
  ///
  /// - Returns: Offset of the end of the chunks, or of the first bytes that do not begin a chunk.
  private static func walk(
    _ input: InputDescriptor, from offset: Int, isBigEndian: Bool, _ body: (FourCC, Int) -> Void
  ) -> Int {
    var offset = offset
    var header = [UInt8](repeating: 0, count: 8)
    for _ in 0..<WAVHeaderParser.maximumChunks where offset < input.fileSize ?? 0 {
      // Reading the sound reports read errors.
      let got = (try? input.peek(&header, count: 8, at: offset)) ?? 0
      guard got == 8, header[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { break }
      let size = Int(header.span.uint32(at: 4, isBigEndian: isBigEndian))
      body(header.span.fourCC(at: 0), size)
      offset += 8 + size + size % 2
    }
    return offset
  }
}
