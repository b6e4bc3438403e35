internal import COpenSSL

/// Unpredictable random bytes of OpenSSL's generator.
public enum SecureRandom {
  /// Returns random bytes. Thread: any.
  public static func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      // A generator without entropy must not go on: every key would be known.
      precondition(count == 0 || RAND_bytes(bytes.baseAddress, Int32(count)) == 1, "OpenSSL has no random bytes")
      filled = count
    }
  }

  /// Returns a random number. Thread: any.
  public static func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type = Number.self) -> Number {
    bytes(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
  }
}
