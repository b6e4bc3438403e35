/// The engine's state for the diagnosis of an observer that is not called.
public struct PipelineConditions: Hashable, Sendable {
  /// Whether the graph is being driven.
  public var isRunning: Bool
  /// Whether the engine is in a channel.
  public var isInChannel: Bool
  /// Whether the local user is captured.
  public var isCapturing: Bool
  /// Whether the local stream is muted.
  public var isLocalMuted: Bool
  /// Number of remote users that publish.
  public var remotePublisherCount: Int
  /// Whether the local user hears their own audio.
  public var isEarMonitoring: Bool

  /// Creates conditions from their parts.
  public init(
    isRunning: Bool, isInChannel: Bool, isCapturing: Bool, isLocalMuted: Bool, remotePublisherCount: Int,
    isEarMonitoring: Bool
  ) {
    self.isRunning = isRunning
    self.isInChannel = isInChannel
    self.isCapturing = isCapturing
    self.isLocalMuted = isLocalMuted
    self.remotePublisherCount = remotePublisherCount
    self.isEarMonitoring = isEarMonitoring
  }

  /// Returns the reasons why `registration` is not called at `position`; empty without any.
  public func diagnose(_ registration: ObserverRegistration, at position: ObserverPosition) -> [InactivityReason] {
    var causes: [InactivityReason] = []
    if registration.isRemoved { causes.append(.removed) }
    if !registration.mask.contains(position) { causes.append(.maskBitUnset) }
    if !isRunning { causes.append(.notRunning) }
    if !isInChannel { causes.append(.notInChannel) }
    let needsLocal = position == .record || position == .earMonitoring
    if needsLocal, !isCapturing { causes.append(.captureStopped) }
    if position == .record, isLocalMuted { causes.append(.muted) }
    if position == .playback || position == .beforeMixing, remotePublisherCount == 0 {
      causes.append(.noRemotePublisher)
    }
    if position == .earMonitoring, !isEarMonitoring { causes.append(.earMonitoringOff) }
    return causes
  }
}
