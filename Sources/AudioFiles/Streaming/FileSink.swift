public import AudioGraph
import Synchronization

/// Writes the graph's frames to a file: the tick fills a ring, a thread of its own empties it.
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
  ///   - writer: handed over.
  ///   - sampleRate: the graph's rate, in Hz; converted where the writer's differs.
  ///   - capacity: 10 ms frames that may wait.
  ///   - onRelease: rung when frames have been written.
  ///   - endPosition: where the longest source ends, in samples of the graph; nil while that is not known.
  ///   - fileLength: samples per channel that a converted file has at most; asked for once all frames have come.
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

  public func requestRoom() { drain.data.ring() }

  /// Samples per channel written, at the graph's rate.
  public var samplesPerChannelWritten: Int { drain.counts.written.load(ordering: .relaxed) }

  /// Frames lost because the ring was full; 0 offline.
  public var droppedFrameCount: Int { ring.droppedCount }

  /// Where the graph's samples have gone: cut to the stream, then written. Thread: control, after `finish`.
  ///
  /// - Parameter count: samples per channel that came out of the graph.
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

  /// Samples of the file's rate that nobody took any more: those that came too late, and those that the writer had but
  /// did not get to the file. Where the rate is converted nobody counts what waited in the conversion, and it is what
  /// is left.
  private func lostCount(of written: Ledger, from sampleRate: Int) -> Int {
    guard hasFailed else { return 0 }
    guard sampleRate == fileRate else { return max(0, written.imbalance(from: sampleRate, to: fileRate)) }
    let counts = drain.counts
    return counts.refused.load(ordering: .relaxed) + counts.offered.load(ordering: .relaxed) - written.output
  }

  /// True once writing has failed: what follows is lost. Thread: any.
  public var hasFailed: Bool { drain.failure.withLock { $0 != nil } }

  /// Writes what waits and completes the file. Thread: control, after the last tick.
  ///
  /// Throws: the first error of writing.
  public func finish() throws(AudioFileError) {
    stop()
    if let error = drain.failure.withLock({ $0 }) { throw error }
  }

  /// As `finish`, of a file that is not whole: a `.part` keeps that name.
  ///
  /// Returns: what is there; nil of a stream. Throws: as `finish`.
  public func breakOff() throws(AudioFileError) -> AudioFileError.Remains? {
    drain.isBrokenOff.store(true, ordering: .releasing)
    try finish()
    return drain.remains.withLock { $0 }
  }

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
