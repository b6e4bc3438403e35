import Signalling

/// Event of a preload.
package enum PreloadEvent: Hashable, Sendable {
  /// The transport is connected, or a join has taken it before. The event comes again after a loss.
  case ready
  /// The preload has ended for good; nil: by a call.
  case ended(ChannelError?)
}
