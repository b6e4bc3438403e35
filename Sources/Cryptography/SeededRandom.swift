internal import COpenSSL
internal import Glibc
internal import Synchronization

/// A predictable generator in place of OpenSSL's, for simulations only: every key that it makes is known to all.
///
/// It takes effect in the calling thread, for keys, nonces, signatures and random numbers of TLS. Other threads draw
/// from OpenSSL's own generator. Two runs give equal bytes if they draw in the same order.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
package enum SeededRandom {
  /// State of each thread with a seed.
  private static let states = Mutex<[pthread_t: UInt64]>([:])
  /// OpenSSL asks this generator from the first seed on.
  private static let isAsked: Bool =
    openssl_set_random(
      { bytes, count in
        guard let bytes, count > 0 else { return 1 }
        return SeededRandom.fill(UnsafeMutableBufferPointer(start: bytes, count: Int(count)))
          ? 1 : openssl_draw(bytes, count)
      }, { 1 }) == 1

  /// Gives the calling thread a seed, or another one.
  package static func install(seed: UInt64) {
    states.withLock { $0[pthread_self()] = seed }
    precondition(isAsked, "OpenSSL does not accept another generator")
  }

  /// Brings OpenSSL's own generator back to the calling thread.
  package static func remove() { states.withLock { $0[pthread_self()] = nil } }

  /// - Returns: Whether the calling thread has a seed.
  private static func fill(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    states.withLock { states in
      guard var state = states[pthread_self()] else { return false }
      for index in bytes.indices {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        bytes[index] = UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
      }
      states[pthread_self()] = state
      return true
    }
  }
}
