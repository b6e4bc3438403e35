import AudioFiles
import AudioGraph
import Synchronization

/// One file of a recording, and the way of its frames from the graph to the disk.
///
///     audio thread   path ──▶ tap ──▶ sink ──ring──▶ drain ──▶ file   recording thread
///
/// The tap stays in the graph for as long as the recording lasts; paths come and go. While there is none (a muted
/// user), the file goes on with silence.
final class RecordingTrack: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `drain` belongs to the recording thread, what stands in the graph to the control
  // thread, under the pipeline's lock; the sink's ring has a half for each side; the rest is atomic.

  /// 10 ms frames that may wait: a disk may hesitate for more than a second.
  private static let capacity = 128

  let path: String
  private let channelCount: Int
  private let sink: FrameSinkNode
  private let drain: FileWriterThread
  /// Position behind the last sample that belongs into the file. Stored before `isStopping` is.
  private let end = KnownEnd()
  private let isStopping = Atomic<Bool>(false)
  private let isComplete = Atomic<Bool>(false)
  private let completion = Doorbell()

  /// What stands in the graph.
  private var tap: DetachableTap?

  /// Makes the file.
  ///
  /// - Parameter knownEnd: where the longest source ends, which shorter paths than that to MIXED run past.
  init(
    path: String, channelCount: Int, sampleRate: Int, startPosition: Int, knownEnd: KnownEnd, options: RecordingOptions,
    onRelease: Doorbell
  ) throws {
    self.path = path
    self.channelCount = channelCount
    let format = try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
    let stored = try AudioFormat(sampleRate: options.sampleRate ?? sampleRate, channelCount: channelCount)
    let writer = try AudioFileOutput.create(
      path: path, format: stored,
      options: OutputOptions(
        sampleFormat: options.sampleFormat, ditherSeed: options.ditherSeed, placement: .inPlace,
        overwrite: options.overwrite))
    let ring = FrameRing(capacity: Self.capacity, format: format)
    sink = FrameSinkNode(writing: ring.takeProducer(), channelCount: channelCount, usesGraphTime: true)
    drain = try FileWriterThread(
      writer, frames: ring.takeConsumer(), sampleRate: sampleRate, onRelease: onRelease, startPosition: startPosition,
      holdsSilence: options.holdsSilence,
      endPosition: { [end] in
        guard let last = knownEnd.position else { return end.position }
        return min(last, end.position ?? last)
      })
  }

  /// Why the file ends where it does, where that is too early; nil while all is well. Thread: any.
  var failure: AudioFileError? { drain.failure.withLock { $0 } }

  // MARK: Audio thread, between ticks

  /// True when the next frame finds room.
  var isReady: Bool { sink.freeCount > 0 }

  // MARK: Control thread

  /// Puts the way to the file into the graph.
  func add(to graph: Graph) throws {
    tap = try DetachableTap(sink, named: "file \(path)", channelCount: channelCount, in: graph)
  }

  func remove(from graph: Graph) throws {
    try tap?.remove(from: graph)
    tap = nil
  }

  /// Has the frames come from `node`, or from nowhere.
  func connect(_ node: NodeID?, channelCount: Int, graph: Graph) throws {
    try tap?.connect(node, channelCount: channelCount, in: graph)
  }

  /// Says where the file ends at the latest.
  func limit(to position: Int) { end.store(min(position, end.position ?? position)) }

  /// Asks for the file's end: what lies before `position` is in the ring by now.
  func stop(at position: Int) {
    limit(to: position)
    isStopping.store(true, ordering: .releasing)
  }

  /// Gives the file up and removes it.
  func abandon() {
    drain.isAbandoned.store(true, ordering: .releasing)
    stop(at: 0)
  }

  /// Waits until the file is complete.
  func waitForCompletion() {
    while !isComplete.load(ordering: .acquiring) { completion.wait(atMostMilliseconds: 1_000) }
  }

  // MARK: Recording thread

  /// Takes what waits; `delivers` says whether all of it is to be in the file. Returns: false once that is complete.
  func write(delivers: Bool) -> Bool {
    // Asked first: frames that come after the question belong to nobody.
    let isLast = isStopping.load(ordering: .acquiring)
    drain.drain()
    if delivers { drain.deliver() }
    if isLast {
      drain.finish()
      isComplete.store(true, ordering: .releasing)
      completion.ring()
    }
    return !isLast
  }
}
