import AudioGraph

/// What a program asks for when it registers an observer.
public struct ObserverRequest: Sendable {
  /// Positions whose frames are wanted at first; can be changed at any time.
  public var mask: ObserverPosition
  /// Formats by position; a position without one gives its own format, read-only.
  public var params: [ObserverPosition: AudioParams]
  /// Positions where frames in the pipeline's own format may be written to, whenever the mask names them.
  public var writablePositions: ObserverPosition
  /// True to be called on a thread of the observer's own, with copies.
  public var isAsynchronous: Bool
  /// 10 ms frames that wait for an asynchronous observer at each place, before the oldest is dropped (live) or the
  /// pipeline waits (offline).
  public var capacity: Int
  /// False for bookkeeping of our own: two looks at the clock cost as much as all that it does.
  package var isMeasured = true
  /// True for a request made to change frames: params that forbid it are then a mistake.
  private(set) var isChange = false
  private(set) var handler: ObserverCall.Handler
  /// Called with the registration when there is one.
  var onRegistration: (@Sendable (ObserverRegistration) -> Void)?
  /// Called when the observer is being removed, before a call in progress is waited for.
  var onRemoval: (@Sendable () -> Void)?
  /// Called on an asynchronous observer's thread when nothing more will be delivered.
  var onEnd: (@Sendable () -> Void)?

  /// A request to look at frames.
  public static func readOnly(
    at mask: ObserverPosition, params: [ObserverPosition: AudioParams] = [:], isAsynchronous: Bool = false,
    capacity: Int = 50, _ handler: @escaping @Sendable (borrowing AudioFrame, FrameOrigin) -> Void
  ) -> ObserverRequest {
    ObserverRequest(
      mask: mask, params: params, writablePositions: [], isAsynchronous: isAsynchronous, capacity: capacity,
      handler: { frame, source in handler(frame.frame, source) })
  }

  /// A request to change frames, always on the audio thread.
  ///
  /// Positions without params give, and take back, the pipeline's own format without delay; those with params must
  /// say read-write. Name in `writablePositions` too what the mask may come to name later.
  public static func readWrite(
    at mask: ObserverPosition, params: [ObserverPosition: AudioParams] = [:],
    _ handler: @escaping @Sendable (inout MutableAudioFrame, FrameOrigin) -> Void
  ) -> ObserverRequest {
    var request = ObserverRequest(
      mask: mask, params: params, writablePositions: mask.subtracting(ObserverPosition(params.keys)),
      isAsynchronous: false, capacity: 0, handler: handler)
    request.isChange = true
    return request
  }

  /// The same without what the program's handler holds.
  var withoutHandler: ObserverRequest {
    var request = self
    request.handler = { _, _ in }
    return request
  }

  /// True where the observer may change what flows on.
  public var isWriter: Bool { !writablePositions.isEmpty || params.values.contains { $0.access == .readWrite } }

  /// Throws: what can be said without a graph.
  func check() throws(ObserverError) {
    for (position, params) in params {
      guard ObserverPosition.each.contains(position) else { throw .severalPositions(position) }
      if isChange, params.access == .readOnly { throw .readOnlyChange(position) }
    }
    guard isAsynchronous else { return }
    for position in ObserverPosition.each where isWritable(at: position) { throw .asynchronousWriter(position) }
    guard FrameRing.capacities.contains(capacity) else { throw .capacity(capacity) }
  }

  func isWritable(at position: ObserverPosition) -> Bool {
    params[position].map { $0.access == .readWrite } ?? writablePositions.contains(position)
  }
}
