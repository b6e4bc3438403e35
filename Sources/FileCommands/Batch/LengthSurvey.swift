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

  /// Lengths of all rows.
  struct Lengths {
    /// Length of each row in milliseconds.
    var milliseconds: [UInt32]
    /// Number of rows whose file is not there, as far as files were looked for.
    var missingCount = 0
    /// Path of such a row.
    var missingPath: String?
  }

  /// Returns the lengths of the rows.
  ///
  /// - Parameter keeps: whether measured lengths are kept for other workers.
  /// - Throws: as `SharedLengths.keep` and `Manifest.row`.
  func lengths(keeps: Bool) throws -> Lengths {
    let known = manifest.durations
    guard known.contains(Manifest.unknown) else { return Lengths(milliseconds: known) }
    if let lengths = shared.read() { return Lengths(milliseconds: lengths) }
    let state = Guarded<(lengths: Lengths, failure: BatchError?)>((Lengths(milliseconds: known), nil))
    let pool = WorkerPool(
      count: known.count, workerCount: workerCount,
      shouldStop: { InterruptHandler.pending != nil || state.withLock { $0.failure != nil } },
      work: { position in
        guard known[position] == Manifest.unknown else { return }
        do throws(BatchError) {
          let row = try manifest.row(position)
          let length = Self.milliseconds(row, manifest)
          state.withLock { state in
            state.lengths.milliseconds[position] = length ?? 0
            guard length == nil else { return }
            state.lengths.missingCount += 1
            state.lengths.missingPath = state.lengths.missingPath ?? row.path
          }
        } catch {
          state.withLock { $0.failure = error }
        }
      })
    _ = pool.run()
    var (lengths, failure) = state.withLock { $0 }
    if let failure { throw failure }
    guard keeps, InterruptHandler.pending == nil else { return lengths }
    lengths.milliseconds = try shared.keep(lengths.milliseconds)
    return lengths
  }

  /// Returns the length of a row's file; nil if it is not there.
  private static func milliseconds(_ row: ManifestRow, _ manifest: Manifest) -> UInt32? {
    let path = manifest.path(of: row)
    // The opening of a pipe waits for its writer.
    guard fileKind(of: path) == S_IFREG else { return nil }
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
