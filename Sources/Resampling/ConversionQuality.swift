/// What a live conversion saves: delay or work.
///
/// Both pass a sine in the passband with more than 100 dB of signal to noise.
public enum ConversionQuality: Hashable, Sendable, CaseIterable {
  /// Shortest delay (about 1 to 3 ms between 16 and 48 kHz), about 55 µs of work per 10 ms and channel.
  ///
  /// For devices and for observers that write: their delay is heard.
  /// Source: libsamplerate, SRC_SINC_MEDIUM_QUALITY (passband 90 % of the lower rate's half).
  case lowDelay
  /// Least work (about 2 to 6 µs per 10 ms and channel), with a delay of about 8 to 80 ms.
  ///
  /// For those who only listen. The work comes in bursts, since the library filters whole blocks.
  /// Source: soxr, 20-bit quality.
  case lowCost
}
