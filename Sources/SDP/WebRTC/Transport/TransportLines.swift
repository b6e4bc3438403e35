import Cryptography

/// Attributes of ICE and DTLS in a part of a description: its session part or one media section.
struct TransportLines {
  var usernameFragment: String?
  var password: String?
  var options: [String] = []
  var candidates: [CandidateLine] = []
  var hasAllCandidates = false
  var fingerprints: [CertificateFingerprint] = []
  var setup: SetupRole?
  var usesRTCPMux = false
  var usesReducedSizeRTCP = false

  /// Reads a line; lines of other attributes are ignored. A malformed candidate is ignored, too, as RFC 8839 requires
  /// of candidates that a reader does not know.
  mutating func read(_ line: SDPLine) throws(SDPError) {
    switch line.attribute {
    case "ice-ufrag":
      usernameFragment = try Self.token(
        line, counts: 4...256, name: "ice-ufrag", rule: "4 to 256 visible characters")
    case "ice-pwd":
      password = try Self.token(line, counts: 22...256, name: "ice-pwd", rule: "22 to 256 visible characters")
    case "ice-options": options = SDPLine.words(of: line.attributeValue).map(String.init)
    case "candidate":
      if let candidate = CandidateLine(parsing: line.attributeValue) { candidates.append(candidate) }
    case "end-of-candidates": hasAllCandidates = true
    case "fingerprint":
      guard let fingerprint = CertificateFingerprint(text: line.attributeValue) else {
        // A peer may add hashes of other functions, such as SHA-1.
        let isKnown = ["sha-256 ", "sha-384 ", "sha-512 "].contains { line.attributeValue.lowercased().hasPrefix($0) }
        guard isKnown else { return }
        throw .attribute(number: line.number, name: "fingerprint", rule: "sha-256 and its 32 bytes as AB:CD:...")
      }
      fingerprints.append(fingerprint)
    case "setup":
      guard let role = SetupRole(rawValue: line.attributeValue.lowercased()) else {
        throw .attribute(number: line.number, name: "setup", rule: "actpass, active or passive")
      }
      setup = role
    case "rtcp-mux": usesRTCPMux = true
    case "rtcp-rsize": usesReducedSizeRTCP = true
    default: break
    }
  }

  /// Takes missing attributes from the session part, or from the tagged section of the bundle.
  ///
  /// Source: RFC 8839, section 5.4; RFC 9143, section 7.1.3.
  mutating func inherit(_ other: TransportLines) {
    if usernameFragment == nil && password == nil {
      usernameFragment = other.usernameFragment
      password = other.password
    }
    // One user name is one transport, and a bundle's candidates stand in its first section only.
    if usernameFragment == other.usernameFragment, candidates.isEmpty {
      candidates = other.candidates
      hasAllCandidates = hasAllCandidates || other.hasAllCandidates
    }
    if options.isEmpty { options = other.options }
    if fingerprints.isEmpty { fingerprints = other.fingerprints }
    setup = setup ?? other.setup
    usesRTCPMux = usesRTCPMux || other.usesRTCPMux
    usesReducedSizeRTCP = usesReducedSizeRTCP || other.usesReducedSizeRTCP
  }

  /// The transport; nil without an ICE user name and password.
  var transport: TransportDescription? {
    guard let usernameFragment, let password else { return nil }
    return TransportDescription(
      usernameFragment: usernameFragment, password: password, options: options, candidates: candidates,
      hasAllCandidates: hasAllCandidates, fingerprints: fingerprints, setup: setup)
  }

  private static func token(
    _ line: SDPLine, counts: ClosedRange<Int>, name: String, rule: String
  ) throws(SDPError) -> String {
    let value = line.attributeValue
    guard counts.contains(value.utf8.count), value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .attribute(number: line.number, name: name, rule: rule)
    }
    return String(value)
  }
}
