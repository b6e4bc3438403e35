import RTP

/// An Ogg Opus stream of packets as they are: each at its position, and gaps filled so that every player keeps their
/// length.
///
///     writer.append(packet, at: position);  file.write(writer.takePages())
///
/// Pages are ready after a second of sound, and at `flush`. The last packet waits for the page that ends the stream.
///
/// A state machine: it writes no file. Thread: one at a time.
///
/// Source: RFC 7845.
public struct OggOpusWriter: Sendable {
  /// Samples that a player discards at the beginning: the lookahead of libopus, so that a position of the file is the
  /// position of the encoder's input.
  public static let preSkip = 312
  /// Samples of a gap from which on it has a packet of silence: 240 ms.
  private static let pauseSampleCount = 11_520
  /// Samples of such a gap before its silence, in which players conceal: 100 ms.
  private static let concealedSampleCount = 4_800
  /// Samples of a page.
  private static let pageSampleCount = 48_000
  /// Samples of 48 kHz that have been added, gaps included.
  public private(set) var sampleCount = 0
  /// Packets that have been added, without those of gaps.
  public private(set) var packetCount = 0
  /// Samples of the gaps.
  public private(set) var gapSampleCount = 0
  /// Whether the header says that the stream is stereo.
  public private(set) var isStereo = false
  private let serial: UInt32
  private let comments: [String]
  private var pages: [UInt8] = []
  private var page: OggPageWriter
  /// Samples up to the end of the last packet of `page`, and at its beginning.
  private var pageEnd = 0
  private var pageStart = 0
  /// Newest packet; it waits, since it may be the last one.
  private var newest: (bytes: [UInt8], end: Int)?
  private var hasHeader = false

  /// Creates a stream without packets.
  ///
  /// - Parameters:
  ///   - serial: Number of the stream.
  ///   - comments: Comments of the form `NAME=VALUE`.
  public init(serial: UInt32, comments: [String] = []) {
    self.serial = serial
    self.comments = comments
    // The first page names the channels, which the first packet shows.
    page = OggPageWriter(serial: serial, number: 1)
  }

  /// Adds a packet at a position, in samples of 48 kHz from the beginning of the stream.
  ///
  /// A gap before it is filled. Its length is a multiple of 2.5 ms; the rest up to the position is left out, and not
  /// forgotten: positions do not add up errors. A packet at a position before the end of the stream follows at once.
  ///
  /// - Returns: false for a payload that is not an Opus packet, which is left out.
  @discardableResult
  public mutating func append(_ payload: [UInt8], at position: Int) -> Bool {
    guard let format = payload.withUnsafeBytes({ try? OpusPayload(parsing: $0) }) else { return false }
    if !hasHeader {
      isStereo = format.isStereo
      writeHeader()
    }
    fill(to: position)
    add(payload, format.samplesPerChannel)
    packetCount += 1
    return true
  }

  /// Ends the page, so that the packets before the newest are in the file.
  public mutating func flush() { if !page.isEmpty { finishPage() } }

  /// Ends the stream. Nothing is written for a stream without packets.
  public mutating func finish() {
    guard let newest else { return }
    if !page.hasPlace(byteCount: newest.bytes.count) { finishPage() }
    page.append(newest.bytes)
    pageEnd = newest.end
    self.newest = nil
    pages += page.finish(granulePosition: pageEnd, ends: true)
  }

  /// Takes the pages that are ready.
  public mutating func takePages() -> [UInt8] {
    defer { pages.removeAll(keepingCapacity: true) }
    return pages
  }

  /// Whether packets wait for the end of their page.
  public var hasPending: Bool { !page.isEmpty }

  /// First page of a stream, which names its channels, in place of that of a mono stream.
  ///
  /// A stream may begin in mono and continue in stereo; players decode with the channels of the first page.
  public mutating func makeStereoHeader() -> [UInt8] {
    isStereo = true
    return Self.headPage(serial, channelCount: 2)
  }

  // MARK: Private

  /// Adds packets without sound up to a position.
  private mutating func fill(to position: Int) {
    let length = max(0, position - sampleCount) / OpusGap.shortestFrame * OpusGap.shortestFrame
    guard length > 0 else { return }
    gapSampleCount += length
    let gap = OpusGap(after: newest?.bytes)
    guard newest != nil, length >= Self.pauseSampleCount else { return fill(length, gap) }
    // Concealment would fade to noise as loud as the sound before, and stay there.
    fill(Self.concealedSampleCount, gap)
    add(gap.silence, OpusGap.silenceSampleCount)
    fill(length - Self.concealedSampleCount - OpusGap.silenceSampleCount, OpusGap(after: gap.silence))
  }

  private mutating func fill(_ length: Int, _ gap: OpusGap) {
    var rest = length
    while rest > 0 {
      let (bytes, count) = gap.nextPacket(of: rest)
      add(bytes, count)
      rest -= count
    }
  }

  private mutating func add(_ bytes: [UInt8], _ count: Int) {
    if let newest {
      if !page.hasPlace(byteCount: newest.bytes.count) { finishPage() }
      page.append(newest.bytes)
      pageEnd = newest.end
      if pageEnd - pageStart >= Self.pageSampleCount { finishPage() }
    }
    sampleCount += count
    newest = (bytes, sampleCount)
  }

  private mutating func finishPage() {
    pages += page.finish(granulePosition: pageEnd)
    pageStart = pageEnd
  }

  private mutating func writeHeader() {
    hasHeader = true
    pages += Self.headPage(serial, channelCount: isStereo ? 2 : 1)
    page.append(Self.tags(comments))
    pages += page.finish(granulePosition: 0)
  }

  private static func headPage(_ serial: UInt32, channelCount: UInt8) -> [UInt8] {
    var page = OggPageWriter(serial: serial)
    var head = Array("OpusHead".utf8) + [1, channelCount]
    head += OggPageWriter.bytes(UInt16(preSkip))
    head += OggPageWriter.bytes(UInt32(OpusRTP.clockRate))
    // No gain, and the channels of mapping family 0.
    head += [0, 0, 0]
    page.append(head)
    return page.finish(granulePosition: 0, begins: true)
  }

  private static func tags(_ comments: [String]) -> [UInt8] {
    func text(_ text: String) -> [UInt8] { OggPageWriter.bytes(UInt32(text.utf8.count)) + Array(text.utf8) }
    return Array("OpusTags".utf8) + text("audiopipe") + OggPageWriter.bytes(UInt32(comments.count))
      + comments.flatMap(text)
  }
}
