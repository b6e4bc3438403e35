import AudioGraph
import Synchronization

/// The frames of a position as an `AsyncSequence`: `for await frame in stream`.
///
/// A separate thread feeds it, never the audio thread. Live, frames that the loop does not fetch in time are dropped,
/// oldest first, and counted; offline the pipeline waits for the loop.
///
/// The sequence ends, after its remaining frames, when the hub finishes, the registration is removed, or the stream is
/// cancelled. One loop only: if the loop is left early or its task is cancelled, the stream is cancelled.
///
/// ```swift
/// let pipeline = try AudioPipeline(mode: .offline)
/// try pipeline.addSpeaker(1, from: .file("talk.wav"))
/// let frames = try pipeline.frames(at: .mixed)
/// async let run: Void = pipeline.run()
/// for await frame in frames { print(frame.samplePosition) }
/// try await run
/// ```
public final class FrameStream: AsyncSequence, Sendable {
  /// A frame that belongs to the loop.
  public typealias Element = AudioFrameCopy
  private let stream: AsyncStream<AudioFrameCopy>
  private let continuation: AsyncStream<AudioFrameCopy>.Continuation
  private let pending = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)
  private let isCancelled = Atomic<Bool>(false)
  private let room = Doorbell()
  private let registrations = Guarded<[Feeding]>([])
  private let capacity: Int
  private let isOffline: Bool

  /// Creates a stream that holds at most `capacity` frames.
  public init(capacity: Int, isOffline: Bool) {
    self.capacity = capacity
    self.isOffline = isOffline
    (stream, continuation) = AsyncStream.makeStream(
      bufferingPolicy: isOffline ? .unbounded : .bufferingNewest(capacity))
    // Also runs when the loop's task is cancelled: no thread may wait for capacity then.
    continuation.onTermination = { [weak self] _ in self?.stopWaiting() }
  }

  /// Number of frames that the loop did not fetch in time.
  public var droppedFrameCount: Int { dropped.load(ordering: .relaxed) }

  /// Ends the sequence after the frames that it holds. Thread: any.
  public func cancel() {
    // In this order, so that a frame that waits for capacity does not slip in.
    continuation.finish()
    stopWaiting()
  }

  /// Returns a request that feeds this stream.
  public func request(at position: ObserverPosition, params: AudioParams? = nil) -> ObserverRequest {
    let formats = params.map { [position: $0] } ?? [:]
    var request = ObserverRequest.readOnly(
      at: position, params: formats, isAsynchronous: true, capacity: capacity
    ) { [self] frame, origin in put(frame.copy(from: origin)) }
    request.onRegistration = { [weak self] in self?.noteRegistration($0) }
    request.onRemoval = { [weak self] in self?.cancel() }
    request.onEnd = { [weak self] in self?.continuation.finish() }
    return request
  }

  /// Returns the loop's end of the stream.
  public func makeAsyncIterator() -> Iterator { Iterator(stream: self, frames: stream.makeAsyncIterator()) }

  /// Fetches frame after frame.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: FrameStream
    private var frames: AsyncStream<AudioFrameCopy>.Iterator
    private let loop: Loop

    init(stream: FrameStream, frames: AsyncStream<AudioFrameCopy>.Iterator) {
      self.stream = stream
      self.frames = frames
      loop = Loop(stream)
    }

    /// Returns the next frame; nil after the last one.
    public mutating func next() async -> AudioFrameCopy? {
      guard let frame = await frames.next(isolation: nil) else { return nil }
      stream.pending.wrappingSubtract(1, ordering: .relaxed)
      stream.room.ring()
      return frame
    }
  }

  private struct Feeding {
    weak var registration: ObserverRegistration?
  }

  /// Token that lives as long as the loop: no frame is fetched after it.
  private final class Loop: Sendable {
    private let stream: FrameStream
    init(_ stream: FrameStream) { self.stream = stream }
    deinit { stream.cancel() }
  }

  /// Ends the delivery after the loop: frames need neither wait for capacity nor be copied.
  private func stopWaiting() {
    isCancelled.store(true, ordering: .releasing)
    room.ring()
    registrations.withLock { $0 }.forEach { $0.registration?.mask = [] }
  }

  private func noteRegistration(_ registration: ObserverRegistration) {
    registrations.withLock { $0.append(Feeding(registration: registration)) }
    if isCancelled.load(ordering: .acquiring) { registration.mask = [] }
  }

  private func put(_ frame: AudioFrameCopy) {
    while isOffline, pending.load(ordering: .relaxed) >= capacity, !isCancelled.load(ordering: .acquiring) {
      room.wait(atMostMilliseconds: 100)
    }
    pending.wrappingAdd(1, ordering: .relaxed)
    if case .dropped = continuation.yield(frame) {
      pending.wrappingSubtract(1, ordering: .relaxed)
      dropped.wrappingAdd(1, ordering: .relaxed)
    }
  }
}
