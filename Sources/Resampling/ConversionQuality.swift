/// The saving of a live conversion: delay or work.
///
/// Both qualities pass a sine in the passband with more than 100 dB of signal to noise. Delays, in ms:
///
/// | rates, kHz | lowDelay | lowCost |   | rates, kHz | lowDelay | lowCost |
/// | ---------- | -------- | ------- | - | ---------- | -------- | ------- |
/// | 8 → 48     | 5.9      | 77.8    |   | 48 → 8     | 5.6      | 73.9    |
/// | 11.025 → 48 | 4.3     | 55.8    |   | 48 → 11.025 | 4.1     | 34.6    |
/// | 16 → 48    | 2.9      | 16.3    |   | 48 → 16    | 2.9      | 16.3    |
/// | 22.05 → 48 | 2.1      | 19.7    |   | 48 → 22.05 | 2.0      | 17.8    |
/// | 24 → 48    | 2.0      | 18.3    |   | 48 → 24    | 1.9      | 18.3    |
/// | 32 → 48    | 1.5      | 8.6     |   | 48 → 32    | 1.4      | 8.6     |
/// | 44.1 → 48  | 1.1      | 10.4    |   | 48 → 44.1  | 1.0      | 9.4     |
public enum ConversionQuality: Hashable, Sendable, CaseIterable {
  /// Shortest delay, for about 60 µs of work per 10 ms and channel.
  ///
  /// For devices and for observers that write: their delay is heard.
  /// Source: libsamplerate, SRC_SINC_MEDIUM_QUALITY, which passes 90 % of the lower rate's half.
  case lowDelay
  /// Least work: 2 to 6 µs per 10 ms and channel, in bursts, since the library filters whole blocks.
  ///
  /// For receivers that only listen.
  /// Source: soxr, 20-bit quality.
  case lowCost
}
