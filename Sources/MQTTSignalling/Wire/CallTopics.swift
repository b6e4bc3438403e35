import Signalling

/// Topics of a user's calls: `audiopipe/APP/call/TO/FROM`. The broker's ACL protects the last level.
struct CallTopics: Sendable {
  private let prefix: String
  /// Decimal uid of this user.
  let user: String

  init(appID: AppID, userID: UInt32) {
    prefix = "audiopipe/\(appID.text)/call/"
    user = String(userID)
  }

  /// Filter of every message to the user.
  var filter: String { "\(prefix)\(user)/+" }

  /// Topic of the user's messages to itself.
  var own: String { "\(prefix)\(user)/\(user)" }

  /// Topic of a message to a user; nil unless `receiver` is a decimal uid.
  func topic(to receiver: String) -> String? { Self.isUserID(receiver) ? "\(prefix)\(receiver)/\(user)" : nil }

  /// Sender of a received message; nil if it is not a decimal uid, or the topic is not one of this user.
  func sender(of topic: String) -> String? {
    let start = "\(prefix)\(user)/"
    guard topic.hasPrefix(start) else { return nil }
    let sender = String(topic.dropFirst(start.count))
    return Self.isUserID(sender) ? sender : nil
  }

  /// Whether a text is a decimal uid 1...4294967295 without leading zeros.
  static func isUserID(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x31...0x39).contains(first), text.utf8.count <= 10 else { return false }
    return text.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt32(text) != nil
  }
}
