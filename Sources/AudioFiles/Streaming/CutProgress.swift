import AudioGraph

/// How far a file's thread has come with the cuts of a file.
///
/// Thread: the file's.
struct CutProgress {
  private let cuts: FileCuts?
  /// Samples left out so far.
  private(set) var removedCount = 0
  /// Samples of the frame with which the present cut begins: they are faded into the frame behind it. 0 outside a cut.
  private var firstCount = 0

  init(_ cuts: FileCuts?) { self.cuts = cuts }

  /// Whether the newest frame is the first one in a cut.
  var isAtCut: Bool { firstCount > 0 }

  /// Returns whether a frame is left out: all but the first of a cut, which is kept to be faded into the sound behind.
  mutating func leavesOut(_ frame: Frame) -> Bool {
    guard let cuts else { return false }
    let isInCut = cuts.contains(frame.header.pointee.samplePosition)
    if isInCut, firstCount > 0 {
      removedCount += frame.samplesPerChannel
      return true
    }
    // The frame behind a cut takes the place of the first one in it.
    if !isInCut { removedCount += firstCount }
    firstCount = isInCut ? frame.samplesPerChannel : 0
    return false
  }
}
