import AudioGraph

/// A program's request to register an observer.
public struct ObserverRequest: Sendable {
  /// Positions of the frames wanted at first; can be changed at any time.
  public var mask: ObserverPosition
  /// Formats by position; a position without one gives its own format, read-only.
  public var params: [ObserverPosition: AudioParams]
  /// Positions at which frames in the pipeline's own format are writable, whenever the mask names them.
  public var writablePositions: ObserverPosition
  /// Users of the frames wanted at RECORD and BEFORE MIXING; nil: all users. Fixed once the observer is registered.
  public var users: Set<UInt32>?
  /// Whether a channel's users are among `users`; nil: those of every channel.
  package var wantsChannel: (@Sendable (_ channelID: String) -> Bool)?
  /// Whether frames of remote users that are muted are wanted at BEFORE MIXING, too. Fixed once the observer is
  /// registered.
  public var includesMuted = false
  /// Whether the observer is called on a thread of its own, with copies.
  public var isAsynchronous: Bool
  /// Number of 10 ms frames that wait for an asynchronous observer at each tap point. Beyond it, the oldest is dropped
  /// (live) or the pipeline waits (offline).
  public var capacity: Int
  /// Whether calls are measured; false for internal bookkeeping, which costs no more than reading the clock twice.
  package var isMeasured = true
  /// Whether the request was made to change frames: params that forbid it are then a mistake.
  private(set) var isChange = false
  private(set) var handler: ObserverCall.Handler
  /// Called with the registration after it was made.
  var onRegistration: (@Sendable (ObserverRegistration) -> Void)?
  /// Called when the observer is being removed, before the wait for a call in progress.
  var onRemoval: (@Sendable () -> Void)?
  /// Called on an asynchronous observer's thread after the last delivery.
  var onEnd: (@Sendable () -> Void)?

  /// Returns a request to read frames.
  public static func readOnly(
    at mask: ObserverPosition, params: [ObserverPosition: AudioParams] = [:], isAsynchronous: Bool = false,
    capacity: Int = 50, _ handler: @escaping @Sendable (borrowing AudioFrame, FrameOrigin) -> Void
  ) -> ObserverRequest {
    ObserverRequest(
      mask: mask, params: params, writablePositions: [], isAsynchronous: isAsynchronous, capacity: capacity,
      handler: { frame, source in handler(frame.frame, source) })
  }

  /// Returns a request to change frames, always on the audio thread.
  ///
  /// Positions without params give, and take back, the pipeline's own format without delay; those with params must be
  /// read-write. Name in `writablePositions` also the positions that the mask may name later.
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

  /// The same request with an empty handler, without the objects that the program's handler holds.
  var withoutHandler: ObserverRequest {
    var request = self
    request.handler = { _, _ in }
    return request
  }

  /// Whether the observer may change frames that flow on.
  public var isWriter: Bool { !writablePositions.isEmpty || params.values.contains { $0.access == .readWrite } }

  /// Whether the frames of an origin are among the wanted ones, whenever the mask names their position.
  ///
  /// - Parameters:
  ///   - origin: Origin of the frames.
  ///   - isMuted: Whether the user is muted.
  package func wants(_ origin: FrameOrigin, isMuted: Bool = false) -> Bool {
    if isMuted, !includesMuted { return false }
    guard let users, origin.position == .record || origin.position == .beforeMixing else { return true }
    return users.contains(origin.uid) && wantsChannel?(origin.channelID) ?? true
  }

  /// Checks the parts of the request that need no graph.
  ///
  /// - Throws: `ObserverError` for the first mistake.
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
