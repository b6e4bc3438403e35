import JSON

/// Quality of a user's own paths to and from the relay, in grades of 0 for unknown to 8.
///
/// Source: the grades of `NetworkQuality`.
public struct UserQuality: Hashable, Sendable {
  /// Grades.
  public static let grades = 0...8

  /// Grade of the packets that the user sends, as the relay receives them.
  public let sent: Int
  /// Grade of the packets that the user receives.
  public let received: Int

  /// Creates a quality.
  public init(sent: Int, received: Int) {
    self.sent = sent
    self.received = received
  }

  init(_ fields: MessageFields) throws(MessageError) {
    sent = try fields.require("sent", fields.integer("sent", in: Self.grades))
    received = try fields.require("received", fields.integer("received", in: Self.grades))
  }

  func write(to json: inout JSONWriter) {
    json.field("sent", sent)
    json.field("received", received)
  }
}

extension MessageFields {
  func quality() throws(MessageError) -> UserQuality? {
    guard let fields = try object("quality") else { return nil }
    return try UserQuality(fields)
  }
}

extension JSONWriter {
  mutating func quality(_ quality: UserQuality?) {
    if let quality { object("quality") { quality.write(to: &$0) } }
  }
}
