/// From where on 8 and 16 bits are dithered.
public enum DitherStart: Hashable, Sendable {
  /// From the first sample.
  case atOnce
  /// From the first sample that lies between two steps: what the file can hold exactly up to there stays as it is.
  case firstInexactSample
}
