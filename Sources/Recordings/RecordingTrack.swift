package import AudioFiles
package import AudioGraph
import Synchronization

/// One file of a recording, and the path of its frames from the graph to the disk.
///
///     audio thread   path ──▶ tap ──▶ sink ──ring──▶ drain ──▶ file   recording thread
///
/// The tap stays in the graph for as long as the recording lasts; paths come and go. Without a path (a muted user), the
/// file continues with silence.
package final class RecordingTrack: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `drain` belongs to the recording thread, the nodes in the graph to the control
  // thread, under the pipeline's lock; the sink's ring has a half for each side; the rest is atomic.

  /// Number of 10 ms frames that may wait: a disk may stall for more than a second.
  private static let capacity = 128
  /// Number of frames that wait until the end of the recording is known. All files end with the newest sample at
  /// MIXED, and a path with a shorter delay is ahead of it: by 200 ms at most.
  private static let heldCount = 20

  package let path: String
  private let channelCount: Int
  private let sink: FrameSinkNode
  private let drain: FileWriterThread
  /// Position behind the last sample that belongs to the file. Stored before `isStopping` is.
  private let end = KnownEnd()
  /// Pauses of the recording.
  private let cuts = FileCuts()
  private let isStopping = Atomic<Bool>(false)
  private let isComplete = Atomic<Bool>(false)
  private let completion = Doorbell()

  /// The nodes in the graph.
  private var tap: DetachableTap?

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - channelCount: Channels of the file.
  ///   - sampleRate: Rate of the frames, in Hz.
  ///   - origin: First sample of the file.
  ///   - knownEnd: End of the longest source; paths shorter than the path to MIXED run past it.
  ///   - options: How the file is written.
  ///   - onRelease: Rung when a frame has been taken.
  package init(
    path: String, channelCount: Int, sampleRate: Int, origin: RecordingOrigin, knownEnd: KnownEnd,
    options: RecordingOptions, onRelease: Doorbell
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
      writer, frames: ring.takeConsumer(), sampleRate: sampleRate, onRelease: onRelease,
      startPosition: origin.position, firstSample: { origin.firstSample },
      holdsSilence: options.holdsSilence, cuts: cuts,
      endPosition: { [end] in
        guard let last = knownEnd.position else { return end.position }
        return min(last, end.position ?? last)
      })
  }

  /// Error that ended the file too early; nil if there is none. Thread: any.
  package var failure: AudioFileError? { drain.failure.withLock { $0 } }

  // MARK: Audio thread, between ticks

  /// Whether the ring has capacity for the next frame.
  package var isReady: Bool { sink.freeCount > 0 }

  // MARK: Control thread

  /// Adds the path to the file to the graph.
  package func add(to graph: Graph) throws {
    tap = try DetachableTap(sink, named: "file \(path)", channelCount: channelCount, in: graph)
  }

  package func remove(from graph: Graph) throws {
    try tap?.remove(from: graph)
    tap = nil
  }

  /// Connects the file to `node`; nil: to nothing.
  package func connect(_ node: NodeID?, channelCount: Int, graph: Graph) throws {
    try tap?.connect(node, channelCount: channelCount, in: graph)
  }

  /// Sets the latest end of the file, in samples of the pipeline's time.
  package func limit(to position: Int) { end.store(min(position, end.position ?? position)) }

  /// Leaves out the sound from `position` on.
  package func pause(at position: Int) { cuts.begin(at: position) }

  /// Ends a pause.
  package func resume(at position: Int) { cuts.end(at: position) }

  /// Requests the end of the file: the samples before `position` are in the ring by now.
  package func stop(at position: Int) {
    limit(to: position)
    isStopping.store(true, ordering: .releasing)
  }

  /// Abandons the file and removes it.
  package func abandon() {
    drain.isAbandoned.store(true, ordering: .releasing)
    stop(at: 0)
  }

  /// Waits until the file is complete.
  package func waitForCompletion() {
    while !isComplete.load(ordering: .acquiring) { completion.wait(atMostMilliseconds: 1_000) }
  }

  // MARK: Recording thread

  /// Writes the frames that wait.
  ///
  /// - Parameter delivers: Whether all of them must be in the file afterward.
  /// - Returns: False once the file is complete.
  package func write(delivers: Bool) -> Bool {
    // Loaded first: frames that come after it do not belong to the file.
    let isLast = isStopping.load(ordering: .acquiring)
    drain.drain(holding: isLast ? 0 : Self.heldCount)
    if delivers { drain.deliver() }
    if isLast {
      drain.finish()
      isComplete.store(true, ordering: .releasing)
      completion.ring()
    }
    return !isLast
  }
}
