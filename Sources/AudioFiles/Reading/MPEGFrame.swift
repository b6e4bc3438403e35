/// The header of a frame of MPEG audio, with a bit rate that it names.
///
/// Source: ISO 11172-3, 2.4.1.3 and 2.4.2.3; ISO 13818-3, 2.4.2.3; the lower rates of MPEG 2.5 are Fraunhofer's.
struct MPEGFrame {
  /// Bytes of a header.
  static let headerBytes = 4

  // kbit/s by the index of a bit rate from 1 on.
  private static let firstLayerOne = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
  private static let firstLayerTwo = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
  private static let firstLayerThree = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let laterLayerOne = [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
  private static let laterLayers = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

  /// Bytes of the header and of the frame behind it.
  let byteCount: Int
  /// Version, layer and sample rate, which all frames of a stream share.
  let kind: UInt16

  /// Creates the frame that begins with the first of four bytes; nil if none does.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= Self.headerBytes else { return nil }
    let (first, second, third) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1], bytes[bytes.startIndex + 2])
    let (version, layer) = (Int(second >> 3 & 3), 4 - Int(second >> 1 & 3))
    let (bitRateIndex, rateIndex) = (Int(third >> 4), Int(third >> 2 & 3))
    guard first == 0xFF, second & 0xE0 == 0xE0, version != 1, layer != 4, (1...14).contains(bitRateIndex),
      rateIndex != 3
    else { return nil }
    let isFirst = version == 3
    let table =
      switch layer {
      case 1: isFirst ? Self.firstLayerOne : Self.laterLayerOne
      case 2: isFirst ? Self.firstLayerTwo : Self.laterLayers
      default: isFirst ? Self.firstLayerThree : Self.laterLayers
      }
    let bitRate = table[bitRateIndex - 1] * 1_000
    let sampleRate = [44_100, 48_000, 32_000][rateIndex] / (isFirst ? 1 : version == 2 ? 2 : 4)
    let padding = Int(third >> 1 & 1)
    byteCount =
      switch layer {
      case 1: (12 * bitRate / sampleRate + padding) * 4
      case 2: 144 * bitRate / sampleRate + padding
      default: (isFirst ? 144 : 72) * bitRate / sampleRate + padding
      }
    kind = UInt16(second & 0x1E) << 8 | UInt16(third & 0x0C)
  }

  /// Returns the place of a file's first frame, behind a tag and zeros or junk; that of the first byte behind the tag
  /// if no stream is found.
  ///
  /// Source: ID3 2.4, section 3.1: a size of seven bits a byte, and a footer.
  static func first(of input: InputDescriptor) -> Int {
    let tag = input.bytes(0..<10)
    var place = 0
    if tag.count == 10, tag.starts(with: "ID3".utf8) {
      let hasFooter = tag[5] & 0x10 != 0
      place = (hasFooter ? 20 : 10) + tag[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    return place + (streamStart(in: input.bytes(place..<place + MPEGFile.searchedBytes)) ?? 0)
  }

  /// Returns the place of the first of three frames of a stream that follow each other; nil if there are none.
  static func streamStart(in bytes: [UInt8]) -> Int? {
    bytes.indices.first { place in
      guard bytes[place] == 0xFF, let first = MPEGFrame(bytes[place...].prefix(headerBytes)) else { return false }
      var next = place + first.byteCount
      for _ in 0..<2 {
        guard next < bytes.count, let frame = MPEGFrame(bytes[next...].prefix(headerBytes)), frame.kind == first.kind
        else { return false }
        next += frame.byteCount
      }
      return true
    }
  }
}
