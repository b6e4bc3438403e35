import Testing

/// WAV files for tests, made and taken apart by hand, byte by byte.
package struct Wave {
  /// The format's name as `--sample-format` has it.
  package var format: String
  package var rate: Int
  package var channels: Int
  /// The stored samples.
  package var data: [UInt8]

  /// Bytes of one sample.
  package var width: Int { Self.width(format) }
  package var frames: Int { data.count / (width * channels) }

  package static func width(_ format: String) -> Int { Int(format.dropFirst())! / 8 }

  /// The file; sizes can be made to lie.
  package func file(fmtSize: Int = 16, dataSize: UInt32? = nil, tag: UInt16? = nil, withData: Bool = true) -> [UInt8] {
    let isFloat = format.hasPrefix("f")
    let kind = tag ?? (isFloat ? 3 : 1)
    var fmt = Self.bytes(fmtSize == 40 ? 0xFFFE : kind) + Self.bytes(UInt16(channels)) + Self.bytes(UInt32(rate))
    fmt += Self.bytes(UInt32(truncatingIfNeeded: rate * channels * width))
    fmt += Self.bytes(UInt16(truncatingIfNeeded: channels * width)) + Self.bytes(UInt16(width * 8))
    if fmtSize == 18 { fmt += Self.bytes(UInt16(0)) }
    if fmtSize == 40 {
      fmt += Self.bytes(UInt16(22)) + Self.bytes(UInt16(width * 8)) + Self.bytes(UInt32(channels == 1 ? 4 : 3))
      // KSDATAFORMAT_SUBTYPE_PCM and _IEEE_FLOAT.
      fmt += Self.bytes(kind) + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    var chunks = Array("WAVEfmt ".utf8) + Self.bytes(UInt32(fmt.count)) + fmt
    if withData {
      chunks += Array("data".utf8) + Self.bytes(dataSize ?? UInt32(data.count)) + data
      if data.count % 2 == 1 { chunks.append(0) }
    }
    let riffSize = dataSize == 0xFFFF_FFFF ? 0xFFFF_FFFF : UInt32(chunks.count)
    return Array("RIFF".utf8) + Self.bytes(riffSize) + chunks
  }

  /// Takes a file apart; nil where a size promises more than is there, or a chunk is missing.
  package init?(_ file: [UInt8]) {
    guard file.count >= 12, file[0..<4].elementsEqual("RIFF".utf8), file[8..<12].elementsEqual("WAVE".utf8) else {
      return nil
    }
    guard Self.number(file, 4, 4) + 8 <= file.count else { return nil }
    var offset = 12
    var found: Wave?
    while offset + 8 <= file.count {
      let size = Self.number(file, offset + 4, 4)
      let body = offset + 8
      guard body + size <= file.count else { return nil }
      if file[offset..<offset + 4].elementsEqual("fmt ".utf8) {
        var tag = Self.number(file, body, 2)
        if tag == 0xFFFE { tag = Self.number(file, body + 24, 2) }
        let bits = Self.number(file, body + 14, 2)
        found = Wave(
          format: (tag == 3 ? "f" : bits == 8 ? "u" : "s") + "\(bits)", rate: Self.number(file, body + 4, 4),
          channels: Self.number(file, body + 2, 2), data: [])
      } else if file[offset..<offset + 4].elementsEqual("data".utf8) {
        guard var wave = found else { return nil }
        wave.data = Array(file[body..<body + size])
        self = wave
        return
      }
      offset = body + size + size % 2
    }
    return nil
  }

  package init(format: String, rate: Int, channels: Int, data: [UInt8]) {
    self.format = format
    self.rate = rate
    self.channels = channels
    self.data = data
  }

  /// 16-bit samples, interleaved.
  package init(rate: Int, channels: Int = 1, _ samples: [Int16]) {
    self.init(
      format: "s16", rate: rate, channels: channels, data: samples.flatMap { Self.bytes(UInt16(bitPattern: $0)) })
  }

  /// Reads the samples of a 16-bit file; keep the result, each call reads them anew.
  package func int16() -> [Int] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { Int(bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) }
    }
  }

  package static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  package static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    var number = 0
    for index in 0..<count { number |= Int(bytes[offset + index]) << (8 * index) }
    return number
  }
}
