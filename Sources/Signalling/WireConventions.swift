/// Numbers and names that clients and relays of this package share.
package enum WireConventions {
  /// Name of the WebSocket's subprotocol: the version of the messages.
  package static let subprotocol = "audiopipe.v1"
  /// Payload type of Opus, as browsers use it.
  package static let opusPayloadType: UInt8 = 111
  /// Payload type of messages of data streams.
  package static let dataPayloadType: UInt8 = 112
  /// Number of the header extension with the audio level (RFC 6464).
  package static let audioLevelIdentifier: UInt8 = 1
}
