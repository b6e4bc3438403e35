/// Start of the dither of 8 and 16 bits.
public enum DitherStart: Hashable, Sendable {
  /// From the first sample.
  case atOnce
  /// From the first sample between two steps; earlier samples, which the file can hold exactly, stay unchanged.
  case firstInexactSample
}
