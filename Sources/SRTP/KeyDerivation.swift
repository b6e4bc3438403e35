import Cryptography

/// Session keys of one master key.
///
/// Source: RFC 3711, section 4.3; RFC 7714, section 11, for master salts of 12 bytes.
struct KeyDerivation: ~Copyable {
  /// Use of a session key.
  enum Label: UInt8 {
    case rtpEncryption, rtpAuthentication, rtpSalt, rtcpEncryption, rtcpAuthentication, rtcpSalt
  }

  private let cipher: AESCounterMode
  /// First counter block before the label: the master salt, filled up with zeros.
  private var block = SecretMemory(byteCount: 16)

  init(_ key: borrowing SRTPKey) {
    let keyByteCount = key.suite.keyByteCount
    cipher = key.read { AESCounterMode(key: UnsafeRawBufferPointer(rebasing: $0[..<keyByteCount])) }
    key.read { key in
      block.write { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: key[keyByteCount...])) }
    }
  }

  /// Returns the session key with a label. The key derivation rate is 0: keys do not change.
  mutating func key(_ label: Label, byteCount: Int) -> SecretMemory {
    var key = SecretMemory(byteCount: byteCount)
    block.write { block in
      // The label lies 48 bits above the end of the salt of 112 bits.
      block[7] ^= label.rawValue
      key.write { cipher.apply($0, counter: UnsafeRawPointer(block.baseAddress!)) }
      block[7] ^= label.rawValue
    }
    return key
  }
}
