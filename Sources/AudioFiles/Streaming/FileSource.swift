public import AudioGraph
import Synchronization

/// Plays a file into the graph: a thread of its own reads ahead, the tick finds frames in a ring.
///
///     reader thread   file ──▶ [rate] ──▶ frames ──ring──▶ node   audio thread
public final class FileSource: AudioSource {
  public let node: any AudioNode
  public let channelCount: Int
  public let sampleRate: Int
  private let source: FrameSourceNode
  private let readAhead: FileReaderThread
  private let thread: BackgroundThread
  private let isClosed = Atomic<Bool>(false)

  /// Begins to read ahead at once.
  ///
  /// - Parameters:
  ///   - reader: handed over; its warnings are complete once the source is exhausted.
  ///   - sampleRate: the graph's rate, in Hz; the file is converted where it differs.
  ///   - startPosition: samples of silence before the file begins.
  ///   - roundsUp: whether a converted file reaches to the end of its last sample, for what is converted back later.
  ///   - fadesBreak: whether the last 5 ms of a file that breaks off fade out, as music should. A voice is given as it
  ///     is in the file.
  ///   - capacity: 10 ms frames read ahead.
  ///   - ready: rung when frames have come.
  public init(
    _ reader: AudioFileReader, sampleRate: Int, uid: UInt32, startPosition: Int = 0, roundsUp: Bool = false,
    fadesBreak: Bool = false, capacity: Int = 64, ready: Doorbell
  ) throws {
    let truncationFade = fadesBreak ? TruncationFade(reader) : nil
    channelCount = reader.format.channelCount
    self.sampleRate = sampleRate
    let format = try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
    let ring = FrameRing(capacity: max(1, capacity), format: format)
    source = FrameSourceNode(reading: ring.takeConsumer(), channelCount: channelCount)
    node = source
    let readAhead = FileReaderThread(
      try ConvertingReader(truncationFade ?? reader, sampleRate: sampleRate, roundsUp: roundsUp),
      frames: ring.takeProducer(), sampleRate: sampleRate, startPosition: startPosition, sourceID: uid,
      speakers: reader.speakers,
      ready: ready, truncationFade: truncationFade)
    self.readAhead = readAhead
    thread = try BackgroundThread(named: "read \(uid)") { readAhead.run() }
  }

  deinit { close() }

  public var isReady: Bool { readyTicks > 0 }
  public var readyTicks: Int {
    let waiting = source.frameCount
    let half = source.capacity / 2
    // More is asked for at half, so that reader and graph work side by side.
    if waiting == half { readAhead.room.ring() }
    if waiting == 0 { return source.isExhausted ? .max : 0 }
    return waiting > half ? waiting - half : waiting
  }
  public var isExhausted: Bool { source.isExhausted }
  public func requestMore() { readAhead.room.ring() }
  public var endPosition: Int? {
    let position = readAhead.end.load(ordering: .acquiring)
    return position < 0 ? nil : position
  }

  /// Samples per channel that the file had, at its own rate; nil while `endPosition` is. Thread: any.
  public var inputCount: Int? { endPosition == nil ? nil : readAhead.inputCount.load(ordering: .relaxed) }

  /// Why reading ended early; nil when it did not. Thread: any, once exhausted.
  public var error: AudioFileError? { readAhead.failure.withLock { $0 } }

  /// Where the file's samples have gone: read, then played. Thread: control, after the last tick and `close`.
  package func edges(of name: String) -> [LedgerEdge] { readAhead.edges(of: name, into: source) }

  /// Ends the thread; frames already read stay in the ring. Thread: control.
  public func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    readAhead.cancel()
    thread.join()
  }
}
