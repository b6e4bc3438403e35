/// Tells whether a data chunk of size 0 is an empty one with other chunks behind it, or a writer that did not know its
/// length.
enum TrailingChunks {
  /// The chunks that stand behind the sound in WAV files.
  ///
  /// Source: Multimedia Programming Interface 1.0 (RIFF), EBU Tech 3285 (bext, and its supplements), AES46 (cart),
  /// ITU-R BS.2088.
  private static let names: [FourCC] = [
    "LIST", "id3 ", "ID3 ", "cue ", "plst", "smpl", "inst", "fact", "PEAK", "bext", "iXML", "_PMX", "cart", "chna",
    "axml", "bxml", "umid", "levl", "link", "qlty", "mext", "acid", "strc", "DISP", "JUNK", "junk", "PAD ", "FLLR",
    "afsp",
  ]

  /// Whether chunks stand behind the header that was just read.
  ///
  /// A pipe gives its next eight bytes only where RIFF's size says that there are some: nothing else is waited for.
  static func follow(_ header: WAVHeader, in input: InputDescriptor) throws(AudioFileError) -> Bool {
    guard !input.isSeekable else { return fillFile(input, from: input.start + header.dataOffset) }
    let offset = UInt64(header.dataOffset)
    guard let end = header.declaredFileBytes, end >= offset + 8 else { return false }
    return try begin(input, left: end - offset)
  }

  /// Whether the next eight bytes of a pipe begin a chunk that fits into the `left` bytes of the file. They stay to be
  /// read.
  private static func begin(_ input: InputDescriptor, left: UInt64) throws(AudioFileError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 8)
    let got = try input.readAll(&bytes, count: 8)
    input.putBack(bytes[..<got])
    guard got == 8, names.contains(bytes.span.fourCC(at: 0)) else { return false }
    let size = UInt64(bytes.span.uint32(at: 4))
    let whole = 8 + size + size % 2
    // The padding of the last chunk is often left away, and what is left has a header of its own.
    return whole == left || whole == left + 1 && size % 2 == 1 || whole + 8 <= left
  }

  /// Whether whole chunks, and nothing else, stand between `offset` and the end of a file.
  private static func fillFile(_ input: InputDescriptor, from offset: Int) -> Bool {
    guard let fileSize = input.fileSize else { return false }
    var offset = offset
    var header = [UInt8](repeating: 0, count: 8)
    for _ in 0..<WAVHeaderParser.maximumChunks where offset < fileSize {
      // What cannot be read is told when the sound is.
      let got = (try? input.peek(&header, count: 8, at: offset)) ?? 0
      guard got == 8, header[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
      let size = Int(header.span.uint32(at: 4))
      offset += 8 + size + size % 2
    }
    // The padding of the last chunk is often left away.
    return offset == fileSize || offset == fileSize + 1
  }
}
