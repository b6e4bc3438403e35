import JSON

/// SSRCs of the packets with messages of data streams, in the answer to a join.
public struct DataSources: Hashable, Sendable {
  /// SSRC to send messages with; nil for a user without the right `data`.
  public let sent: UInt32?
  /// SSRC of the messages of all other users.
  public let received: UInt32

  /// Creates SSRCs.
  public init(sent: UInt32?, received: UInt32) {
    self.sent = sent
    self.received = received
  }

  init(_ fields: MessageFields) throws(MessageError) {
    sent = try fields.integer("sent", in: 0...UInt32.max)
    received = try fields.require("received", fields.integer("received", in: 0...UInt32.max))
  }

  func write(to json: inout JSONWriter) {
    json.optional("sent", sent)
    json.field("received", received)
  }
}
