public import SRTP

/// Master keys of SRTP for the two directions of a connection.
public struct SRTPKeyPair: ~Copyable, Sendable {
  /// Key of the packets that this end sends.
  public let outbound: SRTPKey
  /// Key of the packets that this end receives.
  public let inbound: SRTPKey

  /// Divides exported material: client key, server key, client salt, server salt.
  ///
  /// - Parameters:
  ///   - material: bytes of the exporter, twice a key and a salt. The caller overwrites them.
  ///   - suite: suite that the two ends agreed on.
  ///   - role: role of this end.
  /// - Throws: `keySize` if the material has another length.
  /// Source: RFC 5764, section 4.2.
  init(_ material: UnsafeRawBufferPointer, _ suite: SRTPSuite, _ role: DTLSRole) throws(SRTPError) {
    let (key, salt) = (suite.keyByteCount, suite.saltByteCount)
    guard material.count == 2 * (key + salt) else { throw .keySize(suite, byteCount: material.count / 2) }
    func make(_ index: Int) throws(SRTPError) -> SRTPKey {
      var memory = [UInt8](repeating: 0, count: key + salt)
      defer { memory.withUnsafeMutableBytes { DTLSSession.wipe($0) } }
      for offset in 0..<key { memory[offset] = material[index * key + offset] }
      for offset in 0..<salt { memory[key + offset] = material[2 * key + index * salt + offset] }
      return try SRTPKey(suite, bytes: memory.span.bytes)
    }
    let client = try make(0)
    let server = try make(1)
    switch role {
    case .client:
      outbound = client
      inbound = server
    case .server:
      outbound = server
      inbound = client
    }
  }
}
