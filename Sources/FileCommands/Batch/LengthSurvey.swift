import AudioFiles
import AudioGraph
import BatchProcessing
import CommandLineKit
import FrameObservers
import Glibc
import OfflineProcessing
import Platform

/// Finds the lengths of a manifest's files: in the manifest, else as measured before, else in the files' headers, else
/// by their sizes.
struct LengthSurvey: Sendable {
  /// Bytes per second of a file without a header: 16 kHz, 16 bits, mono.
  private static let bytesPerSecond = 32_000.0

  let manifest: Manifest
  let shared: SharedLengths
  let workerCount: Int

  /// Returns the length of each row in milliseconds.
  ///
  /// - Parameter keeps: whether measured lengths are kept for other workers.
  /// - Throws: as `SharedLengths.keep` and `Manifest.row`.
  func lengths(keeps: Bool) throws -> [UInt32] {
    let known = manifest.durations
    guard known.contains(Manifest.unknown) else { return known }
    if let lengths = shared.read() { return lengths }
    let state = Guarded<(lengths: [UInt32], failure: CommandFailure?)>((known, nil))
    let pool = WorkerPool(
      count: known.count, workerCount: workerCount,
      shouldStop: { InterruptHandler.pending != nil || state.withLock { $0.failure != nil } },
      work: { position in
        guard known[position] == Manifest.unknown else { return }
        do throws(CommandFailure) {
          let length = Self.milliseconds(try manifest.row(position), manifest)
          state.withLock { $0.lengths[position] = length }
        } catch {
          state.withLock { $0.failure = error }
        }
      })
    _ = pool.run()
    let (lengths, failure) = state.withLock { $0 }
    if let failure { throw failure }
    guard keeps, InterruptHandler.pending == nil else { return lengths }
    return try shared.keep(lengths)
  }

  private static func milliseconds(_ row: ManifestRow, _ manifest: Manifest) -> UInt32 {
    let path = manifest.resolved(row.path)
    var seconds = 0.0
    if let info = try? AudioFileInfo(path: path), let count = info.samplesPerChannel {
      seconds = Double(count) / Double(info.format.sampleRate) - (row.start ?? 0)
    } else {
      var status = stat()
      if stat(path, &status) == 0 { seconds = Double(status.st_size) / bytesPerSecond }
    }
    return UInt32(min(max(0, seconds) * 1_000, Double(UInt32.max - 1)))
  }
}
