/// Rights that a token grants, apart from its role.
public struct TokenRights: OptionSet, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The user may send audio.
  public static let publish = TokenRights(rawValue: 1)
  /// The user may receive audio.
  public static let subscribe = TokenRights(rawValue: 2)
  /// The user may send data streams.
  public static let data = TokenRights(rawValue: 4)
  /// The user is neither announced nor counted, and does not publish.
  public static let hidden = TokenRights(rawValue: 8)
  /// The user is a recorder: hidden, and receives only.
  public static let recorder = TokenRights(rawValue: 16)
  /// The user may use the admin API.
  public static let admin = TokenRights(rawValue: 32)

  /// Returns the rights of a token without the claim `rights`.
  public static func standard(for role: TokenRole) -> TokenRights {
    role == .broadcaster ? [.publish, .subscribe, .data] : .subscribe
  }

  /// Rights in effect: a recorder is hidden and receives only.
  public var effective: TokenRights {
    contains(.recorder) ? union([.hidden, .subscribe]).subtracting([.publish, .data]) : self
  }

  /// Names in tokens, in their order there.
  public var names: [String] { Self.named.filter { contains($0.right) }.map(\.name) }

  public var description: String { names.isEmpty ? "none" : names.joined(separator: ", ") }

  /// Creates the right of this name; nil for another name.
  package init?(name: String) {
    guard let right = Self.named.first(where: { $0.name == name })?.right else { return nil }
    self = right
  }

  package static let named: [(name: String, right: TokenRights)] = [
    ("publish", .publish), ("subscribe", .subscribe), ("data", .data), ("hidden", .hidden), ("recorder", .recorder),
    ("admin", .admin),
  ]
}
