/// Builds the pages of one logical stream of Ogg.
///
///     "OggS" | version | flags | granule position 8 | serial 4 | number 4 | checksum 4 | count | lacing | packets
///
/// A page has whole packets only. Source: RFC 3533, section 6.
struct OggPageWriter {
  /// Segments of a page.
  private static let segmentCount = 255
  private let serial: UInt32
  private var number: UInt32
  private var lacing: [UInt8] = []
  private var body: [UInt8] = []

  /// - Parameters:
  ///   - serial: Number of the stream.
  ///   - number: Number of the first page.
  init(serial: UInt32, number: UInt32 = 0) {
    self.serial = serial
    self.number = number
  }

  /// Whether the page has no packet.
  var isEmpty: Bool { lacing.isEmpty }

  /// Whether a packet fits into the page.
  func hasPlace(byteCount: Int) -> Bool { lacing.count + byteCount / 255 + 1 <= Self.segmentCount }

  /// Adds a packet that fits.
  mutating func append(_ packet: [UInt8]) {
    precondition(hasPlace(byteCount: packet.count), "a page of Ogg has 255 segments")
    lacing += [UInt8](repeating: 255, count: packet.count / 255)
    lacing.append(UInt8(packet.count % 255))
    body += packet
  }

  /// Ends the page.
  ///
  /// - Parameters:
  ///   - granulePosition: Samples up to the end of the last packet.
  ///   - begins: Whether the page is the first of its stream.
  ///   - ends: Whether the page is the last of its stream.
  /// - Returns: The page; the next one has no packet.
  mutating func finish(granulePosition: Int, begins: Bool = false, ends: Bool = false) -> [UInt8] {
    var page = Array("OggS".utf8)
    page.reserveCapacity(27 + lacing.count + body.count)
    page.append(0)
    page.append((begins ? 2 : 0) | (ends ? 4 : 0))
    page += Self.bytes(UInt64(granulePosition))
    page += Self.bytes(serial)
    page += Self.bytes(number)
    page += [0, 0, 0, 0]
    page.append(UInt8(lacing.count))
    page += lacing
    page += body
    for (index, byte) in Self.bytes(OggChecksum.of(page)).enumerated() { page[22 + index] = byte }
    number += 1
    lacing.removeAll(keepingCapacity: true)
    body.removeAll(keepingCapacity: true)
    return page
  }

  static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
