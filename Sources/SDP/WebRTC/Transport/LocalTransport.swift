public import Cryptography

/// The local side's part of descriptions: its session number, ICE and DTLS. Printing it does not show the password.
public struct LocalTransport: Sendable, CustomStringConvertible, CustomReflectable {
  /// Number of the session in `o=`, random, below 2^63.
  public var sessionID: UInt64
  /// ICE user name, 4 to 256 visible characters.
  public var usernameFragment: String
  /// ICE password, 22 to 256 visible characters, a secret.
  public var password: String
  /// Digests of the local certificate.
  public var fingerprints: [CertificateFingerprint]
  /// Local ICE candidates.
  public var candidates: [CandidateLine]
  /// Whether no more candidates follow.
  public var hasAllCandidates: Bool
  /// ICE options.
  public var options: [String]
  /// Whether the local side is an ICE-lite agent, which answers checks and sends none.
  public var isLite: Bool
  /// Local role in the existing DTLS connection, which later offers and answers keep; nil before the first one.
  public var establishedRole: SetupRole?

  /// Creates the local side from its parts.
  public init(
    sessionID: UInt64, usernameFragment: String, password: String, fingerprints: [CertificateFingerprint],
    candidates: [CandidateLine] = [], hasAllCandidates: Bool = true, options: [String] = [], isLite: Bool = false,
    establishedRole: SetupRole? = nil
  ) {
    self.sessionID = sessionID
    self.usernameFragment = usernameFragment
    self.password = password
    self.fingerprints = fingerprints
    self.candidates = candidates
    self.hasAllCandidates = hasAllCandidates
    self.options = options
    self.isLite = isLite
    self.establishedRole = establishedRole
  }

  public var description: String { "local transport \(usernameFragment) (password not shown)" }

  public var customMirror: Mirror {
    Mirror(self, children: ["usernameFragment": usernameFragment, "candidates": candidates.count, "isLite": isLite])
  }

  /// Returns the transport of a section with a DTLS role.
  func transport(setup: SetupRole) -> TransportDescription {
    TransportDescription(
      usernameFragment: usernameFragment, password: password, options: options, candidates: candidates,
      hasAllCandidates: hasAllCandidates, fingerprints: fingerprints, setup: setup)
  }
}
