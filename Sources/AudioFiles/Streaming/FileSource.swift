public import AudioGraph
import Synchronization

/// Plays a file into the graph: a separate thread reads ahead, and the tick finds frames in a ring.
///
///     reader thread   file ──▶ [rate] ──▶ frames ──ring──▶ node   audio thread
///
/// ```swift
/// let pipeline = try AudioPipeline(mode: .offline)
/// let source = try pipeline.addSpeaker(1, from: .file("talk.wav", after: .seconds(2)))
/// try pipeline.runToEnd()
/// if let error = source.error { print(error) }
/// ```
public final class FileSource: AudioSource {
  public let node: any AudioNode
  public let channelCount: Int
  public let sampleRate: Int
  private let source: FrameSourceNode
  private let readAhead: FileReaderThread
  private let thread: BackgroundThread
  private let isClosed = Atomic<Bool>(false)
  private let tailCount: Int

  /// Begins to read ahead at once.
  ///
  /// - Parameters:
  ///   - reader: Reader of the file, handed over; its warnings are complete once the source is exhausted.
  ///   - sampleRate: The graph's rate, in Hz; the file is converted if its own differs.
  ///   - uid: The user's uid, which the source's frames carry.
  ///   - startPosition: Samples of silence before the file begins.
  ///   - tailCount: Samples of silence behind the file's end that belong to its sound, for an encoder with a delay.
  ///   - roundsUp: Whether a converted file reaches to the end of its last sample, for a later conversion back.
  ///   - fadesBreak: Whether the last 5 ms of a file that breaks off fade out, as music should. A voice stays as it is
  ///     in the file.
  ///   - capacity: Number of 10 ms frames read ahead.
  ///   - ready: Doorbell that rings when frames have come.
  public init(
    _ reader: AudioFileReader, sampleRate: Int, uid: UInt32, startPosition: Int = 0, tailCount: Int = 0,
    roundsUp: Bool = false, fadesBreak: Bool = false, capacity: Int = 64, ready: Doorbell
  ) throws {
    let truncationFade = fadesBreak ? TruncationFade(reader) : nil
    channelCount = reader.format.channelCount
    self.sampleRate = sampleRate
    self.tailCount = tailCount
    let format = try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
    let ring = FrameRing(capacity: max(1, capacity), format: format)
    source = FrameSourceNode(
      reading: ring.takeConsumer(), channelCount: channelCount, sampleRate: sampleRate)
    node = source
    let readAhead = FileReaderThread(
      reader, as: try ConvertingReader(truncationFade ?? reader, sampleRate: sampleRate, roundsUp: roundsUp),
      frames: ring.takeProducer(), sampleRate: sampleRate, startPosition: startPosition, sourceID: uid,
      ready: ready, truncationFade: truncationFade)
    self.readAhead = readAhead
    thread = try BackgroundThread(named: "read \(uid)") { readAhead.run() }
  }

  deinit { close() }

  public var isReady: Bool { readyTicks > 0 }
  public var readyTicks: Int {
    let waiting = source.frameCount
    let half = source.capacity / 2
    // More is requested at half, so that reader and graph work side by side.
    if waiting == half { readAhead.room.ring() }
    if waiting == 0 { return source.isExhausted ? .max : 0 }
    return waiting > half ? waiting - half : waiting
  }
  public var isExhausted: Bool { source.isExhausted }
  public func requestMore() { readAhead.room.ring() }
  public var endPosition: Int? {
    let position = readAhead.end.load(ordering: .acquiring)
    return position < 0 ? nil : position == 0 ? 0 : position + tailCount
  }

  /// Samples per channel of the file, at its own rate; nil while `endPosition` is. Thread: any.
  public var inputCount: Int? { endPosition == nil ? nil : readAhead.inputCount.load(ordering: .relaxed) }

  /// Error that ended reading early; nil if there was none. Thread: any, once exhausted.
  public var error: AudioFileError? { readAhead.failure.withLock { $0 } }

  public var failure: (any Error)? { error }

  /// Warnings about the file. Thread: any, complete once exhausted.
  public var warnings: [AudioFileWarning] { readAhead.warnings.withLock { $0 } }

  /// Returns the ledgers of the file's samples: read, then played. Thread: control, after the last tick and `close`.
  package func edges(of name: String) -> [LedgerEdge] { readAhead.edges(of: name, into: source) }

  /// Ends the thread; frames already read stay in the ring. Thread: control.
  public func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    readAhead.cancel()
    thread.join()
  }
}
