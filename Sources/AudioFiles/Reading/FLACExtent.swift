/// End of the sound of a FLAC file, whatever its header says. The library reads only as far as the header says.
///
/// Source: RFC 9639, sections 8.2 and 9.1.
enum FLACExtent {
  /// Bytes from the end in which the header of the last frame is searched for; more than the frames in use have.
  private static let searched = 256 * 1024

  /// Returns the samples of each channel up to the end of the last frame; nil if no frame is found.
  static func sampleCount(_ input: InputDescriptor) -> Int? {
    guard let fileSize = input.fileSize else { return nil }
    let info = input.bytes(8..<12)
    guard input.bytes(0..<4).elementsEqual("fLaC".utf8), info.count == 4 else { return nil }
    let blockSize = Int(info[2]) << 8 | Int(info[3])
    let tail = input.bytes(max(42, fileSize - searched)..<fileSize)
    return tail.indices.dropLast(16).reversed().lazy.compactMap { place in
      end(ofFrame: tail[place..<place + 16], blockSize: blockSize)
    }.first
  }

  /// Returns the number of the first sample behind a frame; nil if no frame begins there.
  private static func end(ofFrame bytes: ArraySlice<UInt8>, blockSize: Int) -> Int? {
    let base = bytes.startIndex
    // The marker, and whether frames or samples are counted.
    guard bytes[base] == 0xFF, bytes[base + 1] & 0xFE == 0xF8 else { return nil }
    let (sizeCode, rateCode) = (bytes[base + 2] >> 4, bytes[base + 2] & 0x0F)
    guard sizeCode > 0, rateCode < 15, bytes[base + 3] & 1 == 0, bytes[base + 3] >> 4 < 11 else { return nil }
    guard let (number, length) = codedNumber(bytes[(base + 4)...]) else { return nil }
    let extra = (sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0) + (rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0)
    let end = base + 4 + length + extra
    guard end < bytes.endIndex, checksum(bytes[base..<end]) == bytes[end] else { return nil }
    let stored = bytes[(end - (rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0) - (sizeCode == 6 ? 1 : 2))...]
    let frameSize: Int =
      switch sizeCode {
      case 1: 192
      case 2...5: 576 << Int(sizeCode - 2)
      case 6: Int(stored.first!) + 1
      case 7: Int(stored.first!) << 8 + Int(stored.dropFirst().first!) + 1
      default: 256 << Int(sizeCode - 8)
      }
    return (bytes[base + 1] & 1 == 1 ? number : number * blockSize) + frameSize
  }

  /// Returns a number that is coded as in UTF-8, and its length in bytes.
  private static func codedNumber(_ bytes: ArraySlice<UInt8>) -> (number: Int, length: Int)? {
    guard let first = bytes.first else { return nil }
    let length = (~first).leadingZeroBitCount
    guard length != 1, length <= 7 else { return nil }
    if length == 0 { return (Int(first), 1) }
    var number = length == 7 ? 0 : Int(first & (0x7F >> UInt8(length)))
    for byte in bytes.dropFirst().prefix(length - 1) {
      guard byte & 0xC0 == 0x80 else { return nil }
      number = number << 6 | Int(byte & 0x3F)
    }
    return (number, length)
  }

  /// Returns the CRC-8 of a frame's header, x^8 + x^2 + x + 1.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { crc, _ in crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
    }
  }
}
