import WebRTC

/// Change of a media connection that concerns the signalling.
enum ForwarderEvent {
  /// The connection has ended.
  case ended(MediaPeer, MediaTransportError)
  /// The user sends too many packets without the right to publish.
  case flooded(MediaPeer)
}
