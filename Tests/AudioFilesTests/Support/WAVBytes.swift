/// Builds WAV files byte by byte, right or wrong, for tests.
struct WAVBytes {
  var riff = "RIFF"
  var riffSize: UInt32?
  var form = "WAVE"
  /// Chunks before the data, whole.
  var chunks: [[UInt8]] = []
  var dataSize: UInt32?
  var data: [UInt8] = []
  var tail: [UInt8] = []

  static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  static func chunk(_ name: String, _ payload: [UInt8], size: UInt32? = nil) -> [UInt8] {
    Array(name.utf8) + little(UInt64(size ?? UInt32(payload.count)), 4) + payload
      + [UInt8](repeating: 0, count: payload.count % 2)
  }

  /// A fmt chunk of 16, 18 or 40 bytes (or any other) with the fields as they come.
  static func format(
    tag: UInt16 = 1, channels: Int = 1, rate: Int = 48_000, bits: Int = 16, align: Int? = nil, size: Int = 16,
    validBits: Int? = nil, subTag: UInt16 = 1, mask: UInt32 = 0, guidFault: Bool = false
  ) -> [UInt8] {
    let block = align ?? channels * ((bits + 7) / 8)
    var payload = little(UInt64(tag), 2) + little(UInt64(channels), 2) + little(UInt64(rate), 4)
    payload += little(UInt64(rate * block), 4) + little(UInt64(block), 2) + little(UInt64(bits), 2)
    payload += little(22, 2) + little(UInt64(validBits ?? bits), 2) + little(UInt64(mask), 4)
    payload += little(UInt64(subTag), 2)
    payload += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, guidFault ? 0x72 : 0x71]
    if size == 18 { payload[16] = 0 }
    while payload.count < size { payload.append(0) }
    return chunk("fmt ", Array(payload.prefix(size)))
  }

  var bytes: [UInt8] {
    let body = Array(form.utf8) + chunks.flatMap { $0 } + WAVBytes.chunk("data", data, size: dataSize) + tail
    return Array(riff.utf8) + WAVBytes.little(UInt64(riffSize ?? UInt32(body.count)), 4) + body
  }
}
