/// Message of a user to itself that shows whether the broker delivers. No message of a call has its form.
struct Probe: Hashable, Sendable {
  private static let start = "{\"probe\":\""

  let text: String

  init(number: UInt64) { text = "\(Self.start)\(String(number, radix: 16))\"}" }

  /// Whether a message is the probe of any session.
  static func matches(_ text: String) -> Bool { text.hasPrefix(start) }
}
