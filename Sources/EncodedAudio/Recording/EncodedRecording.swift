/// Recording of a channel: a file of packets for each user, all on one time line.
///
///     packet of user 5 ─▶ track 5 ─▶ FOLDER/5.opus
///
/// A user that comes later has a gap before its first packet, and one that comes back continues its file. A file that
/// cannot be written ends alone, with an error in `failures`.
///
/// Thread: one at a time.
package final class EncodedRecording {
  /// Files that could not be written, in the order of their failures.
  package private(set) var failures: [EncodedFileError] = []
  private let folder: String
  private let comments: [String]
  private let startNanoseconds: Int
  private var random: any RandomNumberGenerator
  private var tracks: [UInt32: EncodedTrack] = [:]
  private var failedUsers: Set<UInt32> = []
  /// Results of the tracks that have ended.
  private var ended: [EncodedFileResult] = []
  private var nextSweep: Int

  /// Time between two looks for packets that have waited long enough, in nanoseconds.
  private static let sweepNanoseconds = 100_000_000

  /// Begins a recording without files.
  ///
  /// - Parameters:
  ///   - folder: Folder of the files, which exists.
  ///   - comments: Comments of the files, of the form `NAME=VALUE`.
  ///   - now: Present time, the beginning of all files.
  ///   - random: Source of the files' serial numbers.
  package init(
    in folder: String, comments: [String] = [], nowNanoseconds now: Int,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.folder = folder
    self.comments = comments
    self.random = random
    startNanoseconds = now
    nextSweep = now + Self.sweepNanoseconds
  }

  /// Adds a packet to the file of its user.
  package func append(_ packet: EncodedPacket, of uid: UInt32) {
    guard !failedUsers.contains(uid) else { return }
    do throws(EncodedFileError) {
      if let track = tracks[uid] { return try track.append(packet) }
      let track = try EncodedTrack(
        uid, in: folder, serial: random.next(), comments: comments, startNanoseconds: startNanoseconds)
      tracks[uid] = track
      try track.append(packet)
    } catch {
      fail(uid, error)
    }
  }

  /// Time of the next `poll`; `Int.max` without files.
  package var nextDeadlineNanoseconds: Int { tracks.isEmpty ? .max : nextSweep }

  /// Writes the packets that have waited for a second.
  package func poll(nowNanoseconds now: Int) {
    guard now >= nextSweep else { return }
    nextSweep = now + Self.sweepNanoseconds
    for (uid, track) in tracks {
      do throws(EncodedFileError) { try track.flush(now) } catch { fail(uid, error) }
    }
  }

  /// Ends all files.
  ///
  /// - Returns: The files, and those that failed.
  package func finish() -> EncodedRecordingResult {
    for (uid, track) in tracks {
      do throws(EncodedFileError) { try track.finish() } catch { fail(uid, error) }
    }
    ended += tracks.values.map(EncodedFileResult.init)
    tracks = [:]
    return EncodedRecordingResult(files: ended.sorted { $0.uid < $1.uid }, failures: failures)
  }

  private func fail(_ uid: UInt32, _ error: EncodedFileError) {
    failures.append(error)
    failedUsers.insert(uid)
    if let track = tracks.removeValue(forKey: uid) { ended.append(EncodedFileResult(track)) }
  }
}
