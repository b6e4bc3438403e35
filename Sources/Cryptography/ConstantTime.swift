internal import COpenSSL

/// Comparisons in a time that does not depend on the compared bytes.
public enum ConstantTime {
  /// Whether two spans hold the same bytes. Their lengths are not secret.
  public static func areEqual(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    guard first.count == second.count else { return false }
    return first.withUnsafeBufferPointer { first in
      second.withUnsafeBufferPointer { second in
        first.isEmpty || CRYPTO_memcmp(first.baseAddress, second.baseAddress, first.count) == 0
      }
    }
  }
}
