internal import COpenSSL
internal import Synchronization

/// A predictable generator in place of OpenSSL's, for simulations only: every key that it makes is known to all.
///
/// It takes effect in the whole process, for keys, nonces, signatures and random numbers of TLS. Two runs give equal
/// bytes if they draw in the same order, so only one thread may draw.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
package enum SeededRandom {
  private static let state = Mutex<UInt64>(0)

  /// Replaces OpenSSL's generator, or restarts this one with another seed.
  package static func install(seed: UInt64) {
    state.withLock { $0 = seed }
    let succeeded = openssl_set_random(
      { bytes, count in
        SeededRandom.fill(UnsafeMutableBufferPointer(start: bytes, count: Int(max(0, count))))
        return 1
      }, { 1 })
    precondition(succeeded == 1, "OpenSSL does not accept another generator")
  }

  /// Brings OpenSSL's own generator back.
  package static func remove() { _ = openssl_set_random(nil, nil) }

  private static func fill(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    state.withLock { state in
      for index in bytes.indices {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        bytes[index] = UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
      }
    }
  }
}
