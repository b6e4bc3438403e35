/// Where a user's frames come from.
public protocol AudioSource: AnyObject, Sendable {
  /// The node that brings them into the graph.
  var node: any AudioNode { get }
  /// Channels of the frames.
  var channelCount: Int { get }
  /// Rate of the frames, in Hz: the pipeline's, or the source is refused.
  var sampleRate: Int { get }
  /// True when the next tick will not miss a frame. Thread: audio, between ticks.
  var isReady: Bool { get }
  /// How many ticks from now on will not miss a frame, whatever else happens. Thread: audio, between ticks.
  var readyTicks: Int { get }
  /// True when no sample will follow. Thread: audio, between ticks.
  var isExhausted: Bool { get }
  /// Asks whoever produces the frames for more. Thread: audio, between ticks, offline only.
  func requestMore()
  /// Position behind the last sample, in samples per channel of the graph; nil while it is not known. Thread: any.
  var endPosition: Int? { get }
  /// Says whether anybody needs the frames: hears, records, measures or observes them. A source may spare itself what
  /// costs much while nobody does, once the fades of what it was heard through are over. Thread: control.
  func setHeard(_ isHeard: Bool)
}

extension AudioSource {
  /// The next one, where that is known.
  public var readyTicks: Int { isReady ? 1 : 0 }

  /// Does nothing.
  public func setHeard(_ isHeard: Bool) {}
}
