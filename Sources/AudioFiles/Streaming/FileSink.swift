public import AudioGraph
import Synchronization

/// Writes the graph's frames to a file: the tick fills a ring, and a separate thread empties it.
///
///     audio thread   node ──ring──▶ cut to the stream ──▶ [rate] ──▶ file   writer thread
public final class FileSink: AudioSink {
  public let node: any AudioNode
  private let sink: FrameSinkNode
  private let fileRate: Int
  private let ring: FrameRing
  private let drain: FileWriterThread
  private let thread: BackgroundThread
  private let isFinished = Atomic<Bool>(false)

  /// Starts the writer's thread.
  ///
  /// - Parameters:
  ///   - writer: Writer of the file; handed over.
  ///   - sampleRate: The graph's rate, in Hz; converted if the writer's differs.
  ///   - capacity: Number of 10 ms frames that may wait.
  ///   - onRelease: Doorbell that rings when frames have been written.
  ///   - endPosition: End of the longest source, in samples of the graph; nil while that is not known.
  ///   - fileLength: Largest number of samples per channel of a converted file; called once all frames have come.
  public init(
    _ writer: any AudioFileWriter, sampleRate: Int, capacity: Int = 64, onRelease: Doorbell,
    endPosition: @escaping @Sendable () -> Int?, fileLength: @escaping @Sendable () -> Int? = { nil }
  ) throws {
    let channelCount = writer.format.channelCount
    let format = try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
    ring = FrameRing(capacity: max(1, capacity), format: format)
    sink = FrameSinkNode(writing: ring.takeProducer(), channelCount: channelCount)
    node = sink
    fileRate = writer.format.sampleRate
    let drain = try FileWriterThread(
      writer, frames: ring.takeConsumer(), sampleRate: sampleRate, onRelease: onRelease, endPosition: endPosition,
      fileLength: fileLength)
    self.drain = drain
    do {
      thread = try BackgroundThread(named: "write") { drain.run() }
    } catch {
      writer.abandon()
      throw error
    }
  }

  deinit { abandon() }

  public var isReady: Bool { readyTicks > 0 }
  public var readyTicks: Int {
    let free = sink.freeCount
    let half = sink.capacity / 2
    if free == half { drain.data.ring() }
    return free > half ? free - half : free
  }

  public func requestCapacity() { drain.data.ring() }

  /// Samples per channel written, at the graph's rate.
  public var samplesPerChannelWritten: Int { drain.counts.written.load(ordering: .relaxed) }

  /// Frames lost because the ring was full; 0 offline.
  public var droppedFrameCount: Int { ring.droppedCount }

  /// Returns the ledgers of the graph's samples: cut to the stream, then written. Thread: control, after `finish`.
  ///
  /// - Parameters:
  ///   - count: Samples per channel that came out of the graph.
  ///   - sampleRate: The graph's rate, in Hz.
  package func edges(of count: Int, from sampleRate: Int) -> [LedgerEdge] {
    var cut = Ledger()
    cut.input = count
    cut.output = drain.counts.written.load(ordering: .relaxed) + drain.counts.filled.load(ordering: .relaxed)
    cut.dropped = sink.droppedSampleCount
    cut.inserted[.underrun] = drain.counts.filled.load(ordering: .relaxed)
    cut.removed[.delay] = drain.counts.trimmed.load(ordering: .relaxed)
    var written = Ledger()
    written.input = cut.output
    written.output = drain.counts.fileCount.load(ordering: .relaxed)
    written.removed[.rounding] = drain.counts.cut.load(ordering: .relaxed)
    written.dropped = lostCount(of: written, from: sampleRate)
    return [
      LedgerEdge("output: cut", from: sampleRate, to: sampleRate, cut),
      LedgerEdge("output: write", from: sampleRate, to: fileRate, written),
    ]
  }

  /// Returns the lost samples of the file's rate: those that came too late, and those that did not get from the writer
  /// to the file. With a rate conversion, the samples in the converter are not counted, and the loss is the remaining
  /// imbalance.
  private func lostCount(of written: Ledger, from sampleRate: Int) -> Int {
    guard hasFailed else { return 0 }
    guard sampleRate == fileRate else { return max(0, written.imbalance(from: sampleRate, to: fileRate)) }
    let counts = drain.counts
    return counts.refused.load(ordering: .relaxed) + counts.offered.load(ordering: .relaxed) - written.output
  }

  /// Whether writing has failed; later samples are lost. Thread: any.
  public var hasFailed: Bool { drain.failure.withLock { $0 != nil } }

  /// Writes the waiting frames and completes the file. Thread: control, after the last tick.
  ///
  /// - Throws: The first error of writing.
  public func finish() throws(AudioFileError) {
    stop()
    if let error = drain.failure.withLock({ $0 }) { throw error }
  }

  /// Writes the waiting frames and closes a file that is not whole: a `.part` keeps that name. Thread: control, after
  /// the last tick.
  ///
  /// - Returns: The remaining file; nil for a stream.
  /// - Throws: The first error of writing.
  public func breakOff() throws(AudioFileError) -> AudioFileError.Remains? {
    drain.isBrokenOff.store(true, ordering: .releasing)
    try finish()
    return drain.remains.withLock { $0 }
  }

  public func finishCancelled() throws { _ = try breakOff() }

  /// Ends without a file.
  public func abandon() {
    drain.isAbandoned.store(true, ordering: .releasing)
    stop()
  }

  private func stop() {
    guard !isFinished.exchange(true, ordering: .relaxed) else { return }
    sink.finish()
    drain.data.ring()
    thread.join()
  }
}
