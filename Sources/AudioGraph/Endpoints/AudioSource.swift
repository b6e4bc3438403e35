/// An origin of a user's frames.
public protocol AudioSource: AnyObject, Sendable {
  /// Node that brings the frames into the graph.
  var node: any AudioNode { get }
  /// Channels of the frames.
  var channelCount: Int { get }
  /// Rate of the frames, in Hz. The pipeline refuses a source with a rate other than its own.
  var sampleRate: Int { get }
  /// Whether the next tick will not miss a frame. Thread: audio, between ticks.
  var isReady: Bool { get }
  /// Number of ticks, from now on, that will not miss a frame, whatever else happens. Thread: audio, between ticks.
  var readyTicks: Int { get }
  /// Whether no sample will follow. Thread: audio, between ticks.
  var isExhausted: Bool { get }
  /// Requests more frames from the producer. Thread: audio, between ticks, offline only.
  func requestMore()
  /// Position behind the last sample, in samples per channel of the graph; nil while unknown. Thread: any.
  var endPosition: Int? { get }
  /// Error that ended the source early; nil if there was none. Thread: any, once exhausted.
  var failure: (any Error)? { get }
  /// Sets whether the frames are needed: heard, recorded, measured or observed. While they are not, a source may skip
  /// expensive work, once the fades of the paths that it was heard through are over. Thread: control.
  func setHeard(_ isHeard: Bool)
  /// Notes that the source has left the pipeline, or that the pipeline has ended: nothing takes samples any more.
  /// Thread: control.
  func detach()
}

extension AudioSource {
  /// Number of ticks, from now on, that will not miss a frame: 1 when `isReady`, else 0.
  public var readyTicks: Int { isReady ? 1 : 0 }

  /// None by default.
  public var failure: (any Error)? { nil }

  /// Does nothing by default.
  public func setHeard(_ isHeard: Bool) {}

  /// Does nothing by default.
  public func detach() {}
}
