import RTP

/// Packets of one user on the time line of a recording, and their file.
///
///     packet ─▶ position ─▶ OggOpusWriter ─▶ pages ─▶ UID.opus
///
/// All tracks of a recording begin at the same moment. A packet's position follows its timestamp. At the first packet
/// and behind a restart of the sender, with other timestamps, it follows the time of arrival.
///
/// Thread: one at a time.
final class EncodedTrack {
  let uid: UInt32
  private let file: EncodedFile
  private var writer: OggOpusWriter
  /// Position of timestamp 0.
  private var origin = 0
  private let startNanoseconds: Int
  /// Time of the next flush; `Int.max` without packets that wait.
  private(set) var flushNanoseconds = Int.max

  /// Arrival of the newest packet, in nanoseconds.
  private var newestNanoseconds = Int.max

  /// Time without packets after which the file is closed, in nanoseconds.
  private static let idleNanoseconds = 5_000_000_000
  /// Longest time for which a packet waits for its page, in nanoseconds.
  private static let longestWait = 1_000_000_000

  init(
    _ uid: UInt32, in folder: String, serial: UInt32, comments: [String], startNanoseconds: Int
  ) throws(EncodedFileError) {
    self.uid = uid
    self.startNanoseconds = startNanoseconds
    file = try EncodedFile(in: folder, name: "\(uid)")
    writer = OggOpusWriter(serial: serial, comments: comments)
  }

  var path: String { file.path }
  var sampleCount: Int { writer.sampleCount }
  var gapSampleCount: Int { writer.gapSampleCount }
  var packetCount: Int { writer.packetCount }

  /// Adds a packet.
  func append(_ packet: EncodedPacket) throws(EncodedFileError) {
    newestNanoseconds = packet.arrivalNanoseconds
    if packet.isRestart {
      let elapsed = (packet.arrivalNanoseconds - startNanoseconds) * 6 / 125_000
      let position = max(0, elapsed - packet.samplesPerChannel)
      // Whole frames of 2.5 ms from the end of the track on.
      let gap = max(0, position - writer.sampleCount) / OpusGap.shortestFrame * OpusGap.shortestFrame
      origin = writer.sampleCount + gap - packet.timestamp
    }
    writer.append(packet.payload, at: origin + packet.timestamp)
    if packet.isStereo, !writer.isStereo {
      // The header must be in the file before it can be replaced.
      try file.write(writer.takePages())
      try file.replaceHead(writer.makeStereoHeader())
    }
    let pages = writer.takePages()
    if !pages.isEmpty {
      flushNanoseconds = .max
      try file.write(pages)
    }
    if flushNanoseconds == .max, writer.hasPending { flushNanoseconds = packet.arrivalNanoseconds + Self.longestWait }
  }

  /// Writes the packets that have waited for a second, and closes the file of a user that is silent.
  func flush(_ now: Int) throws(EncodedFileError) {
    if newestNanoseconds < now - Self.idleNanoseconds {
      newestNanoseconds = .max
      if flushNanoseconds == .max { file.rest() }
    }
    guard now >= flushNanoseconds else { return }
    flushNanoseconds = .max
    writer.flush()
    try file.write(writer.takePages())
  }

  /// Ends the file.
  func finish() throws(EncodedFileError) {
    flushNanoseconds = .max
    writer.finish()
    try file.write(writer.takePages())
  }
}
