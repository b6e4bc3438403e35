/// What the engine knows about itself when it is asked why an observer is not called.
public struct PipelineConditions: Hashable, Sendable {
  /// The graph is being driven.
  public var isRunning: Bool
  /// The engine is in a channel.
  public var isInChannel: Bool
  /// The local user is captured.
  public var isCapturing: Bool
  /// The local stream is muted.
  public var isLocalMuted: Bool
  /// Remote users that publish.
  public var remotePublisherCount: Int
  /// The local user hears itself.
  public var isEarMonitoring: Bool

  /// Conditions from their parts.
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

  /// Why `registration` is not called at `position`; empty when nothing stands in the way.
  public func diagnose(for registration: ObserverRegistration, at position: ObserverPosition) -> [InactivityReason] {
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
