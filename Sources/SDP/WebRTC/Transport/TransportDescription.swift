public import Cryptography

/// ICE and DTLS of one side of a transport. Printing it does not show the password.
///
/// Source: RFC 8839, section 5; RFC 8842, section 5.
public struct TransportDescription: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// ICE user name of the side.
  public var usernameFragment: String
  /// ICE password of the side, a secret.
  public var password: String
  /// ICE options, such as `trickle` and `ice2`.
  public var options: [String]
  /// ICE candidates, in the description's order.
  public var candidates: [CandidateLine]
  /// Whether no more candidates follow.
  public var hasAllCandidates: Bool
  /// Digests of the side's certificate, by several hash functions; empty if the description has none.
  public var fingerprints: [CertificateFingerprint]
  /// DTLS role; nil if the description has none.
  public var setup: SetupRole?

  /// Creates a transport from its parts.
  public init(
    usernameFragment: String, password: String, options: [String] = [], candidates: [CandidateLine] = [],
    hasAllCandidates: Bool = false, fingerprints: [CertificateFingerprint] = [], setup: SetupRole? = nil
  ) {
    self.usernameFragment = usernameFragment
    self.password = password
    self.options = options
    self.candidates = candidates
    self.hasAllCandidates = hasAllCandidates
    self.fingerprints = fingerprints
    self.setup = setup
  }

  public var description: String {
    "transport \(usernameFragment) with \(candidates.count) candidates (password not shown)"
  }

  public var customMirror: Mirror {
    Mirror(self, children: ["usernameFragment": usernameFragment, "candidates": candidates.count])
  }
}
