import WebRTC

/// Change of a media connection that concerns the signalling.
enum ForwarderEvent {
  /// The connection has ended.
  case ended(MediaPeer, MediaTransportError)
  /// A listener hears other speakers, and wants a report.
  case speakers(MediaPeer)
  /// The user sends too many packets without the right to publish.
  case flooded(MediaPeer)
}
