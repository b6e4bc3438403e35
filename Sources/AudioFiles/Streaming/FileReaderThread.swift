import AudioGraph
import Resampling
import Synchronization

/// The reader thread of a `FileSource`.
final class FileReaderThread: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `frames`, `silentCount`, `truncationFade`, `reader` and `file`, but for its `cancel`,
  // belong to the thread that runs, and to its owner once that has ended; the rest is atomic.
  let room = Doorbell()
  let end = Atomic<Int>(-1)
  /// Samples per channel of the file, at its own rate; stored before `end` is.
  let inputCount = Atomic<Int>(0)
  let isCancelled = Atomic<Bool>(false)
  let failure = Guarded<AudioFileError?>(nil)
  private let frames: RenderState<RingProducer<Frame>>
  /// Warnings about the file, complete once the ring is marked as finished.
  let warnings = Guarded<[AudioFileWarning]>([])
  private let reader: AudioFileReader
  private let file: ConvertingReader
  /// Reader beneath `file` that fades a sound that breaks off, and keeps the reason; nil without a fade.
  private let truncationFade: TruncationFade?
  private let schedule: FrameSchedule
  private let startPosition: Int
  private let sourceID: UInt32
  private let ready: Doorbell
  /// Samples per channel of silence before the file's first sample and behind its last.
  private var silentCount = 0

  init(
    _ reader: AudioFileReader, as file: ConvertingReader, frames: consuming RingProducer<Frame>, sampleRate: Int,
    startPosition: Int, sourceID: UInt32, ready: Doorbell, truncationFade: TruncationFade? = nil
  ) {
    self.truncationFade = truncationFade
    self.reader = reader
    self.file = file
    self.frames = RenderState(frames)
    self.startPosition = startPosition
    self.sourceID = sourceID
    self.ready = ready
    schedule = FrameSchedule(sampleRate: sampleRate)
  }

  /// Ends `run` soon, even if a pipe gives nothing. Thread: any.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    file.cancel()
    room.ring()
  }

  /// Fills the ring until the file ends.
  func run() {
    let frames = frames.pointer
    var index = 0
    // The ring is queried only when all slots known to be free are used: the tick writes to that cache line.
    var free = 0
    // The audio thread of a live graph does not ring: half of the ring is left after the wait.
    let longestWait = min(1_000, max(5, frames.pointee.capacity * 5))
    while !isCancelled.load(ordering: .acquiring) {
      if free == 0 { free = frames.pointee.freeCount }
      guard free > 0, let slot = frames.pointee.reserve() else {
        ready.ring()
        room.wait(atMostMilliseconds: longestWait)
        continue
      }
      let isLast = fill(slot.pointee, index: index)
      if isLast == nil { break }
      frames.pointee.commit(1)
      if isLast == true { break }
      free -= 1
      index += 1
    }
    warnings.withLock { $0 = reader.warnings }
    frames.pointee.finish()
    ready.ring()
  }

  /// Returns the ledgers of the samples: out of the file, and into `node`. Call it after the thread has ended and after
  /// the last tick.
  func edges(of name: String, into node: FrameSourceNode) -> [LedgerEdge] {
    let read = file.edge(named: "\(name): read")
    var ledger = Ledger()
    ledger.input = read.ledger.output
    ledger.output = node.renderedSampleCount
    ledger.held = node.heldSampleCount
    ledger.dropped = node.droppedSampleCount
    ledger.inserted[.pause] = silentCount + node.drainedSampleCount
    ledger.inserted[.underrun] = node.underrunSampleCount
    return [read, LedgerEdge("\(name): play", from: read.outputRate, to: read.outputRate, ledger)]
  }

  /// Fills one frame.
  ///
  /// - Returns: True for the file's last frame; nil when there was nothing left for a frame.
  private func fill(_ frame: Frame, index: Int) -> Bool? {
    let position = schedule.position(ofFrame: index)
    let count = schedule.samplesPerChannel(ofFrame: index)
    frame.header.pointee = FrameHeader(
      samplePosition: position, samplesPerChannel: count, sequenceNumber: index,
      captureTimeNanoseconds: index * 1_000_000_000 / FrameSchedule.framesPerSecond, sourceID: sourceID)
    frame.header.pointee.speakers = reader.speakers
    let silent = min(count, max(0, startPosition - position))
    for channel in 0..<frame.channelCount {
      for sample in 0..<silent { frame.channel(channel)[sample] = 0 }
    }
    var got = 0
    if silent < count {
      do {
        try file.read(
          into: frame.channel(0) + silent, stride: frame.planeStride, count: count - silent, filled: &got)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    silentCount += silent
    if silent + got == count { return false }
    if let error = truncationFade?.failure { failure.withLock { $0 = error } }
    inputCount.store(file.inputCount, ordering: .relaxed)
    // Published before the frame is: a reader that sees the frame's padding knows the file's end.
    end.store(max(startPosition, position + silent + got), ordering: .releasing)
    if silent + got == 0 { return nil }
    silentCount += count - silent - got
    for channel in 0..<frame.channelCount {
      for sample in (silent + got)..<count { frame.channel(channel)[sample] = 0 }
    }
    return true
  }
}
